"""Each formula of the paper against a plain loop over nodes, in float64."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

torch = pytest.importorskip("torch", reason="the extra [train] is not installed")

from torch import Tensor, nn  # noqa: E402

from tallytale.nn.decoder import PlanningDecoder, gru  # noqa: E402
from tallytale.nn.ggnn import GGNN, mean_pool  # noqa: E402
from tallytale.nn.latent import divergence, sample  # noqa: E402


@pytest.fixture(autouse=True)
def exact() -> Iterator[None]:
    torch.manual_seed(3)
    torch.set_default_dtype(torch.float64)
    yield
    torch.set_default_dtype(torch.float32)


def adjacency(count: int) -> Tensor:
    matrix = (torch.rand(count, count) < 0.4).double() + torch.eye(count)
    matrix = (matrix > 0).double()
    rows: Tensor = matrix / matrix.sum(1, keepdim=True)
    return rows


def test_ggnn_node_by_node() -> None:
    size, out, hops, count = 5, 4, 3, 6
    net = GGNN(size, out, hops)
    nodes, links = torch.randn(1, count, size), adjacency(count)
    wz, wr, wh = net.heard.weight.chunk(3)
    uz, ur = net.gates.weight.chunk(2)
    state = [nodes[0, v] for v in range(count)]
    for _ in range(hops):
        heard = [sum(links[v, u] * state[u] for u in range(count)) for v in range(count)]
        new = []
        for v in range(count):
            z = torch.sigmoid(wz @ heard[v] + uz @ state[v])
            r = torch.sigmoid(wr @ heard[v] + ur @ state[v])
            candidate = torch.tanh(wh @ heard[v] + net.candidate.weight @ (r * state[v]))
            new.append((1 - z) * state[v] + z * candidate)
        state = new
    expected = torch.stack([net.augment.weight @ torch.cat([nodes[0, v], state[v]]) for v in range(count)])
    torch.testing.assert_close(net(nodes, links.unsqueeze(0))[0], expected)


def test_padding_changes_neither_nodes_nor_their_mean() -> None:
    net = GGNN(5, 4, 3)
    nodes, links = torch.randn(1, 6, 5), adjacency(6).unsqueeze(0)
    wide_nodes = torch.cat([nodes, torch.randn(1, 3, 5)], dim=1)
    wide_links = torch.zeros(1, 9, 9)
    wide_links[:, :6, :6] = links
    mask = torch.tensor([[True] * 6 + [False] * 3])
    torch.testing.assert_close(net(wide_nodes, wide_links)[:, :6], net(nodes, links))
    pooled = mean_pool(net(wide_nodes, wide_links), mask)
    torch.testing.assert_close(pooled, net(nodes, links).mean(1))


def test_the_decoder_step_word_by_word() -> None:
    graph, hidden, size = 4, 6, 3
    decoder = PlanningDecoder(words=11, embedding=size, graph=graph, hidden=hidden, graphs=2)
    nodes = [torch.randn(1, 5, graph), torch.randn(1, 7, graph)]
    masks = [torch.tensor([[True] * 4 + [False]]), torch.tensor([[True] * 7])]
    memory, sizes = decoder.remember(list(zip(nodes, masks, strict=True)))
    state, word = torch.randn(1, hidden), torch.randn(1, size)
    new, plan = decoder(state, decoder.from_word(word), memory, sizes)

    weight, bias = decoder.from_state.weight, decoder.from_state.bias
    reach = decoder.attention
    contexts = []
    for g in range(2):
        query = weight[g * reach : (g + 1) * reach] @ state[0] + bias[g * reach : (g + 1) * reach]
        real = [v for v in range(nodes[g].shape[1]) if masks[g][0, v]]
        scores = [decoder.scores[g] @ torch.tanh(query + decoder.keys[g].weight @ nodes[g][0, v]) for v in real]
        alpha = torch.softmax(torch.stack(scores), dim=0)
        contexts.append(sum(a * nodes[g][0, v] for a, v in zip(alpha, real, strict=True)))
    rows = slice(2 * reach, 2 * reach + 2)
    beta = torch.softmax(weight[rows] @ state[0] + bias[rows], dim=0)
    context = beta[0] * contexts[0] + beta[1] * contexts[1]
    torch.testing.assert_close(plan[0], beta)

    cell = nn.GRUCell(hidden, hidden)  # an independent GRU with the same weights; its input is W [c; w] + b
    gates = slice(2 * reach + 2, None)
    cell.weight_ih.data = torch.eye(3 * hidden, hidden)
    cell.weight_hh.data, cell.bias_hh.data = weight[gates], bias[gates]
    entering = decoder.from_context.weight @ context + decoder.from_word(word)[0]
    expected = _gru(cell, state[0], entering)
    torch.testing.assert_close(new[0], expected)


def _gru(cell: nn.GRUCell, state: Tensor, entering: Tensor) -> Tensor:
    """The textbook update from the input's gates and the state's."""
    standing = cell.weight_hh @ state + cell.bias_hh
    size = len(state)
    r = torch.sigmoid(entering[:size] + standing[:size])
    z = torch.sigmoid(entering[size : 2 * size] + standing[size : 2 * size])
    n = torch.tanh(entering[2 * size :] + r * standing[2 * size :])
    updated: Tensor = (1 - z) * n + z * state
    return updated


def test_our_gru_is_torchs() -> None:
    cell = nn.GRUCell(3, 5)
    state, entering = torch.randn(2, 5), torch.randn(2, 3)
    ours = gru(state, entering @ cell.weight_ih.T + cell.bias_ih, state @ cell.weight_hh.T + cell.bias_hh)
    torch.testing.assert_close(ours, cell(entering, state))


def test_divergence_is_torchs_and_sampling_is_reparameterised() -> None:
    q, p = (torch.randn(2, 3), torch.randn(2, 3)), (torch.randn(2, 3), torch.randn(2, 3))
    normal = torch.distributions.Normal
    expected = torch.distributions.kl_divergence(normal(q[0], q[1].exp()), normal(p[0], p[1].exp()))
    torch.testing.assert_close(divergence(q, p), expected)
    noise = torch.randn(2, 3)
    torch.testing.assert_close(sample(*q, noise), q[0] + q[1].exp() * noise)
