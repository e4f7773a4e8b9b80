# SPDX-License-Identifier: Apache-2.0
"""Serving a device to other processes and machines."""
from __future__ import annotations

import ctypes
import os

from . import _library
from ._closing import Closing
from ._library import lib
from .uri import listened_host, rpc_uri


class Server(Closing):
    """Serves a device in this process, as vta-rpc-server does, until close().

    >>> with vta.Server("cycle") as server:
    ...     session = vta.Session(program, device=server.uri)
    """

    def __init__(self, device: str = "functional", *, core: str | None = None, listen: str = "127.0.0.1:0",
                 token: str | None = None, certificate: str | os.PathLike[str] | None = None,
                 key: str | os.PathLike[str] | None = None) -> None:
        """`listen`: ADDRESS[:PORT]; port 0 takes a free one. Addresses beyond loopback need a token and a certificate.
        `token`: 16 to 256 printable characters, as in the files of vta-rpc-server."""
        options = _library.ServerOptions(ctypes.sizeof(_library.ServerOptions), listen, token, certificate, key)
        self._handle = _library.opened(lib.vta_server_free,
                                       lambda out: lib.vta_server_start(device, core, ctypes.byref(options), out))
        with self._handle as pointer:
            self.port: int = lib.vta_server_port(pointer)
        self.uri: str = rpc_uri(listened_host(listen), self.port)
        """The device for clients on this machine, without token and TLS options."""

    def close(self) -> None:
        """Notifies the clients and stops; a run in progress ends first."""
        self._handle.close()
