# SPDX-License-Identifier: Apache-2.0
"""Detectors of torchvision, exported as they are, in InferenceSession. Needs torchvision, of Debian or in this Python."""
import dataclasses
import pathlib
import sys

import numpy as np
import pytest

onnxruntime = pytest.importorskip("onnxruntime")

import vta

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python/notebooks"))
import detectors
import squares

MIN_OVERLAP, MIN_SCORE = 0.9, 0.5
FREE_SCALES = 16  # calibration images, at least, for free scales by default


@dataclasses.dataclass(frozen=True)
class Expected:
    """What a detector is run on, and what it shows."""

    image: tuple[int, int]  # height, width
    num_products: int  # convolutions and dense layers
    num_calibration: int = 3
    # The share of boxes with an int8 box that overlaps by MIN_OVERLAP, and the least overlap of the others. None: not compared, as random
    # features may differ so little from box to box that 8 bits do not tell them apart.
    boxes: tuple[float, float] | None = (1.0, MIN_OVERLAP)


DETECTORS = {
    # VGG without batch norms, with random weights: its noise grows from layer to layer. With powers of two 19 of 28 boxes, the least 0.796.
    "ssd300_vgg16": Expected((300, 300), 35, FREE_SCALES, (0.9, 0.85)),
    "retinanet_resnet50_fpn": Expected((64, 96), 111),
    "ssdlite320_mobilenet_v3_large": Expected((320, 320), 98),
    "fasterrcnn_mobilenet_v3_large_320_fpn": Expected((64, 96), 79),
    "fasterrcnn_resnet50_fpn": Expected((64, 96), 80, boxes=None),
}


@dataclasses.dataclass
class Detector:
    name: str
    file: pathlib.Path
    expected: Expected
    calibration: list[dict[str, np.ndarray]]
    feed: dict[str, np.ndarray]
    torch: vta.ProfileResult
    whole: object  # ONNX Runtime's session
    session: vta.InferenceSession


@pytest.fixture(scope="module", params=DETECTORS)
def detector(request, tmp_path_factory):
    try:
        python = detectors.torch_python()
    except detectors.NoTorchvision as error:
        pytest.skip(str(error))
    expected = DETECTORS[request.param]
    images = detectors.images_of(expected.num_calibration + 1, *expected.image)
    with detectors.Exported(python, request.param, images, tmp_path_factory.mktemp("export")) as exported:
        torch_samples = detectors.Sampling(3).samples({"torch": exported.infer}, request.param)["torch"]
    file = exported.file
    calibration = [{"image": image} for image in images[:-1]]
    session = vta.InferenceSession(file, device="functional", calibrate=calibration)
    yield Detector(request.param, file, expected, calibration, {"image": images[-1]},
                   vta.ProfileResult.of(torch_samples.elapsed), onnxruntime.InferenceSession(str(file), providers=["CPUExecutionProvider"]), session)
    session.close()


def by_kind(outputs):
    """Boxes, labels, scores: exports of torchvision's detectors differ in their order."""
    boxes, = (output for output in outputs if output.ndim == 2)
    labels, = (output for output in outputs if output.dtype == np.int64)
    scores, = (output for output in outputs if output.ndim == 1 and output.dtype == np.float32)
    return boxes, labels, scores


def test_backbone_pyramid_and_heads_are_on_the_core(detector):
    products = [node for node in detector.session.nodes if node.op in ("Conv", "Gemm", "MatMul")]
    assert len(products) == detector.expected.num_products and {node.where for node in products} == {"core"}
    boxes, labels, scores = by_kind(detector.session.run(None, detector.feed))
    assert boxes.shape == (len(scores), 4) and labels.shape == scores.shape and np.isfinite(boxes).all()
    assert detector.session.runs["core0"] == 1


def test_the_fp32_parts_are_onnx_runtime_bit_for_bit(detector):
    fp32 = vta.InferenceSession(detector.file, fp32=True, calibrate=detector.calibration[:1])
    for expected, got in zip(detector.whole.run(None, detector.feed), fp32.run(None, detector.feed), strict=True):
        np.testing.assert_array_equal(got, expected)


def test_int8_boxes_are_those_of_fp32(detector):
    if detector.expected.boxes is None:
        pytest.skip("untrained features: boxes are not compared")
    share, least = detector.expected.boxes
    boxes, labels, scores = by_kind(detector.whole.run(None, detector.feed))
    found, found_labels, _ = by_kind(detector.session.run(None, detector.feed))
    sure = scores >= MIN_SCORE
    assert sure.sum() >= 3
    overlaps = squares.overlaps(boxes[sure], found)
    overlaps[labels[sure][:, None] != found_labels[None]] = 0
    best = overlaps.max(axis=1)
    print(f"{detector.name}: {sure.sum()} boxes with a score of at least {MIN_SCORE}, overlaps {best.min():.3f} to {best.max():.3f}")
    assert np.mean(best >= MIN_OVERLAP) >= share and best.min() >= least


def test_times_print_beside_those_of_other_runtimes(detector):
    results = {"vta": detector.session.profile(detector.feed, repeat=2),
               "onnxruntime": vta.measure(lambda: detector.whole.run(None, detector.feed), repeat=3), "torch": detector.torch}
    for runtime, result in results.items():
        print(f"{detector.name} {runtime}: {result}")
        assert str(result).startswith(f"ProfileResult(mean={result.mean}, results=(") and min(result.results) > 0
