# SPDX-License-Identifier: Apache-2.0
"""The execution provider of the VTA toolkit, with the functions that packages of ONNX Runtime's plug-in providers have.

>>> import onnxruntime, onnxruntime_ep_vta
>>> onnxruntime.register_execution_provider_library("vta", onnxruntime_ep_vta.get_library_path())
>>> devices = [device for device in onnxruntime.get_ep_devices() if device.ep_name == onnxruntime_ep_vta.get_ep_name()]
"""
from __future__ import annotations

__all__ = ["get_ep_name", "get_ep_names", "get_library_path"]


def get_library_path() -> str:
    """The path of the provider's library, which is in the package vta. RuntimeError without that package."""
    try:
        from vta import provider_library
    except ImportError as missing:  # also of PyPI's vta, which has no such function
        raise RuntimeError("onnxruntime-ep-vta needs the VTA toolkit, not PyPI's vta: pip install vta-VERSION-py3-none-manylinux_2_31_x86_64.whl, "
                           "which the same release has") from missing
    return provider_library()


def get_ep_name() -> str:
    """The name of the provider's devices."""
    return "VTAExecutionProvider"


def get_ep_names() -> list[str]:
    """The names of all providers of the library."""
    return [get_ep_name()]
