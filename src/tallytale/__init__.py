"""TallyTale: math word problems from equations and a topic."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from tallytale.writing.writer import Writer, Written

__all__ = ["Writer", "Written", "__version__"]


def __getattr__(name: str) -> Any:
    """`from tallytale import Writer` works, and costs nothing for those who import only a part."""
    if name in ("Writer", "Written"):
        from tallytale.writing import writer

        return getattr(writer, name)
    raise AttributeError(f"module 'tallytale' has no attribute '{name}'")
