# SPDX-License-Identifier: Apache-2.0
"""Detectors of torchvision, exported as they are, in InferenceSession. Needs Debian's python3-torchvision."""
import dataclasses
import json
import pathlib
import subprocess
import sys

import numpy as np
import pytest

onnxruntime = pytest.importorskip("onnxruntime")

import vta

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python/notebooks"))
import squares

PYTHON = "/usr/bin/python3"  # that has torchvision
MIN_OVERLAP, MIN_SCORE = 0.9, 0.5

# The size of the image, the number of convolutions and dense layers, and whether int8 boxes are compared: random features may
# differ so little from box to box that 8 bits do not tell them apart.
DETECTORS = {
    "ssd300_vgg16": ((300, 300), 35, False),
    "retinanet_resnet50_fpn": ((64, 96), 111, True),
    "ssdlite320_mobilenet_v3_large": ((320, 320), 98, True),
    "fasterrcnn_mobilenet_v3_large_320_fpn": ((64, 96), 79, True),
    "fasterrcnn_resnet50_fpn": ((64, 96), 80, False),
}


@dataclasses.dataclass
class Detector:
    name: str
    file: pathlib.Path
    num_products: int
    compares_boxes: bool
    calibration: list[dict[str, np.ndarray]]
    feed: dict[str, np.ndarray]
    torch: vta.ProfileResult
    whole: object  # ONNX Runtime's session
    session: vta.InferenceSession


def images_of(height, width):
    """Coloured squares with noise."""
    random = np.random.default_rng(1)
    coarse = random.random((4, 3, -(-height // 8), -(-width // 8)))
    images = np.kron(coarse, np.ones((8, 8)))[:, :, :height, :width]
    return (0.8 * images + 0.2 * random.random((4, 3, height, width))).astype(np.float32)


@pytest.fixture(scope="module", params=DETECTORS)
def detector(request, tmp_path_factory):
    if subprocess.run([PYTHON, "-c", "import torchvision"], stderr=subprocess.DEVNULL).returncode != 0:
        pytest.skip("no torchvision: apt-get install python3-torchvision")
    (height, width), num_products, compares_boxes = DETECTORS[request.param]
    folder = tmp_path_factory.mktemp("export")
    file = folder / "detector.onnx"
    images = images_of(height, width)
    np.save(folder / "images.npy", images)
    seconds = json.loads(subprocess.run([PYTHON, ROOT / "tests/python/export_detector.py", request.param, folder / "images.npy", file],
                                        check=True, stdout=subprocess.PIPE).stdout)
    calibration = [{"image": image} for image in images[:-1]]
    session = vta.InferenceSession(file, device="functional", calibrate=calibration)
    yield Detector(request.param, file, num_products, compares_boxes, calibration, {"image": images[-1]},
                   vta.ProfileResult.of(seconds), onnxruntime.InferenceSession(str(file), providers=["CPUExecutionProvider"]), session)
    session.close()


def by_kind(outputs):
    """Boxes, labels, scores: exports of torchvision's detectors differ in their order."""
    boxes, = (output for output in outputs if output.ndim == 2)
    labels, = (output for output in outputs if output.dtype == np.int64)
    scores, = (output for output in outputs if output.ndim == 1 and output.dtype == np.float32)
    return boxes, labels, scores


def test_backbone_pyramid_and_heads_are_on_the_core(detector):
    products = [node for node in detector.session.nodes if node.op in ("Conv", "Gemm", "MatMul")]
    assert len(products) == detector.num_products and {node.where for node in products} == {"core"}
    boxes, labels, scores = by_kind(detector.session.run(None, detector.feed))
    assert boxes.shape == (len(scores), 4) and labels.shape == scores.shape and np.isfinite(boxes).all()
    assert detector.session.runs["core0"] == 1


def test_the_fp32_parts_are_onnx_runtime_bit_for_bit(detector):
    fp32 = vta.InferenceSession(detector.file, fp32=True, calibrate=detector.calibration[:1])
    for expected, got in zip(detector.whole.run(None, detector.feed), fp32.run(None, detector.feed), strict=True):
        np.testing.assert_array_equal(got, expected)


def test_int8_boxes_are_those_of_fp32(detector):
    if not detector.compares_boxes:
        pytest.skip("untrained features: boxes are not compared")
    boxes, labels, scores = by_kind(detector.whole.run(None, detector.feed))
    found, found_labels, _ = by_kind(detector.session.run(None, detector.feed))
    sure = scores >= MIN_SCORE
    assert sure.sum() >= 3
    overlaps = squares.overlaps(boxes[sure], found)
    overlaps[labels[sure][:, None] != found_labels[None]] = 0
    best = overlaps.max(axis=1)
    print(f"{detector.name}: {sure.sum()} boxes with a score of at least {MIN_SCORE}, overlaps {best.min():.3f} to {best.max():.3f}")
    assert best.min() >= MIN_OVERLAP


def test_times_print_beside_those_of_other_runtimes(detector):
    results = {"vta": detector.session.profile(detector.feed, repeat=2),
               "onnxruntime": vta.measure(lambda: detector.whole.run(None, detector.feed), repeat=3), "torch": detector.torch}
    for runtime, result in results.items():
        print(f"{detector.name} {runtime}: {result}")
        assert str(result).startswith(f"ProfileResult(mean={result.mean}, results=(") and min(result.results) > 0
