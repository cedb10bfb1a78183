"""The nodes that tests run commands on."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

pytest.importorskip("ray")

from ray.cluster_utils import Cluster

from tests.clients.ray.two_nodes import Near, begin_small_node


@pytest.fixture(scope="module")
def head() -> Iterator[Cluster]:
    """A cluster of one node."""
    cluster = Cluster()
    begin_small_node(cluster)
    yield cluster
    cluster.shutdown()


@pytest.fixture
def nodes(head: Cluster) -> Cluster:
    """Two nodes of one processor each; one that a test has killed is replaced."""
    if len(head.list_all_nodes()) < 2:
        begin_small_node(head)
        head.wait_for_nodes()
    return head


@pytest.fixture(scope="session")
def near(tmp_path_factory: pytest.TempPathFactory) -> Near:
    """What commands give without a cluster."""
    return Near(tmp_path_factory.mktemp("near"))
