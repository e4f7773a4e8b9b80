# SPDX-License-Identifier: Apache-2.0
"""Names of boards of a pool, without a coordinator."""
import importlib.util

import pytest

import vta
from vta import board_pool


def test_a_pool_s_uri_is_a_place_or_tags():
    assert board_pool.parse_uri("labgrid:pynq-1") == {"name": "pynq-1"}
    assert board_pool.parse_uri("labgrid:board=pynq-z1,site=lab2") == {"board": "pynq-z1", "site": "lab2"}
    for uri in ("labgrid:", "labgrid:a=", "labgrid:board=a,board=b", "labgrid:board=a,", "labgrid:Board=a", "labgrid:a,b"):
        with pytest.raises(vta.InvalidArgumentError, match="expected labgrid:PLACE"):
            board_pool.parse_uri(uri)


def test_the_pool_is_listed():
    assert any(kind.uri.startswith("labgrid:") for kind in vta.devices())


@pytest.mark.skipif(importlib.util.find_spec("labgrid") is not None, reason="labgrid is installed")
def test_a_missing_labgrid_names_the_extra():
    with pytest.raises(vta.UnsupportedError, match="pip install 'labgrid>=25'"):
        vta.Board("labgrid:pynq-1")
