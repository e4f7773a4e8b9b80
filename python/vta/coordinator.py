# SPDX-License-Identifier: Apache-2.0
"""A client of labgrid's coordinator: places, their resources, and reservations. Needs labgrid 25 or later.

The protocol is `labgrid/remote/proto/labgrid-coordinator.proto`. A reservation that is not polled for 60 s expires, unless its
place has been acquired. This module acquires no place: so a client that is killed does not keep a board from others.
"""
from __future__ import annotations

import contextlib
import dataclasses
import getpass
import os
import socket
from typing import Any, Callable, Iterator, Mapping

from . import errors

try:
    import grpc
    from labgrid.remote.common import Place, ReservationState, ResourceEntry
    from labgrid.remote.generated import labgrid_coordinator_pb2 as messages
    from labgrid.remote.generated.labgrid_coordinator_pb2_grpc import CoordinatorStub
except ImportError as error:
    raise errors.UnsupportedError(f"a device 'labgrid:...' needs labgrid 25 or later: pip install 'labgrid>=25' ({error})"
                                  ) from error

DEFAULT_PORT = 20408
_CALL_SECONDS = 10.0
# Each channel has a connection of its own: the coordinator knows clients by their connection.
_CHANNEL_OPTIONS = [("grpc.use_local_subchannel_pool", 1)]


@dataclasses.dataclass(frozen=True)
class Resource:
    """What an exporter offers at a place."""

    cls: str  # "NetworkService"
    name: str
    params: Mapping[str, Any]
    proxy_required: bool  # its exporter is isolated


@dataclasses.dataclass(frozen=True)
class Reservation:
    """A reservation as the coordinator sees it."""

    token: str
    state: str  # "waiting", "allocated", "acquired", "expired" or "invalid"
    place: str  # "" while it waits

    @property
    def has_place(self) -> bool:
        return self.state in ("allocated", "acquired")


def default_address() -> str:
    """$LG_COORDINATOR, as for labgrid's own client, or this machine."""
    return os.environ.get("LG_COORDINATOR") or f"127.0.0.1:{DEFAULT_PORT}"


class Coordinator:
    """A connection. Errors of all calls: InputOutputError if the coordinator does not answer or refuses the call."""

    def __init__(self, address: str) -> None:
        """`address`: HOST[:PORT]."""
        has_port = address.rpartition(":")[2].isdigit() and not address.endswith("]")
        self.address = address if has_port else f"{address}:{DEFAULT_PORT}"
        self._channel = grpc.insecure_channel(self.address, options=_CHANNEL_OPTIONS)
        self._stub = CoordinatorStub(self._channel)

    def close(self) -> None:
        self._channel.close()

    def places(self) -> list[Any]:
        """All places, as labgrid's Place."""
        response = self._checked(lambda: self._stub.GetPlaces(messages.GetPlacesRequest(), timeout=_CALL_SECONDS))
        return [Place.from_pb2(place) for place in response.places]

    def resources(self, place: str) -> list[Resource]:
        """The available resources of a place."""
        found = [candidate for candidate in self.places() if candidate.name == place]
        with self._registered(subscribe=True) as (_, updates):
            return [_resource(update.resource) for update in updates
                    if update.WhichOneof("kind") == "resource" and update.resource.avail
                    and any(candidate.hasmatch(_path(update.resource)) for candidate in found)]

    def reserve(self, tags: Mapping[str, str]) -> Reservation:
        """Queues a reservation of a place that has these tags; `name` is the name of a place."""
        request = messages.CreateReservationRequest(filters={"main": messages.Reservation.Filter(filter=tags)})
        with self._registered(subscribe=False) as (stub, _):
            response = self._checked(lambda: stub.CreateReservation(request, timeout=_CALL_SECONDS))
        return _reservation(response.reservation)

    def poll(self, token: str) -> Reservation:
        """The state of a reservation, which does not expire for another minute."""
        request = messages.PollReservationRequest(token=token)
        return _reservation(self._checked(lambda: self._stub.PollReservation(request, timeout=_CALL_SECONDS)).reservation)

    def cancel(self, token: str) -> None:
        """Ends a reservation: the next one in the queue gets the place."""
        request = messages.CancelReservationRequest(token=token)
        self._checked(lambda: self._stub.CancelReservation(request, timeout=_CALL_SECONDS))

    @contextlib.contextmanager
    def _registered(self, subscribe: bool) -> Iterator[tuple[Any, list[Any]]]:
        """A connection that the coordinator knows by name, and the resources that it had when this began."""
        with grpc.insecure_channel(self.address, options=_CHANNEL_OPTIONS) as channel:
            stub = CoordinatorStub(channel)
            stream = stub.ClientStream(iter(_greeting(subscribe)), timeout=_CALL_SECONDS)
            yield stub, self._checked(lambda: _updates_until_sync(stream))
            stream.cancel()

    def _checked(self, call: Callable[[], Any]) -> Any:
        try:
            return call()
        except grpc.RpcError as error:
            raise errors.InputOutputError(f"labgrid's coordinator at {self.address}: {error.details()}") from error


def _client_name() -> str:
    """As labgrid's, HOST/USER, and this process: another one of the same user must not acquire what this has reserved."""
    host = os.environ.get("LG_HOSTNAME") or socket.gethostname()
    user = os.environ.get("LG_USERNAME") or getpass.getuser()
    return f"{host}/{user}/vta-{os.getpid()}"


def _greeting(subscribe: bool) -> list[Any]:
    result = [messages.ClientInMessage(startup=messages.StartupDone(version="vta", name=_client_name()))]
    if subscribe:
        result.append(messages.ClientInMessage(subscribe=messages.Subscribe(all_resources=True)))
    return result + [messages.ClientInMessage(sync=messages.Sync(id=1))]


def _updates_until_sync(stream: Any) -> list[Any]:
    updates: list[Any] = []
    for message in stream:
        updates += message.updates
        if message.HasField("sync"):
            return updates
    raise errors.InputOutputError("labgrid's coordinator has closed the connection")


def _path(resource: Any) -> tuple[str, str, str, str]:
    path = resource.path
    return (path.exporter_name, path.group_name, resource.cls, path.resource_name)


def _resource(resource: Any) -> Resource:
    entry = ResourceEntry(ResourceEntry.data_from_pb2(resource))
    return Resource(entry.cls, resource.path.resource_name, entry.args, bool(entry.extra.get("proxy_required")))


def _reservation(reservation: Any) -> Reservation:
    state = ReservationState(reservation.state).name
    return Reservation(reservation.token, state, reservation.allocations.get("main", ""))
