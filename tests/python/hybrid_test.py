# SPDX-License-Identifier: Apache-2.0
"""InferenceSession: a model shared between the core and ONNX Runtime."""
import pathlib
import sys
import warnings

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
    """A convolution, a sum in double precision, which the compiler lacks, a convolution of its result, and a TopK."""
    nodes = [helper.make_node("Conv", ["x", "w1"], ["a"], "first", pads=[1] * 4), helper.make_node("Relu", ["a"], ["b"], "relu"),
             helper.make_node("Cast", ["b"], ["double"], "cast", to=TensorProto.DOUBLE),
             helper.make_node("CumSum", ["double", "axis"], ["sums"], "sum"),
             helper.make_node("Cast", ["sums"], ["c"], "back", to=TensorProto.FLOAT), helper.make_node("Tanh", ["c"], ["d"], "tanh"),
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
    assert next(node.why for node in session.nodes if node.node == "sum") == "value 'double' is float64, not float32"
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
    assert mine.get_providers() == ["VTAExecutionProvider", *other.get_providers()[-1:]]
    assert vta.InferenceSession(detector, fp32=True).get_providers() == ["CPUExecutionProvider"]
    with pytest.raises(vta.InvalidArgumentError, match="input x is missing"):
        mine.run(None, {})
    with pytest.raises(vta.InvalidArgumentError, match="nothing is not an output"):
        mine.run(["nothing"], {"x": image(1, 8, 12, 12)})
    with pytest.raises(vta.InvalidArgumentError, match="expected shape"):
        mine.run(None, {"x": image(1, 8, 12, 13)})
    for feed, message in (([1], "expected a dictionary"), ({"x": image(1, 8, 12, 12), "z": 1}, "z is not an input; expected x"),
                          ({"x": image(1, 8, 12, 12).astype(np.float64)}, "expected float32, got float64"), ({"x": "pixels"}, "input x: expected an array")):
        with pytest.raises(vta.InvalidArgumentError, match=message):
            mine.run(None, feed)
    pixels = image(1, 8, 12, 12)
    np.testing.assert_array_equal(mine.run(["indices"], {"x": pixels.tolist()})[0], mine.run(["indices"], {"x": pixels})[0])


def test_scales_of_noise_are_warned_of(detector):
    with pytest.warns(vta.CalibrationWarning, match="scales were calibrated on noise") as seen:
        vta.InferenceSession(detector, device="functional")
    assert seen[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        vta.InferenceSession(detector, device="functional", calibrate=[image(1, 8, 12, 12)])


@pytest.mark.parametrize("calibrate, message", [({"x": 1}, "expected a sequence"), (5, "is a int; expected a sequence"), ([], "holds no inputs"), ([image(5)], "calibrate: cannot reshape"),
                                                ([{"y": image(5)}], "input x is missing"), ([{"x": None}], "input x: expected")])
def test_calibration_inputs_are_checked(detector, calibrate, message):
    with pytest.raises(vta.InvalidArgumentError, match=message):
        vta.InferenceSession(detector, device="functional", calibrate=calibrate)


def labelled(tmp_path, output="label"):
    """A product, the position of its largest element, and the text of that."""
    nodes = [helper.make_node("MatMul", ["x", "w"], ["a" * 1200], "product"), helper.make_node("ArgMax", ["a" * 1200], ["i"], "largest", axis=1, keepdims=0),
             helper.make_node("Gather", ["names", "i"], ["label"], "label")]
    names = helper.make_tensor("names", TensorProto.STRING, [4], [b"cat", b"dog", b"owl", b"fox"])
    return model_file(tmp_path, nodes, [("label", TensorProto.STRING)], [weight("w", 8, 4), names], [("x", [1, 8])])


def test_what_the_compiler_does_not_read_goes_to_the_host(tmp_path):
    file, feed = labelled(tmp_path), {"x": image(1, 8)}
    session = vta.InferenceSession(file, device="functional", calibrate=[feed])
    assert session.run(None, feed)[0] == reference(file, feed)[0]
    why = {node.node: node.why for node in session.nodes}
    assert "1000" in why["product"] and "nodes.onnx" not in why["product"], why["product"]


def test_omitted_outputs_of_a_node_are_no_values(tmp_path):
    nodes = [helper.make_node("LSTM", ["x", "w", "r"], ["", "y"], "lstm", hidden_size=4)]
    file = model_file(tmp_path, nodes, [("y", TensorProto.FLOAT)], [weight("w", 1, 16, 8), weight("r", 1, 16, 4)], [("x", [3, 1, 8])])
    feed = {"x": image(3, 1, 8)}
    session = vta.InferenceSession(file, device="functional", calibrate=[feed])
    np.testing.assert_allclose(session.run(None, feed)[0], reference(file, feed)[0], atol=0.05)


def test_values_that_nested_subgraphs_use_reach_them(tmp_path):
    def branch(node):
        return helper.make_graph([node], "branch", [], [helper.make_tensor_value_info(node.output[0], TensorProto.FLOAT, None)])

    inner = helper.make_node("If", ["c"], ["o"], "inner", then_branch=branch(helper.make_node("Add", ["p", "k"], ["sum"])),
                             else_branch=branch(helper.make_node("Sub", ["p", "k"], ["difference"])))
    nodes = [helper.make_node("MatMul", ["x", "w"], ["p"], "product"), helper.make_node("ReduceSum", ["x"], ["s"], "total", keepdims=0),
             helper.make_node("Greater", ["s", "zero"], ["c"], "greater"),
             helper.make_node("If", ["c"], ["y"], "outer", then_branch=branch(inner), else_branch=branch(helper.make_node("Identity", ["k"], ["same"])))]
    weights = [weight("w", 4, 4), weight("k", 1, 4), onnx.numpy_helper.from_array(np.array(0, np.float32), "zero")]
    file = model_file(tmp_path, nodes, [("y", TensorProto.FLOAT)], weights, [("x", [1, 4])])
    feed = {"x": np.array([[1, 2, 3, 4]], np.float32)}
    session = vta.InferenceSession(file, device="functional", calibrate=[feed])
    np.testing.assert_allclose(session.run(None, feed)[0], reference(file, feed)[0], atol=0.1)


@pytest.mark.parametrize("value, message", [([300], "300"), ([0.9], "expected an array"), ([-1], "-1")])
def test_numbers_in_lists_are_kept_or_refused(tmp_path, value, message):
    graph = helper.make_graph([helper.make_node("Cast", ["i"], ["y"], to=TensorProto.FLOAT)], "bytes", [helper.make_tensor_value_info("i", TensorProto.UINT8, [1])],
                              [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1])])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), str(tmp_path / "bytes.onnx"))
    session = vta.InferenceSession(tmp_path / "bytes.onnx", calibrate=[[7]])
    assert session.run(None, {"i": [200]})[0] == [200]
    with pytest.raises(vta.InvalidArgumentError, match=message):
        session.run(None, {"i": value})


def test_errors_of_files_and_of_onnx_runtime_are_ours(detector, tmp_path):
    with pytest.raises(vta.NotFoundError, match="none.onnx: no such file"):
        vta.InferenceSession(tmp_path / "none.onnx")
    (tmp_path / "text.onnx").write_text("no model")
    with pytest.raises(vta.CorruptError, match="text.onnx: not an ONNX model"):
        vta.InferenceSession(tmp_path / "text.onnx")
    unknown = model_file(tmp_path, [helper.make_node("NoSuchOperator", ["x"], ["y"], "unknown")], [("y", TensorProto.FLOAT)])
    with pytest.raises(vta.InvalidArgumentError, match="model.onnx: ONNX Runtime: "):
        vta.InferenceSession(unknown)
    indices = [helper.make_node("Cast", ["x"], ["i"], "cast", to=TensorProto.INT64), helper.make_node("Gather", ["table", "i"], ["y"], "gather")]
    file = model_file(tmp_path, indices, [("y", TensorProto.FLOAT)], [weight("table", 3, 2)], [("x", [1])])
    session = vta.InferenceSession(file, calibrate=[np.zeros(1, np.float32)])
    with pytest.raises(vta.InvalidArgumentError, match="onnxruntime0: ONNX Runtime: .*out of"):
        session.run(None, {"x": np.full(1, 7, np.float32)})
    tokens = helper.make_graph([helper.make_node("Gather", ["table", "i"], ["y"])], "tokens", [helper.make_tensor_value_info("i", TensorProto.INT64, [1])],
                               [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)], [weight("table", 3, 2)])
    onnx.save(helper.make_model(tokens, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), str(tmp_path / "tokens.onnx"))
    with pytest.raises(vta.InvalidArgumentError, match="input i is a tensor.int64.; give calibrate"):
        vta.InferenceSession(tmp_path / "tokens.onnx")


def test_without_products_it_is_onnx_runtime_bit_for_bit(tmp_path):
    nodes = [helper.make_node("Softmax", ["x"], ["a"], "softmax", axis=1), helper.make_node("Sin", ["a"], ["y"], "sin")]
    file = model_file(tmp_path, nodes, [("y", TensorProto.FLOAT)])
    session = vta.InferenceSession(file)
    assert {node.where for node in session.nodes} == {"onnxruntime"}
    feed = {"x": image(1, 8, 12, 12)}
    np.testing.assert_array_equal(session.run(None, feed)[0], reference(file, feed)[0])


def test_scalars_have_no_axes(tmp_path):
    """One between two products on the core, and one that is an input of the host."""
    nodes = [helper.make_node("MatMul", ["x", "w"], ["a"]), helper.make_node("Squeeze", ["a"], ["scalar"]),
             helper.make_node("Reshape", ["scalar", "shape"], ["b"]), helper.make_node("MatMul", ["b", "v"], ["c"]),
             helper.make_node("Tan", ["s"], ["host"])]
    weights = [weight("w", 32, 1), weight("v", 1, 32), onnx.numpy_helper.from_array(np.array([1, 1]), "shape")]
    outputs = [(name, TensorProto.FLOAT) for name in ("scalar", "c", "host")]
    file = model_file(tmp_path, nodes, outputs, weights, [("x", [1, 32]), ("s", [])])
    feed = {"x": image(1, 32), "s": np.asarray(0.5, np.float32)}
    session = vta.InferenceSession(file, device="functional", calibrate=[feed])
    assert {node.op: node.where for node in session.nodes}["Squeeze"] == "core"
    for mine, theirs in zip(session.run(None, feed), reference(file, feed)):
        assert np.shape(mine) == theirs.shape
        np.testing.assert_allclose(mine, theirs, atol=0.3)


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


def test_a_server_that_does_not_answer_is_said_before_the_model_is_read():
    with pytest.raises(vta.InputOutputError, match="rpc://127.0.0.1:1: cannot connect"):
        vta.InferenceSession("nothing.onnx", device="rpc://127.0.0.1:1")


def test_open_dimensions_need_shapes(tmp_path):
    nodes = [helper.make_node("Conv", ["x", "w"], ["y"], "conv")]
    file = model_file(tmp_path, nodes, [("y", TensorProto.FLOAT)], [weight("w", 8, 8, 1, 1)], [("x", ["n", 8, "h", 12])])
    with pytest.raises(vta.InvalidArgumentError, match="dimension 2 open"):
        vta.InferenceSession(file)
    session = vta.InferenceSession(file, device="functional", input_shapes={"x": (1, 8, 6, 12)})
    assert session.run(None, {"x": image(1, 8, 6, 12)})[0].shape == (1, 8, 6, 12)


# --- Detection ---

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python/notebooks"))
import squares

MIN_OVERLAP = 0.9  # of an int8 box with the fp32 one


@pytest.fixture(scope="module")
def squares_file(tmp_path_factory):
    file = tmp_path_factory.mktemp("squares") / "squares.onnx"
    squares.save_detector(file)
    return file


@pytest.fixture(scope="module")
def squares_session(squares_file):
    images = [squares.make_image(seed)[0] for seed in range(100, 108)]
    return vta.InferenceSession(squares_file, device="functional", calibrate=images)


def test_backbone_and_head_of_a_detector_are_on_the_core(squares_session):
    where = {node.op: node.where for node in squares_session.nodes}
    assert {op for op, place in where.items() if place == "core"} == {"Conv", "Clip", "Flatten", "Gemm"}
    why = {node.node: node.why for node in squares_session.nodes}
    assert why["Reshape_maps"] == "after the last product of its part", "boxes are computed in fp32"


def test_int8_boxes_are_those_of_fp32(squares_file, squares_session):
    for seed in range(20):
        pixels, truth, labels = squares.make_image(seed)
        expected = reference(squares_file, {"image": pixels})
        boxes, classes, scores = squares_session.run(None, {"image": pixels})
        assert len(boxes) == len(expected[0]) == len(truth) and scores.min() >= 0.5
        overlaps = squares.overlaps(expected[0], boxes)
        assert overlaps.max(axis=1).min() >= MIN_OVERLAP
        np.testing.assert_array_equal(classes[overlaps.argmax(axis=1)], expected[1])
        found = squares.overlaps(np.array(truth, np.float32), boxes)
        assert found.max(axis=1).min() >= 0.8
        np.testing.assert_array_equal(classes[found.argmax(axis=1)], labels)


@pytest.mark.parametrize("count", [0, 1, 3])
def test_the_head_runs_once_for_each_box(squares_session, count):
    boxes, labels, _ = squares_session.run(None, {"image": squares.make_image(1, count)[0]})
    assert len(boxes) == len(labels) == count
    assert squares_session.runs == {"core0": 1, "core1": count}


def test_fp32_parts_give_the_bytes_of_onnx_runtime(squares_file):
    session = vta.InferenceSession(squares_file, fp32=True)
    assert "core1" in {node.part for node in session.nodes} and session.programs == {}
    feed = {"image": squares.make_image(3)[0]}
    for expected, got in zip(reference(squares_file, feed), session.run(None, feed)):
        np.testing.assert_array_equal(got, expected)


def test_a_part_whose_rows_depend_on_each_other_is_not_run_by_row(tmp_path):
    """A sum over rows between two products."""
    nodes = [helper.make_node("NonZero", ["x"], ["found"], "find"), helper.make_node("Transpose", ["found"], ["t"], "t"),
             helper.make_node("Cast", ["t"], ["rows"], "cast", to=TensorProto.FLOAT),
             helper.make_node("MatMul", ["rows", "w1"], ["a"], "first"),
             helper.make_node("CumSum", ["a", "axis"], ["b"], "sum"), helper.make_node("MatMul", ["b", "w2"], ["y"], "second")]
    weights = [weight("w1", 2, 16), weight("w2", 16, 16), onnx.numpy_helper.from_array(np.array(0), "axis")]
    file = model_file(tmp_path, nodes, [("y", TensorProto.FLOAT)], weights, [("x", [8, 8])])
    feed = {"x": (image(8, 8) > 0.5).astype(np.float32)}
    session = vta.InferenceSession(file, device="functional", calibrate=[feed])
    why = {node.node: node.why for node in session.nodes}
    assert "does not have a row for each row of rows" in why["first"]
    np.testing.assert_allclose(session.run(None, feed)[0], reference(file, feed)[0], rtol=1e-5, atol=1e-5)


def of_found_rows(tmp_path, nodes, weights=()):
    """A model of rows that a mask finds: a product of them, the nodes from `a` to `b`, and a product of the result."""
    first = [helper.make_node("NonZero", ["m"], ["found"], "find"), helper.make_node("Squeeze", ["found", "zero"], ["i"], "squeeze"),
             helper.make_node("Gather", ["table", "i"], ["rows"], "gather"), helper.make_node("MatMul", ["rows", "w1"], ["a"], "first")]
    shared = [weight("table", 20, 16), weight("w1", 16, 4), weight("w2", 4, 6), onnx.numpy_helper.from_array(np.array([0]), "zero")]
    return model_file(tmp_path, [*first, *nodes, helper.make_node("MatMul", ["b", "w2"], ["y"], "second")],
                      [("y", TensorProto.FLOAT)], [*shared, *weights], [("m", [20])])


def mask(count):
    return {"m": (np.arange(20) < count).astype(np.float32)}


COMBINE = {
    "softmax": [helper.make_node("Softmax", ["a"], ["b"], "combine", axis=0)],
    "largest": [helper.make_node("ReduceMax", ["a"], ["most"], "combine", axes=[0]), helper.make_node("Sub", ["a", "most"], ["b"], "minus")]}


@pytest.mark.parametrize("nodes", COMBINE.values(), ids=COMBINE)
def test_rows_that_are_combined_run_on_the_host_whatever_the_calibration(tmp_path, nodes):
    file = of_found_rows(tmp_path, nodes)
    session = vta.InferenceSession(file, device="functional", calibrate=[mask(1)])
    assert "combines the 3 positions" in {node.node: node.why for node in session.nodes}["first"]
    expected, got = reference(file, mask(5))[0], session.run(None, mask(5))[0]
    assert np.abs(got - expected).max() <= 0.1 * np.abs(expected).max()


def test_sizes_beyond_the_first_that_depend_on_the_data_run_on_the_host(tmp_path):
    nodes = [helper.make_node("NonZero", ["m"], ["found"], "find"), helper.make_node("Squeeze", ["found", "zero"], ["i"], "squeeze"),
             helper.make_node("Gather", ["table", "i"], ["columns"], "gather", axis=1),
             helper.make_node("MatMul", ["w1", "columns"], ["y"], "product")]
    weights = [weight("table", 16, 20), weight("w1", 4, 16), onnx.numpy_helper.from_array(np.array([0]), "zero")]
    file = model_file(tmp_path, nodes, [("y", TensorProto.FLOAT)], weights, [("m", [20])])
    session = vta.InferenceSession(file, device="functional", calibrate=[mask(5)])
    for count in (5, 7):
        np.testing.assert_allclose(session.run(None, mask(count))[0], reference(file, mask(count))[0], rtol=1e-5, atol=1e-5)


def test_an_output_may_be_a_constant(tmp_path):
    nodes = [helper.make_node("Relu", ["x"], ["y"], "relu"), helper.make_node("Shape", ["y"], ["s"], "shape")]
    file = model_file(tmp_path, nodes, [("y", TensorProto.FLOAT), ("s", TensorProto.INT64)])
    session = vta.InferenceSession(file, device="functional")
    assert list(session.run(["s"], {"x": image(1, 8, 12, 12)})[0]) == [1, 8, 12, 12]
