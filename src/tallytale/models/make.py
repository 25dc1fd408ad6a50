"""MaKE (Liu et al., 2021): two graph encoders, a conditional VAE and a decoder that plans between the graphs.

Ablations are fields: without the equation graph, without the knowledge graph, without planning.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn

from tallytale.nn.decoder import Memory, PlanningDecoder
from tallytale.nn.ggnn import GGNN, mean_pool
from tallytale.nn.latent import divergence, sample

PAD, START, END = 0, 1, 2


@dataclass(frozen=True, kw_only=True)
class MakeConfig:
    vocabulary: int = 0  # filled in from the data
    embedding: int = 128  # size of word and node embeddings
    hidden: int = 512  # size of the GRUs' states
    latent: int = 128  # size of z
    hops: int = 3  # rounds of message passing in each graph encoder
    dropout: float = 0.3  # on embeddings and before the output layer; the paper does not say
    symbolic: bool = True  # encode the equation graph
    knowledge: bool = True  # encode the commonsense graph
    planning: bool = True  # gate between the two graphs at each word

    @property
    def graph(self) -> int:
        """Size of augmented nodes, so that [z; g^e; g^k] is as large as the decoder's state."""
        return (self.hidden - self.latent) // 2


class GraphBatch(NamedTuple):
    """Graphs of a batch."""

    words: Tensor  # (B, N, W): the words of each node's label, padded with PAD
    adjacency: Tensor  # (B, N, N), rows normalised
    mask: Tensor  # (B, N), True where a node is real


class Encoded(NamedTuple):
    """What encoding gives: the decoder's memory, how its places are divided among graphs, and [g^e; g^k]."""

    memory: Memory
    sizes: tuple[int, ...]
    condition: Tensor  # (B, 2G)


class Make(nn.Module):
    def __init__(self, config: MakeConfig) -> None:
        super().__init__()
        if not (config.symbolic or config.knowledge):
            raise ValueError("a model without equations and without knowledge has nothing to read")
        self.config = config
        size, graph, hidden = config.embedding, config.graph, config.hidden
        self.embed = nn.Embedding(config.vocabulary, size, padding_idx=PAD)
        self.equation_encoder = GGNN(size, graph, config.hops)
        self.knowledge_encoder = GGNN(size, graph, config.hops)
        self.prior = nn.Sequential(nn.Linear(2 * graph, hidden), nn.Tanh(), nn.Linear(hidden, 2 * config.latent))
        self.reader = nn.GRU(size, hidden, batch_first=True)
        self.posterior = nn.Linear(2 * graph + hidden, 2 * config.latent)
        self.planned = config.planning and config.symbolic and config.knowledge
        self.decoder = PlanningDecoder(
            words=config.vocabulary, embedding=size, graph=graph, hidden=hidden, graphs=2 if self.planned else 1
        )
        self.drop = nn.Dropout(config.dropout)

    # --- encoding ------------------------------------------------------------------------------

    def encode(self, equation: GraphBatch, knowledge: GraphBatch) -> Encoded:
        encoded: list[tuple[Tensor, Tensor]] = []
        pooled: list[Tensor] = []
        for used, encoder, graph in (
            (self.config.symbolic, self.equation_encoder, equation),
            (self.config.knowledge, self.knowledge_encoder, knowledge),
        ):
            if not used:
                pooled.append(graph.adjacency.new_zeros(len(graph.mask), self.config.graph))
                continue
            nodes = encoder(self.drop(self.node_embeddings(graph.words)), graph.adjacency)
            pooled.append(mean_pool(nodes, graph.mask))
            encoded.append((nodes, graph.mask))
        if not self.planned:  # attention over all nodes at once
            nodes, masks = zip(*encoded, strict=True)
            encoded = [(torch.cat(nodes, dim=1), torch.cat(masks, dim=1))]
        return Encoded(*self.decoder.remember(encoded), torch.cat(pooled, dim=-1))

    def node_embeddings(self, words: Tensor) -> Tensor:
        """The mean of a label's words: (B, N, W) -> (B, N, D)."""
        real = (words != PAD).unsqueeze(-1).to(self.embed.weight.dtype)
        return self.embed(words).sum(2) / real.sum(2).clamp(min=1)  # type: ignore[no-any-return]

    def prior_of(self, condition: Tensor) -> tuple[Tensor, Tensor]:
        mean, log_std = self.prior(condition).chunk(2, dim=-1)
        return mean, log_std

    def posterior_of(self, condition: Tensor, text: Tensor) -> tuple[Tensor, Tensor]:
        """`text` (B, T) without its start mark."""
        states, _ = self.reader(self.drop(self.embed(text)))
        last = (text != PAD).sum(1) - 1
        summary = states[torch.arange(len(text), device=text.device), last]
        mean, log_std = self.posterior(torch.cat([condition, summary], dim=-1)).chunk(2, dim=-1)
        return mean, log_std

    # --- decoding ------------------------------------------------------------------------------

    def begin(self, latent: Tensor, condition: Tensor) -> Tensor:
        """h0 = [z; g^e; g^k]."""
        return torch.cat([latent, condition], dim=-1)

    def step(
        self, state: Tensor, word: Tensor, memory: Memory, sizes: tuple[int, ...]
    ) -> tuple[Tensor, Tensor, Tensor]:
        """From h_t and w_t (B,) to h_{t+1}, its scores over the vocabulary (B, V), and the plan β_t (B, graphs)."""
        state, plan = self.decoder(state, self.word_gates(word), memory, sizes)
        return state, self.decoder.output(self.drop(state)), plan

    def word_gates(self, word: Tensor) -> Tensor:
        return self.decoder.from_word(self.drop(self.embed(word)))  # type: ignore[no-any-return]

    # --- training ------------------------------------------------------------------------------

    def loss(
        self, equation: GraphBatch, knowledge: GraphBatch, text: Tensor, noise: Tensor, own: Sequence[bool]
    ) -> dict[str, Tensor]:
        """Losses per text: `words` and `kl`.

        `text` is (B, T) with START and END; `noise` (B, Z) feeds the draw from the posterior; `own` says at which
        places the model reads its own last word instead of the given one (scheduled sampling).
        """
        memory, sizes, condition = self.encode(equation, knowledge)
        posterior, prior = self.posterior_of(condition, text[:, 1:]), self.prior_of(condition)
        state = self.begin(sample(*posterior, noise), condition)
        given = self.word_gates(text[:, :-1]).unbind(1)  # all given words at once
        states: list[Tensor] = []
        for place, gates in enumerate(given):
            if place and own[place]:
                gates = self.word_gates(self.decoder.output(self.drop(state)).argmax(-1))
            state, _ = self.decoder(state, gates, memory, sizes)
            states.append(state)
        scores = self.decoder.output(self.drop(torch.stack(states, dim=1)))  # (B, T - 1, V)
        words = nn.functional.cross_entropy(
            scores.flatten(0, 1), text[:, 1:].flatten(), ignore_index=PAD, reduction="sum"
        )
        return {"words": words / len(text), "kl": divergence(posterior, prior).sum(-1).mean()}
