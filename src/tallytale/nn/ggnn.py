"""Gated graph neural network (Li et al., 2016; paper, section 3.2), dense and batched."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class GGNN(nn.Module):
    """`hops` rounds of message passing, each followed by one gated update per node, then G* = W [G0; Gn].

    γ = A g,  z = σ(Wz γ + Uz g),  r = σ(Wr γ + Ur g),  g~ = tanh(Wh γ + Uh (r ⊙ g)),  g' = (1 - z) ⊙ g + z ⊙ g~
    """

    def __init__(self, size: int, out: int, hops: int) -> None:
        super().__init__()
        self.hops = hops
        self.heard = nn.Linear(size, 3 * size, bias=False)  # Wz, Wr, Wh
        self.gates = nn.Linear(size, 2 * size, bias=False)  # Uz, Ur
        self.candidate = nn.Linear(size, size, bias=False)  # Uh
        self.augment = nn.Linear(2 * size, out, bias=False)  # W*
        for layer in (self.heard, self.gates, self.candidate, self.augment):
            nn.init.normal_(layer.weight, std=0.02)

    def forward(self, nodes: Tensor, adjacency: Tensor) -> Tensor:
        """(B, N, D) node embeddings and (B, N, N) row-normalised adjacency -> (B, N, out)."""
        state = nodes
        for _ in range(self.hops):
            update, reset, new = self.heard(adjacency @ state).chunk(3, dim=-1)  # (B, N, D) each
            keep, drop = self.gates(state).chunk(2, dim=-1)
            update, reset = torch.sigmoid(update + keep), torch.sigmoid(reset + drop)
            state = (1 - update) * state + update * torch.tanh(new + self.candidate(reset * state))
        return self.augment(torch.cat([nodes, state], dim=-1))  # type: ignore[no-any-return]


def mean_pool(nodes: Tensor, mask: Tensor) -> Tensor:
    """(B, N, D) and (B, N), True where a node is real -> (B, D)."""
    weights = mask.unsqueeze(-1).to(nodes.dtype)
    return (nodes * weights).sum(1) / weights.sum(1).clamp(min=1)
