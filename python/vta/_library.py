# SPDX-License-Identifier: Apache-2.0
"""libvta by ctypes: its structures and functions as in tools/c_api/vta.h, errors as exceptions, handles as objects.

A test compares this file with the header, name by name.
"""
from __future__ import annotations

import ctypes
import os
import pathlib
import signal
import threading
import weakref
from ctypes import (CFUNCTYPE, POINTER, Structure, c_char_p, c_double, c_float, c_int, c_int32, c_int64, c_size_t,
                    c_uint8, c_uint16, c_uint32, c_uint64, c_void_p)
from typing import Any, Callable, Sequence

from . import errors

NUM_STAGES = 4
NUM_STAGE_STATES = 6
STAGES = ("load", "gemm", "alu", "store")
STAGE_STATES = ("busy", "wait_token", "wait_memory", "wait_port", "wait_queue", "idle")

Progress = CFUNCTYPE(c_int, c_void_p, c_char_p, c_double)


class Options(Structure):
    """A structure that the caller fills in; its texts are converted as those of functions."""

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, _as_argument(value))


class Buffer(Structure):
    _fields_ = [("data", c_void_p), ("num_bytes", c_size_t)]


class TensorInfo(Structure):
    _fields_ = [("name", c_char_p), ("dtype", c_int32), ("rank", c_uint32), ("shape", POINTER(c_int64)),
                ("num_bytes", c_size_t)]


class DeviceKind(Structure):
    _fields_ = [("uri", c_char_p), ("what", c_char_p)]


class ProgramInfo(Structure):
    _fields_ = [("network", c_char_p), ("core", c_char_p), ("mode", c_char_p), ("quantize", c_char_p),
                ("weights", c_char_p), ("calibration", c_char_p), ("macs", c_uint64), ("macs_on_core", c_uint64),
                ("arena_bytes", c_uint64), ("num_inputs", c_size_t), ("num_outputs", c_size_t),
                ("num_layers", c_size_t), ("num_labels", c_size_t), ("output_kind", c_char_p), ("batch", c_int64)]


class LayerInfo(Structure):
    _fields_ = [("name", c_char_p), ("op", c_char_p), ("where", c_char_p), ("macs", c_uint64),
                ("gemm_counter", c_uint64), ("alu_counter", c_uint64), ("dram_bytes", c_uint64), ("shapes", c_char_p)]


class NetworkOptions(Options):
    _fields_ = [("struct_size", c_size_t), ("weights", c_char_p), ("input_size", c_char_p), ("seed", c_uint64),
                ("has_seed", c_int32), ("preprocess", c_char_p), ("mean", c_char_p), ("stddev", c_char_p),
                ("scale", c_char_p), ("channels", c_char_p), ("layout", c_char_p), ("resize", c_char_p),
                ("batch_axes", POINTER(c_char_p)), ("num_batch_axes", c_size_t), ("input_shapes", POINTER(c_char_p)),
                ("num_input_shapes", c_size_t), ("input_values", POINTER(c_char_p)), ("num_input_values", c_size_t)]


class CompileOptions(Options):
    _fields_ = [("struct_size", c_size_t), ("core", c_char_p), ("quantize", c_char_p), ("per_channel", c_char_p),
                ("equalize", c_char_p), ("rounding", c_char_p), ("keep_float", POINTER(c_char_p)),
                ("num_keep_float", c_size_t), ("calibrate", c_char_p), ("calibration_data", POINTER(c_float)),
                ("num_calibration_inputs", c_size_t), ("mode", c_char_p), ("first_convolution", c_char_p),
                ("per_layer_streams", c_int32), ("progress", Progress), ("progress_user", c_void_p),
                ("schedules", c_char_p), ("tuned_for", c_char_p), ("scales", c_char_p), ("requantize", c_int32),
                ("labels", c_char_p), ("start", c_char_p), ("stop", c_char_p)]


class DeviceInfo(Structure):
    _fields_ = [("uri", c_char_p), ("core", c_char_p), ("timed", c_int32), ("computes", c_int32)]


class RunOptions(Options):
    _fields_ = [("struct_size", c_size_t), ("progress", Progress), ("progress_user", c_void_p)]


class Counters(Structure):
    _fields_ = [("inp_load_nbytes", c_uint64), ("wgt_load_nbytes", c_uint64), ("acc_load_nbytes", c_uint64),
                ("uop_load_nbytes", c_uint64), ("out_store_nbytes", c_uint64), ("gemm_counter", c_uint64),
                ("alu_counter", c_uint64), ("has_cycles", c_int32), ("has_stages", c_int32), ("cycles", c_uint64),
                ("stages", (c_uint64 * NUM_STAGE_STATES) * NUM_STAGES)]


class LayerReport(Structure):
    _fields_ = [("name", c_char_p), ("op", c_char_p), ("where", c_char_p), ("macs", c_uint64), ("seconds", c_double),
                ("ends_run", c_int32), ("counters", Counters)]


class RunReport(Structure):
    _fields_ = [("counters", Counters), ("device_seconds", c_double), ("host_seconds", c_double),
                ("wait_seconds", c_double), ("num_layers", c_size_t), ("copied_bytes", c_uint64)]


class ServerOptions(Options):
    _fields_ = [("struct_size", c_size_t), ("listen", c_char_p), ("token", c_char_p), ("certificate", c_char_p),
                ("key", c_char_p)]


class Handle:
    """An opaque object of the library. `close()` releases it once no call uses it any more."""

    def __init__(self, pointer: c_void_p, free: Callable[[c_void_p], None]) -> None:
        self._state = _HandleState(pointer, free)
        self._finalizer = weakref.finalize(self, self._state.close)

    def close(self) -> None:
        self._finalizer()

    @property
    def closed(self) -> bool:
        return self._state.closed

    def __enter__(self) -> c_void_p:
        return self._state.acquire()

    def __exit__(self, *_: object) -> None:
        self._state.release()


class _HandleState:
    """Apart from Handle, because a finalizer must not refer to the object that it finalizes."""

    def __init__(self, pointer: c_void_p, free: Callable[[c_void_p], None]) -> None:
        self._pointer = pointer
        self._free = free
        self._lock = threading.Lock()
        self._users = 0
        self._process = os.getpid()
        self.closed = False

    def acquire(self) -> c_void_p:
        if self._process != os.getpid():
            raise errors.Error("this object was made before fork(); make a new one in the child process")
        with self._lock:
            if self.closed:
                raise errors.InvalidArgumentError("the object is closed")
            self._users += 1
        return self._pointer

    def release(self) -> None:
        with self._lock:
            self._users -= 1
            unused = self.closed and self._users == 0
        if unused:
            self._free(self._pointer)

    def close(self) -> None:
        if self._process != os.getpid():
            return  # the handle's locks may be held by threads that the child does not have
        with self._lock:
            if self.closed:
                return
            self.closed = True
            unused = self._users == 0
        if unused:
            self._free(self._pointer)


# name -> (result, arguments); the result None is a vta_status, which check() turns into an exception.
_HANDLE = c_void_p
_OUT = POINTER(c_void_p)
_BUFFERS = POINTER(Buffer)
_VOID = "void"
FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "vta_last_error": (c_char_p, []),
    "vta_version": (c_char_p, []),
    "vta_has_compiler": (c_int, []),
    "vta_num_device_kinds": (c_size_t, []),
    "vta_device_kind_at": (POINTER(DeviceKind), [c_size_t]),
    "vta_program_open": (None, [c_char_p, _OUT]),
    "vta_program_save": (None, [_HANDLE, c_char_p]),
    "vta_program_parse": (None, [c_char_p, POINTER(c_uint8), c_size_t, _OUT]),
    "vta_program_write": (None, [_HANDLE, _BUFFERS]),
    "vta_program_file_bytes": (None, [_HANDLE, POINTER(c_size_t)]),
    "vta_program_free": (_VOID, [_HANDLE]),
    "vta_program_info_of": (POINTER(ProgramInfo), [_HANDLE]),
    "vta_program_input": (POINTER(TensorInfo), [_HANDLE, c_size_t]),
    "vta_program_output": (POINTER(TensorInfo), [_HANDLE, c_size_t]),
    "vta_program_label": (None, [_HANDLE, c_size_t, POINTER(c_char_p)]),
    "vta_program_layer": (POINTER(LayerInfo), [_HANDLE, c_size_t]),
    "vta_program_read_input": (None, [_HANDLE, c_char_p, _BUFFERS]),
    "vta_program_decode_input": (None, [_HANDLE, POINTER(c_uint8), c_size_t, _BUFFERS]),
    "vta_program_preprocess": (None, [_HANDLE, POINTER(c_uint8), c_int64, c_int64, _BUFFERS]),
    "vta_network_load": (None, [c_char_p, POINTER(NetworkOptions), _OUT]),
    "vta_network_parse": (None, [c_char_p, POINTER(c_uint8), c_size_t, POINTER(NetworkOptions), _OUT]),
    "vta_network_free": (_VOID, [_HANDLE]),
    "vta_network_name": (c_char_p, [_HANDLE]),
    "vta_network_batch": (c_int64, [_HANDLE]),
    "vta_network_is_quantized": (c_int, [_HANDLE]),
    "vta_network_note": (c_char_p, [_HANDLE, c_size_t]),
    "vta_network_num_inputs": (c_size_t, [_HANDLE]),
    "vta_network_num_outputs": (c_size_t, [_HANDLE]),
    "vta_network_input": (POINTER(TensorInfo), [_HANDLE, c_size_t]),
    "vta_network_output": (POINTER(TensorInfo), [_HANDLE, c_size_t]),
    "vta_node_refusals_of": (None, [c_char_p, _OUT]),
    "vta_node_refusals_parse": (None, [POINTER(c_uint8), c_size_t, _OUT]),
    "vta_node_refusals_size": (c_size_t, [_HANDLE]),
    "vta_node_refusals_at": (c_char_p, [_HANDLE, c_size_t]),
    "vta_node_refusals_free": (_VOID, [_HANDLE]),
    "vta_compile": (None, [_HANDLE, POINTER(CompileOptions), _OUT]),
    "vta_reference_open": (None, [_HANDLE, _OUT]),
    "vta_reference_run": (None, [_HANDLE, _BUFFERS, c_size_t, _BUFFERS, c_size_t]),
    "vta_reference_output": (POINTER(TensorInfo), [_HANDLE, c_size_t]),
    "vta_reference_free": (_VOID, [_HANDLE]),
    "vta_dataset_open": (None, [c_char_p, _HANDLE, _OUT]),
    "vta_dataset_free": (_VOID, [_HANDLE]),
    "vta_dataset_size": (c_size_t, [_HANDLE]),
    "vta_dataset_labels": (POINTER(c_int64), [_HANDLE]),
    "vta_dataset_read": (None, [_HANDLE, c_size_t, _BUFFERS]),
    "vta_device_open": (None, [c_char_p, _HANDLE, _OUT]),
    "vta_device_free": (_VOID, [_HANDLE]),
    "vta_device_require_reachable": (None, [c_char_p]),
    "vta_device_info_of": (POINTER(DeviceInfo), [_HANDLE]),
    "vta_session_open": (None, [_HANDLE, _HANDLE, _OUT]),
    "vta_session_free": (_VOID, [_HANDLE]),
    "vta_session_run": (None, [_HANDLE, _BUFFERS, c_size_t, _BUFFERS, c_size_t, POINTER(RunOptions), _OUT]),
    "vta_session_output": (POINTER(TensorInfo), [_HANDLE, c_size_t]),
    "vta_session_cancel": (_VOID, [_HANDLE]),
    "vta_report_totals": (POINTER(RunReport), [_HANDLE]),
    "vta_report_layer": (POINTER(LayerReport), [_HANDLE, c_size_t]),
    "vta_report_free": (_VOID, [_HANDLE]),
    "vta_server_start": (None, [c_char_p, c_char_p, POINTER(ServerOptions), _OUT]),
    "vta_server_port": (c_uint16, [_HANDLE]),
    "vta_server_free": (_VOID, [_HANDLE]),
}


def _places() -> list[pathlib.Path]:
    """Where the library may be: $VTA_LIBRARY alone if that is set; in a wheel; in the build folder of a clone."""
    if path := os.environ.get("VTA_LIBRARY"):
        return [pathlib.Path(path)]
    package = pathlib.Path(__file__).resolve().parent
    return [package / "lib" / "libvta.so.1", package.parents[1] / "build" / "release" / "lib" / "libvta.so"]


def _as_argument(value: Any) -> Any:
    return to_bytes(value) if isinstance(value, (str, bytes, os.PathLike)) else value


def _taking_texts(function: Any) -> Callable[..., Any]:
    """The function with texts and paths as arguments. ctypes itself would cut them at a NUL: a secret or a path would be
    another one."""
    return lambda *arguments: function(*map(_as_argument, arguments))


def _load() -> tuple[ctypes.CDLL, pathlib.Path]:
    places = _places()
    for file in places:
        if file.is_file():
            library = ctypes.CDLL(str(file))
            for name, (result, arguments) in FUNCTIONS.items():
                function = getattr(library, name)
                function.argtypes = arguments
                function.restype = c_int if result is None else None if result == _VOID else result
                if c_char_p in arguments:
                    setattr(library, name, _taking_texts(function))
            return library, file
    raise ImportError("libvta.so is in none of " + ", ".join(map(str, places)) +
                      ": in a clone, `scripts/build release vta_c` builds it")


lib, path = _load()


def check(status: int) -> None:
    """Raises the exception of a vta_status that is not VTA_OK."""
    if status != 0:
        raise errors.from_status(status, text(lib.vta_last_error()))


def text(value: bytes | None) -> str:
    return "" if value is None else value.decode("utf-8", "replace")


def to_bytes(value: str | bytes | os.PathLike[str] | None) -> bytes | None:
    """Errors: InvalidArgumentError for a text that C cannot hold; the message does not show it, because it may be a secret."""
    if value is None:
        return None
    try:
        encoded = os.fsencode(value)
    except UnicodeEncodeError as error:
        raise errors.InvalidArgumentError(f"a text of {len(os.fspath(value))} characters is not Unicode: {error.reason}") from error
    if b"\0" in encoded:
        raise errors.InvalidArgumentError(f"a text of {len(encoded)} bytes has a NUL, at byte {encoded.index(0)}")
    return encoded


def texts(values: Sequence[str]) -> Any:
    """A char*[]."""
    return (c_char_p * len(values))(*(to_bytes(value) for value in values))


def opened(free: Callable[[c_void_p], None], open_it: Callable[[Any], Any]) -> Handle:
    """The handle that `open_it` writes to the address that it is given."""
    pointer = c_void_p()
    check(open_it(ctypes.byref(pointer)))
    return Handle(pointer, free)


class Watch:
    """The progress function of one call into the library. What it raises cancels the call and is raised again by
    finish(). In the main thread, so does what the handler of SIGINT raises, which is Ctrl-C's KeyboardInterrupt: the
    handler runs after the call, because ctypes drops exceptions that are raised when Python enters a callback."""

    def __init__(self, report: Callable[[str, float], None] | None) -> None:
        self._report = report
        self._raised: BaseException | None = None
        self._interrupted = False
        self._handler: Any = None
        self.function = Progress(self._call)

    def __enter__(self) -> Watch:
        if threading.current_thread() is threading.main_thread():
            self._handler = signal.getsignal(signal.SIGINT)
            if callable(self._handler):
                signal.signal(signal.SIGINT, self._note_interrupt)
        return self

    def __exit__(self, *_: object) -> None:
        if callable(self._handler):
            signal.signal(signal.SIGINT, self._handler)

    def _note_interrupt(self, *_: object) -> None:
        self._interrupted = True

    def _call(self, _: int | None, what: bytes, fraction: float) -> int:
        if self._interrupted:
            return 1
        try:
            if self._report is not None:
                self._report(text(what), fraction)
        except BaseException as error:
            self._raised = error
            return 1
        return 0

    def finish(self, status: int) -> None:
        """After the call: raises what it has failed with, if anything."""
        if self._interrupted:
            self._handler(signal.SIGINT, None)
        if self._raised is not None:
            raise self._raised
        check(status)
