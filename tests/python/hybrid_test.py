# SPDX-License-Identifier: Apache-2.0
"""InferenceSession: a model shared between the core and ONNX Runtime."""
import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
onnxruntime = pytest.importorskip("onnxruntime")

import vta
from onnx import TensorProto, helper

RANDOM = np.random.default_rng(1)


def weight(name, *shape):
    scale = 1 / np.sqrt(np.prod(shape[1:]))
    return onnx.numpy_helper.from_array((RANDOM.standard_normal(shape) * scale).astype(np.float32), name)


def model_file(folder, nodes, outputs, weights=(), inputs=(("x", [1, 8, 12, 12]),)):
    graph = helper.make_graph(
        nodes, "test", [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in inputs],
        [helper.make_tensor_value_info(name, kind, None) for name, kind in outputs], weights)
    file = folder / "model.onnx"
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), str(file))
    return file


def reference(file, feed):
    return onnxruntime.InferenceSession(str(file), providers=["CPUExecutionProvider"]).run(None, feed)


def image(*shape):
    return RANDOM.standard_normal(shape).astype(np.float32)


@pytest.fixture
def detector(tmp_path):
    """Two convolutions, an operator that the compiler lacks, a convolution of its result, and a TopK."""
    nodes = [helper.make_node("Conv", ["x", "w1"], ["a"], "first", pads=[1] * 4), helper.make_node("Relu", ["a"], ["b"], "relu"),
             helper.make_node("CumSum", ["b", "axis"], ["c"], "sum"), helper.make_node("Tanh", ["c"], ["d"], "tanh"),
             helper.make_node("Conv", ["d", "w2"], ["e"], "second"),
             helper.make_node("Flatten", ["e"], ["f"], "flatten"),
             helper.make_node("TopK", ["f", "k"], ["scores", "indices"], "top")]
    weights = [weight("w1", 16, 8, 3, 3), weight("w2", 4, 16, 1, 1), onnx.numpy_helper.from_array(np.array(3), "axis"),
               onnx.numpy_helper.from_array(np.array([3]), "k")]
    return model_file(tmp_path, nodes, [("scores", TensorProto.FLOAT), ("indices", TensorProto.INT64)], weights)


def test_the_core_takes_what_it_can(detector):
    feed = {"x": image(1, 8, 12, 12)}
    session = vta.InferenceSession(detector, device="functional", calibrate=[feed])
    where = {node.node: node.part for node in session.nodes}
    assert (where["first"], where["second"]) == ("core0", "core1")
    assert (where["sum"], where["top"]) == ("onnxruntime0", "onnxruntime1")
    assert where["tanh"] == "core1", "a lookup table of the part's input"
    scores, indices = session.run(None, feed)
    expected, _ = reference(detector, feed)
    np.testing.assert_allclose(scores, expected, atol=0.2)
    assert indices.dtype == np.int64 and indices.shape == (1, 3)
    assert "CumSum" in next(node.why for node in session.nodes if node.node == "sum")
    assert len(str(session.nodes).splitlines()) == len(session.nodes) + 1


def test_reports_are_by_part(detector):
    session = vta.InferenceSession(detector, device="cycle")
    session.run(["scores"], {"x": image(1, 8, 12, 12)})
    assert set(session.reports) == set(session.programs) == {"core0", "core1"}
    assert all(report.cycles > 0 for report in session.reports.values())


def test_it_has_the_interface_of_onnx_runtime(detector):
    mine = vta.InferenceSession(detector, device="functional")
    other = onnxruntime.InferenceSession(str(detector))
    for mine_one, other_one in zip([*mine.get_inputs(), *mine.get_outputs()], [*other.get_inputs(), *other.get_outputs()]):
        assert (mine_one.name, mine_one.type) == (other_one.name, other_one.type)
    assert len(mine.run(["indices"], {"x": image(1, 8, 12, 12)})) == 1
    with pytest.raises(vta.InvalidArgumentError, match="input x is missing"):
        mine.run(None, {})
    with pytest.raises(vta.InvalidArgumentError, match="nothing is not an output"):
        mine.run(["nothing"], {"x": image(1, 8, 12, 12)})
    with pytest.raises(vta.InvalidArgumentError, match="expected shape"):
        mine.run(None, {"x": image(1, 8, 12, 13)})


def test_without_products_it_is_onnx_runtime_bit_for_bit(tmp_path):
    nodes = [helper.make_node("Softmax", ["x"], ["a"], "softmax", axis=1), helper.make_node("Sin", ["a"], ["y"], "sin")]
    file = model_file(tmp_path, nodes, [("y", TensorProto.FLOAT)])
    session = vta.InferenceSession(file)
    assert {node.where for node in session.nodes} == {"onnxruntime"}
    feed = {"x": image(1, 8, 12, 12)}
    np.testing.assert_array_equal(session.run(None, feed)[0], reference(file, feed)[0])


def test_branches_of_one_value_are_one_part(tmp_path):
    nodes = [helper.make_node("Conv", ["x", "w1"], ["a"], "left", pads=[1] * 4), helper.make_node("Conv", ["x", "w2"], ["b"], "right"),
             helper.make_node("Add", ["a", "b"], ["c"], "add"), helper.make_node("Relu", ["c"], ["y"], "relu")]
    file = model_file(tmp_path, nodes, [("y", TensorProto.FLOAT)], [weight("w1", 8, 8, 3, 3), weight("w2", 8, 8, 1, 1)])
    session = vta.InferenceSession(file, device="functional")
    assert {node.part for node in session.nodes} == {"core0"}


def test_two_inputs_meet_on_the_host(tmp_path):
    nodes = [helper.make_node("Conv", ["x", "w"], ["a"], "conv"), helper.make_node("Add", ["a", "z"], ["y"], "add")]
    file = model_file(tmp_path, nodes, [("y", TensorProto.FLOAT)], [weight("w", 8, 8, 1, 1)],
                      [("x", [1, 8, 12, 12]), ("z", [1, 8, 12, 12])])
    feed = {"x": image(1, 8, 12, 12), "z": image(1, 8, 12, 12)}
    session = vta.InferenceSession(file, device="functional", calibrate=[feed])
    assert {node.node: node.where for node in session.nodes} == {"conv": "core", "add": "onnxruntime"}
    np.testing.assert_allclose(session.run(None, feed)[0], reference(file, feed)[0], atol=0.2)


def test_open_dimensions_need_shapes(tmp_path):
    nodes = [helper.make_node("Conv", ["x", "w"], ["y"], "conv")]
    file = model_file(tmp_path, nodes, [("y", TensorProto.FLOAT)], [weight("w", 8, 8, 1, 1)], [("x", ["n", 8, "h", 12])])
    with pytest.raises(vta.InvalidArgumentError, match="dimension 2 open"):
        vta.InferenceSession(file)
    session = vta.InferenceSession(file, device="functional", input_shapes={"x": (1, 8, 6, 12)})
    assert session.run(None, {"x": image(1, 8, 6, 12)})[0].shape == (1, 8, 6, 12)
