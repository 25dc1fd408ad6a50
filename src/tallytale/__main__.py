"""`python -m tallytale`."""

from tallytale.app.cli import main

main()
