# SPDX-License-Identifier: Apache-2.0
"""URIs of remote devices, built from typed parts: no part can add another one."""
from __future__ import annotations

import ipaddress
import os
import re
from typing import Any

from . import errors

_HOST_NAME = re.compile(r"[A-Za-z0-9_]([A-Za-z0-9_.-]{0,251}[A-Za-z0-9_.])?")
_HIGHEST_PORT = 65535
_SEPARATORS = "&\0\r\n"  # of a URI's query and of its reader


def rpc_uri(host: str, port: int, *, token_file: str | os.PathLike[str] | None = None,
            ca: str | os.PathLike[str] | None = None, insecure: bool = False) -> str:
    """"rpc://HOST:PORT?..." of a server.

    host: a name, or an IPv4 or IPv6 address
    token_file, ca: None: the values of the environment; "": none

    Errors: InvalidArgumentError for a part that a URI cannot hold."""
    query = ["insecure=1"] if insecure else []
    query += [f"{key}={_checked_file(key, os.fspath(file))}" for key, file in (("token-file", token_file), ("ca", ca))
              if file is not None]
    return f"rpc://{_checked_host(host)}:{checked_port(port)}" + ("?" + "&".join(query) if query else "")


def checked_port(port: Any) -> int:
    """Errors: InvalidArgumentError for anything but an integer, or its digits, from 1 to 65535."""
    if isinstance(port, str) and re.fullmatch("[0-9]{1,5}", port):
        port = int(port)
    if type(port) is not int or not 1 <= port <= _HIGHEST_PORT:
        raise errors.InvalidArgumentError(f"port: expected an integer from 1 to {_HIGHEST_PORT}, got {port!r}")
    return port


def listened_host(listen: str) -> str:
    """The host by which this machine reaches a server that listens on ADDRESS[:PORT]: loopback for one on all addresses."""
    host = listen[1:].partition("]")[0] if listen.startswith("[") else listen.partition(":")[0]
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)


def _checked_host(host: str) -> str:
    if not isinstance(host, str):
        raise errors.InvalidArgumentError(f"host: expected a name or an address, got {host!r}")
    if _HOST_NAME.fullmatch(host):
        return host
    try:
        return f"[{ipaddress.IPv6Address(host.partition('%')[0])}{_zone(host)}]"
    except ValueError as error:
        raise errors.InvalidArgumentError(f"host: expected a name or an address, got {host!r}") from error


def _zone(host: str) -> str:
    """"%eth0" of a link-local address."""
    _, percent, zone = host.partition("%")
    if percent and not re.fullmatch("[A-Za-z0-9_.-]{1,64}", zone):
        raise ValueError(zone)
    return percent + zone


def _checked_file(key: str, file: str) -> str:
    if any(separator in file for separator in _SEPARATORS):
        raise errors.InvalidArgumentError(f"{key}: a device's URI cannot hold the file name {file!r}; rename it, or choose another "
                                          "folder in $TMPDIR")
    return file
