# SPDX-License-Identifier: Apache-2.0
"""Networks of torchvision as torch's exporters write them, in fp32 against ONNX Runtime and in int8 on the core. The files are those of
tests/python/export_classifier.py in the folder $VTA_EXPORTED_MODELS; skipped without."""
import os
import pathlib

import numpy as np
import pytest

onnxruntime = pytest.importorskip("onnxruntime")

import vta

FOLDER = os.environ.get("VTA_EXPORTED_MODELS", "")
FILES = sorted(pathlib.Path(FOLDER).glob("*.onnx")) if FOLDER else []
IMAGE = np.random.default_rng(1).standard_normal((1, 3, 224, 224)).astype(np.float32)
MAX_DIFFERENCE = 1e-4  # of the largest output
MIN_SHARE = 0.99  # of the MACs, on the core
MIN_CORRELATION = 0.7  # of int8 with fp32: random weights, scales by the maxima of one image

if not FILES:  # not by a mark: pytest 7.2 calls `ids` for an empty list, too, before it looks at marks
    pytest.skip("VTA_EXPORTED_MODELS names no folder with models of tests/python/export_classifier.py", allow_module_level=True)


@pytest.fixture(scope="module", params=FILES, ids=lambda file: file.stem)
def model(request):
    return request.param


def test_fp32_agrees_with_onnx_runtime(model):
    session = onnxruntime.InferenceSession(str(model), providers=["CPUExecutionProvider"])
    expected = session.run(None, {session.get_inputs()[0].name: IMAGE})
    got = vta.Reference(vta.Network(model)).run(IMAGE)
    for want, have in zip(expected, got, strict=True):
        largest = np.abs(want).max()
        assert largest > 0
        difference = np.abs(want - have.reshape(want.shape)).max()
        print(f"{model.stem}: differs by {difference:.2g}, largest output {largest:.2g}")
        assert difference <= MAX_DIFFERENCE * largest


def test_int8_runs_with_its_products_on_the_core(model):
    program = vta.compile(model, calibrate=IMAGE, quantize="max")
    on_core = sum(layer.macs for layer in program.layers if layer.where == "core")
    share = on_core / sum(layer.macs for layer in program.layers)
    print(f"{model.stem}: {100 * share:.2f} % of the MACs on the core")
    assert share >= MIN_SHARE
    with vta.Session(program, device="functional") as session:
        outputs = session.run(IMAGE)
    for fp32, int8 in zip(vta.Reference(vta.Network(model)).run(IMAGE), outputs, strict=True):
        assert np.isfinite(int8).all()
        assert np.corrcoef(fp32.ravel(), int8.ravel())[0, 1] > MIN_CORRELATION
