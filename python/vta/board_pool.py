# SPDX-License-Identifier: Apache-2.0
"""Boards that people share: one is reserved at labgrid's coordinator, used as a remote device, and given back."""
from __future__ import annotations

import contextlib
import logging
import os
import pathlib
import re
import shutil
import tempfile
import threading
import time
import weakref
from typing import TYPE_CHECKING, Any, Iterator

from . import errors
from ._closing import Closing
from .uri import rpc_uri

if TYPE_CHECKING:
    from .coordinator import Coordinator, Reservation, Resource

SCHEME = "labgrid:"
URI = "labgrid:PLACE|TAG=VALUE,..."
SERVER_CLASS = "VtaRpcServer"
SERVER_PORT = 9091

_WAIT_SECONDS = 1.0  # between two looks at a reservation that waits for its place
_KEEP_SECONDS = 15.0  # between two calls that keep a reservation; one without calls expires after 60 s
_EXPIRY_SECONDS = 60.0
_SERVER_PARAMETERS = {"host", "port", "token", "certificate", "insecure"}
_CA_VARIABLE = "VTA_RPC_CA"  # of the library: with it, all connections are by TLS
_log = logging.getLogger("vta")


def is_pool_uri(uri: str) -> bool:
    return uri.startswith(SCHEME)


def parse_uri(uri: str) -> dict[str, str]:
    """The tags that the place must have; `name` is its name or an alias.

    Errors: InvalidArgumentError for another form than `URI`."""
    text = uri[len(SCHEME):]
    if text and "=" not in text and "," not in text:
        return {"name": text}
    tags: dict[str, str] = {}
    for item in text.split(","):
        key, equals, value = item.partition("=")
        if not equals or not value or not re.fullmatch(r"[a-z][a-z0-9_]+", key) or key in tags:
            raise errors.InvalidArgumentError(f"device '{uri}': expected {URI}, got '{item}'")
        tags[key] = value
    return tags


class Board(Closing):
    """A board of a pool, reserved until close(). Devices and sessions on it keep it beyond that, until they are closed.

    >>> with vta.Board("labgrid:board=pynq-z1") as board:
    ...     print(board.place)
    ...     session = vta.Session(program, device=board.uri)

    `device="labgrid:..."` of Device and Session does the same. A process that is killed loses its reservation within 75 s,
    and so the board is free for others.
    """

    def __init__(self, uri: str, *, coordinator: str | None = None) -> None:
        """Waits until a place is free; Ctrl-C ends that.

        uri: "labgrid:PLACE" or "labgrid:TAG=VALUE[,TAG=VALUE]...": any place with these tags
        coordinator: HOST[:PORT]; default: the environment's LG_COORDINATOR, or 127.0.0.1:20408

        Errors: InvalidArgumentError for another form; UnsupportedError without labgrid 25 or later; NotFoundError if no
        place matches, or the one that was reserved has no server; InputOutputError if the coordinator does not answer."""
        tags = parse_uri(uri)
        from . import coordinator as protocol  # imports labgrid, which is optional
        self._lease = _Lease(protocol.Coordinator(coordinator or protocol.default_address()), uri)
        self._finalizer = weakref.finalize(self, self._lease.release)
        try:
            self._lease.obtain(tags)
        except BaseException:
            self.close()
            raise
        self.place: str = self._lease.place
        """The place's name."""
        self.uri: str = self._lease.device_uri
        """The device, "rpc://HOST:PORT..."; valid until the board is given back."""

    def close(self) -> None:
        """Gives the board back, after the last device and session on it."""
        self._finalizer()

    def retain(self) -> None:
        """Postpones giving it back until one more release()."""
        self._lease.retain()

    def release(self) -> None:
        self._lease.release()

    def check(self) -> None:
        """Errors: DeviceError if the reservation has been lost, because then another client may have the board."""
        self._lease.check()

    def __repr__(self) -> str:
        return f"<vta.Board {self.place}>"


@contextlib.contextmanager
def reserved(device: str) -> Iterator[str]:
    """The URI of a device for several sessions: of one board, reserved once, if `device` names a pool."""
    if not is_pool_uri(device):
        yield device
        return
    with Board(device) as board:
        yield board.uri


class _Lease:
    """A reservation, its users, and the thread that keeps it. Apart from Board, because its finalizer needs it."""

    def __init__(self, coordinator: Coordinator, uri: str) -> None:
        self._coordinator, self._uri = coordinator, uri
        self._process = os.getpid()
        self._lock = threading.Lock()
        self._users = 1
        self._token = ""
        self._lost = ""
        self._ended = threading.Event()
        self._folder: pathlib.Path | None = None  # of secrets
        self.place = self.device_uri = ""

    def obtain(self, tags: dict[str, str]) -> None:
        reservation = self._coordinator.reserve(self._checked_tags(tags))
        self._token = reservation.token
        self.place = self._wait(reservation)
        threading.Thread(target=self._keep, name=f"vta-board-{self.place}", daemon=True).start()
        self.device_uri = self._device_uri(_server(self.place, self._coordinator.resources(self.place)))

    def retain(self) -> None:
        with self._lock:
            self._users += 1

    def release(self) -> None:
        if self._process != os.getpid():
            return  # it is the parent's
        with self._lock:
            self._users -= 1
            if self._users > 0:
                return
        self._give_back()

    def check(self) -> None:
        if self._lost:
            raise errors.DeviceError(f"the reservation of {self.place} is lost: {self._lost}")

    def _checked_tags(self, tags: dict[str, str]) -> dict[str, str]:
        """With a place's name instead of its alias. A reservation that no place can satisfy would wait forever."""
        places = self._coordinator.places()
        for place in places:
            names = {place.name, *place.aliases}
            if all(value in names if key == "name" else place.tags.get(key) == value for key, value in tags.items()):
                return {**tags, "name": place.name} if "name" in tags else tags
        listed = "; ".join(f"{place.name} ({', '.join(f'{key}={value}' for key, value in sorted(place.tags.items()))})"
                           for place in places)
        raise errors.NotFoundError(f"device '{self._uri}': no such place at the coordinator {self._coordinator.address}; "
                                   f"its places: {listed or 'none'}")

    def _wait(self, reservation: Reservation) -> str:
        """The name of the place, once it is free."""
        if reservation.state == "waiting":
            _log.info("%s: waiting for a free board", self._uri)
        while reservation.state == "waiting":
            time.sleep(_WAIT_SECONDS)
            reservation = self._coordinator.poll(self._token)
        if not reservation.has_place:
            raise errors.DeviceError(f"device '{self._uri}': the reservation is {reservation.state}")
        _log.info("%s: reserved %s", self._uri, reservation.place)
        return reservation.place

    def _keep(self) -> None:
        """Until the board is given back. A coordinator that restarts forgets reservations."""
        last_kept = time.monotonic()
        while not self._lost and not self._ended.wait(_KEEP_SECONDS):
            sent = time.monotonic()
            try:
                reservation = self._coordinator.poll(self._token)
            except (errors.InputOutputError, ValueError) as error:  # ValueError: the channel was closed meanwhile
                if not self._ended.is_set() and (time.monotonic() - last_kept > _EXPIRY_SECONDS or
                                                 "does not exist" in str(error)):
                    self._lost = str(error)
                continue
            last_kept = sent
            if not reservation.has_place or reservation.place != self.place:
                self._lost = f"it is {reservation.state}"

    def _device_uri(self, server: dict[str, Any]) -> str:
        """A coordinator may give its own token, but never have the user's sent in plain text."""
        token, certificate = (str(self._secret(name, str(server[name]))) if server.get(name) else None
                              for name in ("token", "certificate"))
        insecure = server.get("insecure", False)
        if not isinstance(insecure, bool):
            raise errors.InvalidArgumentError(f"place {self.place}: insecure: expected true or false, got {insecure!r}")
        if insecure and token is None and certificate is None and not os.environ.get(_CA_VARIABLE):
            token = ""
        try:
            return rpc_uri(server["host"], server.get("port", SERVER_PORT), token_file=token, ca=certificate,
                           insecure=insecure)
        except errors.InvalidArgumentError as error:
            raise errors.InvalidArgumentError(f"place {self.place}: {error}") from error

    def _secret(self, name: str, text: str) -> pathlib.Path:
        """A file of this user alone: the library takes secrets by file."""
        if self._folder is None:
            self._folder = pathlib.Path(tempfile.mkdtemp(prefix="vta-board-"))
        file = self._folder / name
        with open(os.open(file, os.O_CREAT | os.O_WRONLY | os.O_EXCL, 0o600), "w") as out:
            out.write(text.rstrip("\n") + "\n")
        return file

    def _give_back(self) -> None:
        self._ended.set()
        try:
            if self._token and not self._lost:
                self._coordinator.cancel(self._token)
                _log.info("%s: gave %s back", self._uri, self.place or "the reservation")
        except errors.InputOutputError as error:  # it expires
            _log.warning("%s: %s", self._uri, error)
        finally:
            self._coordinator.close()
            if self._folder is not None:
                shutil.rmtree(self._folder, ignore_errors=True)


def _server(place: str, resources: list[Resource]) -> dict[str, Any]:
    """The parameters of a place's VtaRpcServer, or what its NetworkService says of them."""
    for cls in (SERVER_CLASS, "NetworkService"):
        found = [resource for resource in resources if resource.cls == cls]
        if len(found) > 1:
            raise errors.NotFoundError(f"place {place} has {len(found)} resources {cls}, expected one")
        if found:
            return _server_parameters(place, found[0])
    raise errors.NotFoundError(f"place {place} has neither a {SERVER_CLASS} nor a NetworkService; is its exporter running?")


def _server_parameters(place: str, resource: Resource) -> dict[str, Any]:
    if resource.proxy_required:
        raise errors.UnsupportedError(f"place {place}: its exporter is isolated, and reaching it through SSH is not supported")
    if resource.cls != SERVER_CLASS:
        return {"host": resource.params["address"]}  # its port is that of SSH
    if unknown := sorted(set(resource.params) - _SERVER_PARAMETERS):
        raise errors.InvalidArgumentError(f"place {place}: {SERVER_CLASS} has no parameter '{unknown[0]}'; expected "
                                          f"{', '.join(sorted(_SERVER_PARAMETERS))}")
    if not resource.params.get("host"):
        raise errors.InvalidArgumentError(f"place {place}: {SERVER_CLASS} needs the parameter 'host'")
    return dict(resource.params)
