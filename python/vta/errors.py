# SPDX-License-Identifier: Apache-2.0
"""Exceptions. Each has the library's message: the object, what is wrong, the limit or the cure."""
from __future__ import annotations


class Error(Exception):
    """Base of all errors of this package."""


class CalibrationWarning(UserWarning):
    """Scales were chosen on noise, so that results may be far from fp32."""


class ModelWarning(UserWarning):
    """What a model says of itself is wrong, without effect, such as the shape of an output."""


class InvalidArgumentError(Error, ValueError):
    """A value outside the documented range."""


class UnsupportedError(Error, NotImplementedError):
    """Valid, but this core, operator, board or build cannot do it."""


class NotFoundError(Error, LookupError):
    """A file, network, node or device that does not exist."""


class CorruptError(Error, ValueError):
    """Bytes that do not match their format."""


class OutOfMemoryError(Error, MemoryError):
    """The memory of the host or of the device is too small."""


class DeviceTimeoutError(Error, TimeoutError):
    """The device did not answer within the stated time."""


class DeviceError(Error, RuntimeError):
    """The device answered with a fault."""


class InputOutputError(Error, OSError):
    """The operating system refused to read or write."""


class CancelledError(Error):
    """Session.cancel() ended the run."""


class InternalError(Error):
    """A bug in the library; please report it."""


# By vta_status.
_BY_STATUS: dict[int, type[Error]] = {
    1: InvalidArgumentError,
    2: UnsupportedError,
    3: NotFoundError,
    4: CorruptError,
    5: OutOfMemoryError,
    6: DeviceTimeoutError,
    7: DeviceError,
    8: InputOutputError,
    9: CancelledError,
    10: InternalError,
}


def from_status(status: int, message: str) -> Error:
    return _BY_STATUS.get(status, InternalError)(message)
