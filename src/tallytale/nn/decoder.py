"""The decoder with its self-planning gate (paper, section 3.3), written so that one word costs few operations.

    o_v = v · tanh(W h + U g_v)        additive attention, its own W, U, v for each graph
    α   = softmax(o) within a graph,   c^e = Σ α_v g_v,  c^k likewise
    β   = softmax(W^β h),              c = β_e c^e + β_k c^k
    h'  = GRU(h, W^d [c; w] + b^d)

All maps of h are one matrix product. W^d is folded into the GRU's input weights, of which it would only make a product;
nodes of all graphs stand in one row, so that both contexts come from one weighted sum.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn

HIDE = -1e9  # added to the scores of nodes that are not there


class Memory(NamedTuple):
    """What the decoder looks at: the nodes of all graphs in a row."""

    nodes: Tensor  # (B, N, G)
    keys: Tensor  # (B, N, A): U g
    bias: Tensor  # (B, N): 0 for real nodes, HIDE for padding


class PlanningDecoder(nn.Module):
    """One step of generation over one or two graphs; with two, the gate β plans between them."""

    def __init__(self, *, words: int, embedding: int, graph: int, hidden: int, graphs: int) -> None:
        super().__init__()
        self.attention = hidden // 2
        self.graphs = graphs
        self.hidden = hidden
        self.keys = nn.ModuleList(nn.Linear(graph, self.attention, bias=False) for _ in range(graphs))  # U
        self.scores = nn.Parameter(torch.empty(graphs, self.attention))  # v
        self.from_state = nn.Linear(hidden, graphs * self.attention + graphs + 3 * hidden)  # W, W^β, the GRU's U
        self.from_context = nn.Linear(graph, 3 * hidden, bias=False)
        self.from_word = nn.Linear(embedding, 3 * hidden)
        self.output = nn.Linear(hidden, words)
        nn.init.uniform_(self.scores, -(self.attention**-0.5), self.attention**-0.5)

    def remember(self, graphs: list[tuple[Tensor, Tensor]]) -> tuple[Memory, tuple[int, ...]]:
        """Memory from nodes (B, N, G) and masks (B, N) of each graph, and how many places each has in it."""
        keys = [layer(nodes) for layer, (nodes, _) in zip(self.keys, graphs, strict=True)]
        bias = torch.cat([mask for _, mask in graphs], dim=1)
        hidden = torch.where(bias, 0.0, HIDE).to(keys[0].dtype)
        sizes = tuple(nodes.shape[1] for nodes, _ in graphs)
        return Memory(torch.cat([nodes for nodes, _ in graphs], dim=1), torch.cat(keys, dim=1), hidden), sizes

    def forward(
        self, state: Tensor, word_gates: Tensor, memory: Memory, sizes: tuple[int, ...]
    ) -> tuple[Tensor, Tensor]:
        """From h (B, H) and the word's gates (B, 3H) to h' (B, H) and β (B, graphs)."""
        sections = [self.graphs * self.attention, self.graphs, 3 * self.hidden]
        queries, plan, gates = torch.split(self.from_state(state), sections, dim=-1)
        plan = torch.softmax(plan, dim=-1)
        rows = queries.view(-1, self.graphs, self.attention)
        spread = torch.cat([rows[:, g : g + 1].expand(-1, size, -1) for g, size in enumerate(sizes)], dim=1)
        weigh = torch.cat([self.scores[g].expand(size, -1) for g, size in enumerate(sizes)], dim=0)  # (N, A)
        scores = (torch.tanh(memory.keys + spread) * weigh).sum(-1) + memory.bias  # (B, N)
        weights = torch.cat(
            [
                torch.softmax(part, dim=-1) * plan[:, g : g + 1]
                for g, part in enumerate(torch.split(scores, list(sizes), dim=1))
            ],
            dim=1,
        )
        context = torch.bmm(weights.unsqueeze(1), memory.nodes).squeeze(1)  # (B, G)
        return gru(state, word_gates + self.from_context(context), gates), plan


def gru(state: Tensor, entering: Tensor, standing: Tensor) -> Tensor:
    """A GRU's update from its three gates of the input and of the state, (B, 3H) each, in the order r, z, n."""
    size = state.shape[-1]
    reset, update = torch.sigmoid(entering[:, : 2 * size] + standing[:, : 2 * size]).chunk(2, dim=-1)
    new = torch.tanh(torch.addcmul(entering[:, 2 * size :], reset, standing[:, 2 * size :]))
    return torch.lerp(new, state, update)
