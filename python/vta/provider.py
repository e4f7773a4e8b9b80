# SPDX-License-Identifier: Apache-2.0
"""The execution provider for ONNX Runtime: a library that ONNX Runtime loads."""
from __future__ import annotations

from . import _library, errors

_NAME = "libvta_onnxruntime_ep.so"


def provider_library() -> str:
    """The path of the execution provider for ONNX Runtime 1.23 and later.

    >>> onnxruntime.register_execution_provider_library("vta", vta.provider_library())
    >>> devices = [device for device in onnxruntime.get_ep_devices() if device.ep_name == "VTAExecutionProvider"]
    >>> options = onnxruntime.SessionOptions()
    >>> options.add_provider_for_devices(devices, {"device": "cycle"})
    >>> session = onnxruntime.InferenceSession("model.qdq.onnx", options)
    """
    file = _library.path.parent / _NAME
    if not file.is_file():
        raise errors.NotFoundError(f"{file}: no such file; `scripts/fetch_onnxruntime_headers` and `scripts/build release vta_onnxruntime_ep` build it")
    return str(file)
