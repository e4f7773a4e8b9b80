# SPDX-License-Identifier: Apache-2.0
"""Devices and sessions: running programs."""
from __future__ import annotations

import contextlib
import ctypes
import dataclasses
import os
import threading
import time
from typing import Any, Callable, Iterator, Mapping

import numpy as np

from . import _library, board_pool, errors, profile, report, tensors
from ._closing import Closing
from ._library import lib
from .profile import Profile
from .program import Program
from .report import Report
from .tensors import Array, TensorInfo

ProgressFunction = Callable[[str, float], None]
CORE_PROVIDER, HOST_PROVIDER = "VTAExecutionProvider", "CPUExecutionProvider"


@dataclasses.dataclass(frozen=True)
class DeviceKind:
    """A kind of device that `Device` and `Session` accept."""

    uri: str  # its form: "cycle[:MEMORY]"
    what: str  # "the core's cycle model"


def devices() -> tuple[DeviceKind, ...]:
    """The kinds of devices of this installation."""
    kinds = (lib.vta_device_kind_at(i).contents for i in range(lib.vta_num_device_kinds()))
    return (*(DeviceKind(_library.text(kind.uri), _library.text(kind.what)) for kind in kinds),
            DeviceKind(board_pool.URI, "a board that labgrid's coordinator lends"))


def require_reachable(uri: str) -> None:
    """For a script that compiles before it opens a device: raises now what `Device` would for an unknown kind of device, or for a server
    ("rpc://HOST:PORT") that does not answer or refuses the client. Keeps no connection, and reserves no board of a pool.

    >>> vta.require_reachable("rpc://pynq")
    """
    if not board_pool.is_pool_uri(uri):
        _library.check(lib.vta_device_require_reachable(uri))


def _opened_on(board: board_pool.Board | None, free: Callable[[ctypes.c_void_p], None],
               open_it: Callable[[Any], Any]) -> _library.Handle:
    """A handle that keeps the board, if there is one, until it is released."""
    if board is None:
        return _library.opened(free, open_it)
    keeper = board

    def free_and_release(pointer: ctypes.c_void_p) -> None:
        free(pointer)
        keeper.release()

    keeper.retain()
    try:
        return _library.opened(free_and_release, open_it)
    except BaseException:
        keeper.release()
        raise


class Device(Closing):
    """A simulator, a board or a remote device. Sessions may share one; their uses take turns.

    `uri`: "cycle", "cycle:pynq-z1", "cycle:pynq-z1@125" (the memory as a core at 125 MHz sees it), "functional",
    "rtl", "rpc://HOST:PORT", "uio:"; `devices()` lists the forms.
    "labgrid:PLACE" and "labgrid:TAG=VALUE" reserve a board, as `Board` does, until the last session on it is closed.
    `program`: any program of the core that the device has, or that a simulator shall simulate.
    """

    def __init__(self, uri: str, program: Program) -> None:
        self._board = board_pool.Board(uri) if board_pool.is_pool_uri(uri) else None
        try:
            target = uri if self._board is None else self._board.uri
            with program._handle as pointer:
                self._handle = _opened_on(self._board, lib.vta_device_free,
                                          lambda out: lib.vta_device_open(target, pointer, out))
        finally:
            if self._board is not None:
                self._board.close()  # from here on, the device and its sessions keep it
        with self._handle as device:
            info = lib.vta_device_info_of(device).contents
            self.uri: str = _library.text(info.uri)
            self.core: str = _library.text(info.core)
            self.timed: bool = bool(info.timed)
            """Whether it counts cycles."""
            self.computes: bool = bool(info.computes)
            """False: only counters are valid, outputs are not."""

    def close(self) -> None:
        """Closes the device after the last session that uses it."""
        self._handle.close()

    def __repr__(self) -> str:
        return f"<vta.Device {self.uri}, core {self.core}>"


_NETWORK_SUFFIXES = (".onnx", ".json", ".vtaq")


def _require_compiled(program: Any) -> None:
    """Errors: InvalidArgumentError for a network, or a value that is neither a program nor a name."""
    if isinstance(program, Program):
        return
    if isinstance(program, (bytes, bytearray, memoryview)):
        raise errors.InvalidArgumentError("program: got bytes; vta.Program.from_bytes() makes a program of those of its file")
    if not isinstance(program, (str, os.PathLike)):
        raise errors.InvalidArgumentError(f"program: expected a vta.Program or a .vta file, got {type(program).__name__}: compile it "
                                          "first, with vta.compile()")
    _library.to_bytes(program)  # a text that C can hold
    if os.fspath(program).lower().endswith(_NETWORK_SUFFIXES):
        raise errors.InvalidArgumentError(f"{os.fspath(program)} is a network: compile it first, "
                                          f"vta.Session(vta.compile({os.fspath(program)!r}))")


def _loaded(file: str | os.PathLike[str]) -> Program:
    try:
        return Program.load(file)
    except errors.NotFoundError as error:
        if os.fspath(file).endswith(".vta"):
            raise
        raise errors.NotFoundError(f"{error}; a network has to be compiled first: vta.Session(vta.compile({os.fspath(file)!r}))") from None


class _LastRun:
    """The report of a run, read when it is first asked for. Threads that ask at the same time each read the same."""

    def __init__(self, handle: _library.Handle) -> None:
        self._handle = handle
        self._report: Report | None = None

    def report(self) -> Report:
        if self._report is None:
            self._report = report.read(self._handle)
        return self._report


class Session(Closing):
    """A program in the memory of a device.

    Threads may share a session; its runs are executed one after another.

    >>> with vta.Session(program, device="cycle") as session:
    ...     scores = session.run(image)[0]
    ...     print(session.report.cycles)
    """

    def __init__(self, program: Program | str | os.PathLike[str], device: Device | str = "cycle") -> None:
        """`program`: a Program, or the name of a .vta file."""
        _require_compiled(program)
        self.program: Program = program if isinstance(program, Program) else _loaded(program)
        self._owns_device = not isinstance(device, Device)
        self.device: Device = device if isinstance(device, Device) else Device(device, self.program)
        try:
            with self.program._handle as code, self.device._handle as target:
                self._handle = _opened_on(self.device._board, lib.vta_session_free,
                                          lambda out: lib.vta_session_open(code, target, out))
        except BaseException:
            if self._owns_device:
                self.device.close()
            raise
        self._last: _LastRun | None = None
        self._running = threading.Lock()
        self._runner: int | None = None  # the thread that has the lock

    @property
    def inputs(self) -> tuple[TensorInfo, ...]:
        return self.program.inputs

    @property
    def outputs(self) -> tuple[TensorInfo, ...]:
        return self.program.outputs

    def get_providers(self) -> list[str]:
        """What executes it, as in ONNX Runtime: "VTAExecutionProvider", and "CPUExecutionProvider" if it has layers on the host."""
        return [CORE_PROVIDER, HOST_PROVIDER] if any(layer.where == "host" for layer in self.program.layers) else [CORE_PROVIDER]

    def run(self, *inputs: Array | Mapping[str, Array], progress: ProgressFunction | None = None) -> list[Array]:
        """Runs one inference and returns the outputs, in the order of `outputs`.

        Sizes that only a run gives (the boxes that NonMaxSuppression keeps) are exact; `outputs` has their upper bound.

        `inputs` have exactly the types of `self.inputs`, in this order or as one dict by name. Arrays that are not in C
        order are copied. `progress` is called now and then with what is in progress and a fraction; an exception that
        it raises cancels the run, as does Ctrl-C in the main thread. It cannot run the same session."""
        if self._runner == threading.get_ident():
            raise errors.InvalidArgumentError("the session is running: its progress function and signal handlers cannot run it")
        arrays = tensors.checked_inputs(inputs, self.program.inputs)
        if self.device._board is not None:
            self.device._board.check()
        results: list[Array] = [np.empty(info.shape, info.dtype) for info in self.program.outputs]
        with self._turn():  # until the sizes of this run are read
            if progress is None and threading.current_thread() is not threading.main_thread():
                _library.check(self._run(arrays, results, None))  # nothing can interrupt it but cancel()
                return self._of_run(results)
            with _library.Watch(progress) as watch:
                options = _library.RunOptions(ctypes.sizeof(_library.RunOptions), watch.function, None)
                status = self._run(arrays, results, ctypes.byref(options))
            watch.finish(status)
            return self._of_run(results)

    @contextlib.contextmanager
    def _turn(self) -> Iterator[None]:
        with self._running:
            self._runner = threading.get_ident()
            try:
                yield
            finally:
                self._runner = None

    def _of_run(self, results: list[Array]) -> list[Array]:
        with self._handle as session:
            return tensors.of_run(results, [lib.vta_session_output(session, i) for i in range(len(results))])

    def _run(self, inputs: list[Array], results: list[Array], options: Any) -> int:
        """Keeps the report; returns the status."""
        pointer = ctypes.c_void_p()
        with self._handle as session:
            status: int = lib.vta_session_run(session, tensors.buffers(inputs), len(inputs), tensors.buffers(results),
                                              len(results), options, ctypes.byref(pointer))
        if status == 0:
            self._last = _LastRun(_library.Handle(pointer, lib.vta_report_free))
        return status

    @property
    def report(self) -> Report:
        """Counters, cycles and seconds of the last run."""
        last = self._last  # of one run, also while another thread runs the session
        if last is None:
            raise errors.InvalidArgumentError("the session has not run")
        return last.report()

    def profile(self, *inputs: Array | Mapping[str, Array], repeat: int = 10) -> Profile:
        """Runs `repeat` inferences, after one that is not counted, and returns the time of each layer. Before or after each, in
        turn, a plain one runs, whose report is not read."""
        if repeat < 1:
            raise errors.InvalidArgumentError(f"repeat is {repeat}, expected at least 1")
        reports: list[Report] = []
        totals: list[float] = []
        plains: list[float] = []
        for i in range(1 + repeat):
            for is_profiled in (i % 2 == 0, i % 2 == 1):
                begin = time.perf_counter()
                self.run(*inputs)
                if is_profiled:
                    reports.append(self.report)
                (totals if is_profiled else plains).append(time.perf_counter() - begin)
        return profile.of(self.program.layers, reports[1:], totals[1:], plains[1:])

    def cancel(self) -> None:
        """Ends the run in progress, from another thread; it raises CancelledError."""
        with self._handle as session:
            lib.vta_session_cancel(session)

    def close(self) -> None:
        """Releases the device's memory now instead of when the object is collected, and the device if the session opened it."""
        self._handle.close()
        if self._owns_device:
            self.device.close()

    def __repr__(self) -> str:
        return f"<vta.Session {self.program.network} on {self.device.uri}>"
