"""The latent variable of a conditional VAE: Gaussians, sampling and divergence (paper, section 3.3)."""

from __future__ import annotations

import torch
from torch import Tensor


def sample(mean: Tensor, log_std: Tensor, noise: Tensor) -> Tensor:
    """The reparameterised draw μ + σ ε."""
    return mean + log_std.exp() * noise


def divergence(posterior: tuple[Tensor, Tensor], prior: tuple[Tensor, Tensor]) -> Tensor:
    """KL(q || p) of diagonal Gaussians given as mean and log σ: (B, Z) each -> (B, Z), one value a dimension."""
    (q_mean, q_log), (p_mean, p_log) = posterior, prior
    spread = torch.exp(2 * (q_log - p_log))
    shift = ((q_mean - p_mean) / p_log.exp()) ** 2
    return p_log - q_log + (spread + shift - 1) / 2
