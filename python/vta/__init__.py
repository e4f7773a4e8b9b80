# SPDX-License-Identifier: Apache-2.0
"""int8 neural networks on VTA cores: compile, run and measure, on simulators and boards.

>>> import vta
>>> program = vta.compile("resnet18")
>>> session = vta.Session(program, device="cycle")
>>> scores = session.run(program.read_input("cat.jpg"))[0]
>>> session.report.cycles
6845255
"""
from typing import Any as _Any

from ._library import lib as _lib, text as _text
from .board import run_on_board
from .board_pool import Board
from .errors import (CalibrationWarning, CancelledError, CorruptError, DeviceError, DeviceTimeoutError, Error, InputOutputError,
                     InternalError, InvalidArgumentError, ModelWarning, NotFoundError, OutOfMemoryError, UnsupportedError)
from .evaluate import Accuracy, Dataset, evaluate, top_classes
from .explore import ExploreResult, explore
from .network import Network, Reference, compile
from .profile import LayerTime, Profile, ProfileResult, measure
from .program import Layer, Layers, Program
from .provider import provider_library
from .report import Counters, LayerReport, LayerReports, Report
from .server import Server
from .session import Device, DeviceKind, Session, devices, require_reachable
from .tensors import TensorInfo
from .tune import TuneResult, TunedTask, tune

def __getattr__(name: str) -> _Any:
    if name == "InferenceSession":  # imports onnxruntime and onnx, which are optional
        from .hybrid import InferenceSession
        return InferenceSession
    raise AttributeError(f"module 'vta' has no attribute '{name}'")


__version__ = _text(_lib.vta_version())

__all__ = [
    "Accuracy", "Board", "CalibrationWarning", "CancelledError", "CorruptError", "Counters", "Dataset", "Device", "DeviceError", "DeviceKind",
    "DeviceTimeoutError", "Error", "ExploreResult", "InputOutputError", "InternalError", "InvalidArgumentError", "Layer", "LayerReport",
    "LayerReports", "LayerTime", "Layers", "ModelWarning", "Network", "NotFoundError", "OutOfMemoryError", "Profile", "ProfileResult", "Program",
    "Reference", "Report", "Server", "Session", "TensorInfo", "TuneResult", "TunedTask", "UnsupportedError", "compile", "devices",
    "evaluate", "explore", "measure", "provider_library", "require_reachable", "run_on_board", "top_classes", "tune", "__version__",
]
