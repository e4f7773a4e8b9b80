# SPDX-License-Identifier: Apache-2.0
"""A detector of torchvision, exported as it is, in InferenceSession. Needs Debian's python3-torchvision."""
import subprocess

import numpy as np
import pytest

onnxruntime = pytest.importorskip("onnxruntime")

import vta

EXPORT = """
import sys, warnings, torch, torchvision
warnings.simplefilter("ignore")
torch.manual_seed(1)
model = torchvision.models.detection.fasterrcnn_resnet50_fpn(
    weights=None, weights_backbone=None, num_classes=21, min_size=64, max_size=96, rpn_post_nms_top_n_test=8).eval()
torch.onnx.export(model, ([torch.rand(3, 64, 96)],), sys.argv[1], opset_version=11, input_names=["image"],
                  output_names=["boxes", "labels", "scores"])
"""


@pytest.fixture(scope="module")
def faster_rcnn(tmp_path_factory):
    if subprocess.run(["/usr/bin/python3", "-c", "import torchvision"], stderr=subprocess.DEVNULL).returncode != 0:
        pytest.skip("no torchvision: apt-get install python3-torchvision")
    file = tmp_path_factory.mktemp("export") / "faster_rcnn.onnx"
    subprocess.run(["/usr/bin/python3", "-c", EXPORT, file], check=True)
    return file


def test_backbone_pyramid_and_heads_of_faster_rcnn_are_on_the_core(faster_rcnn):
    feed = {"image": np.random.default_rng(1).random((3, 64, 96)).astype(np.float32)}
    session = vta.InferenceSession(faster_rcnn, device="functional", calibrate=[feed])
    products = [node for node in session.nodes if node.op in ("Conv", "Gemm", "MatMul")]
    assert len(products) == 80 and {node.where for node in products} == {"core"}
    boxes, labels, scores = session.run(None, feed)
    assert boxes.shape == (len(scores), 4) and labels.shape == scores.shape and np.isfinite(boxes).all()
    assert session.runs["core0"] == 1 and 1 <= session.runs["core1"] <= 8

    fp32 = vta.InferenceSession(faster_rcnn, fp32=True, calibrate=[feed])
    whole = onnxruntime.InferenceSession(str(faster_rcnn), providers=["CPUExecutionProvider"])
    for expected, got in zip(whole.run(None, feed), fp32.run(None, feed)):
        np.testing.assert_array_equal(got, expected)
