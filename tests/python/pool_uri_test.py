# SPDX-License-Identifier: Apache-2.0
"""Names of boards of a pool, without a coordinator."""
import importlib.util
import pathlib

import pytest

import vta
from vta import board_pool, uri


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


# --- URIs from typed parts ---

HOSTILE = ["19300?token-file=/any/file&insecure=1", "19300&insecure=1", "19300/x", "a@b", "19300#x", "x y", "x\ny", "x\0y", "", "?", "é"]


def device_uri(**server):
    lease = board_pool._Lease(None, "labgrid:pynq-1")
    lease.place = "pynq-1"
    return lease._device_uri({"host": "10.0.0.11", **server})


def test_a_server_s_uri_has_its_parts():
    assert device_uri() == "rpc://10.0.0.11:9091"
    assert device_uri(port="80", host="lab-1.example") == "rpc://lab-1.example:80"
    assert device_uri(host="fe80::1%eth0") == "rpc://[fe80::1%eth0]:9091"
    text = device_uri(token="0123456789abcdef", insecure=True)
    assert text.startswith("rpc://10.0.0.11:9091?insecure=1&token-file=/")
    assert pathlib.Path(text.partition("token-file=")[2]).read_text() == "0123456789abcdef\n"


@pytest.mark.parametrize("text", HOSTILE)
def test_no_part_of_a_uri_adds_another_one(text, monkeypatch, tmp_path):
    for port in (text, f"80{text}", 0, 65536, -1, 1.5, True, None, b"80"):
        if port != "80":
            with pytest.raises(vta.InvalidArgumentError, match="port: expected an integer from 1 to 65535"):
                uri.rpc_uri("10.0.0.11", port)
    with pytest.raises(vta.InvalidArgumentError, match="place pynq-1: port: expected"):
        device_uri(port=text)
    with pytest.raises(vta.InvalidArgumentError, match="place pynq-1: host: expected a name or an address"):
        device_uri(host=text)
    with pytest.raises(vta.InvalidArgumentError, match="insecure: expected true or false"):
        device_uri(insecure=text)
    with pytest.raises(vta.InvalidArgumentError, match="token-file: a device's URI cannot hold"):
        uri.rpc_uri("host", 1, token_file=f"{tmp_path}/a&{text}")


def test_a_coordinator_never_sends_the_user_s_token_in_plain_text(monkeypatch):
    monkeypatch.setenv("VTA_RPC_TOKEN_FILE", "/home/user/token")
    monkeypatch.delenv("VTA_RPC_CA", raising=False)
    assert device_uri(insecure=True) == "rpc://10.0.0.11:9091?insecure=1&token-file="
    assert device_uri() == "rpc://10.0.0.11:9091"  # the library refuses it, because it is another machine without TLS
    monkeypatch.setenv("VTA_RPC_CA", "ca.pem")  # by TLS
    assert device_uri(insecure=True) == "rpc://10.0.0.11:9091?insecure=1"


@pytest.mark.parametrize("listen, expected", [("127.0.0.1", "rpc://127.0.0.1:80"), ("127.0.0.1:0", "rpc://127.0.0.1:80"),
                                              ("[::1]:0", "rpc://[::1]:80"), ("[::1]", "rpc://[::1]:80"), ("0.0.0.0:9", "rpc://127.0.0.1:80"),
                                              ("[::]:9", "rpc://[::1]:80")])
def test_the_uri_of_a_server_is_that_of_its_address(listen, expected):
    assert uri.rpc_uri(uri.listened_host(listen), 80) == expected
