# SPDX-License-Identifier: Apache-2.0
"""The first axis of ONNX models, declared and open, beside ONNX Runtime: batches, time and tokens."""
import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
onnxruntime = pytest.importorskip("onnxruntime")

import vta
from onnx import TensorProto, helper

SEEDS = range(1, 61)


def array(name, values):
    return onnx.numpy_helper.from_array(np.asarray(values), name)


def model_file(folder, shape, nodes, constants=()):
    graph = helper.make_graph(nodes, "test", [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
                              [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)], list(constants))
    file = folder / "model.onnx"
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), str(file))
    return file


def onnx_runtime(file, x):
    return onnxruntime.InferenceSession(str(file), providers=["CPUExecutionProvider"]).run(None, {"x": x})[0]


def snr(result, right):
    return 10 * np.log10((right**2).sum() / max(((result - right)**2).sum(), 1e-12))


def convolution(random):
    return [helper.make_node("Conv", ["x", "w"], ["c"], pads=[1] * 4), helper.make_node("Relu", ["c"], ["y"])], [
        array("w", random.standard_normal((8, 3, 3, 3)).astype(np.float32))]


def lstm(random):
    return [helper.make_node("LSTM", ["x", "w", "r"], ["all"], hidden_size=8), helper.make_node("Squeeze", ["all", "one"], ["y"])], [
        array("w", random.standard_normal((1, 32, 8)).astype(np.float32) / 3),
        array("r", random.standard_normal((1, 32, 8)).astype(np.float32) / 3), array("one", [1])]


def attention(random):
    return [helper.make_node("Transpose", ["x"], ["t"], perm=[1, 0]), helper.make_node("MatMul", ["x", "t"], ["s"]),
            helper.make_node("Softmax", ["s"], ["p"]), helper.make_node("MatMul", ["p", "x"], ["y"])], []


def centered(random):
    return [helper.make_node("MatMul", ["x", "w"], ["m"]), helper.make_node("ReduceMean", ["m"], ["mean"], axes=[0]),
            helper.make_node("Sub", ["m", "mean"], ["y"])], [array("w", random.standard_normal((8, 4)).astype(np.float32))]


# name -> the nodes, the shape, the samples of an inference, the least signal-to-noise ratio in int8
MODELS = {"convolution": (convolution, [4, 3, 16, 16], 4, 25), "lstm": (lstm, [12, 1, 8], 1, 10),
          "attention": (attention, [9, 8], 1, 20), "centered": (centered, [9, 8], 1, 20)}


@pytest.mark.parametrize("name", MODELS)
def test_declared_and_given_sizes_have_the_results_of_all_rows(name, tmp_path):
    make, shape, batch, least_db = MODELS[name]
    random = np.random.default_rng(1)
    nodes, constants = make(random)
    x = random.standard_normal(shape).astype(np.float32)
    declared = model_file(tmp_path, shape, nodes, constants)
    right = onnx_runtime(declared, x)
    networks = [vta.Network(declared)]
    networks.append(vta.Network(model_file(tmp_path, ["T", *shape[1:]], nodes, constants), input_shapes={"x": shape}))
    for network in networks:
        assert network.batch == batch
        np.testing.assert_allclose(vta.Reference(network).run(x)[0], right, atol=1e-5 * np.abs(right).max())
        program = vta.compile(network, calibrate=[x])
        assert program.batch == batch
        with vta.Session(program, "functional") as session:
            assert snr(session.run(x)[0], right) > least_db


def random_chain(random):
    """Nodes from x [n, 8] to y, and their constants: some keep rows apart, others do not."""
    nodes, constants, at = [], [], "x"
    for step in range(random.integers(1, 4)):
        own, kind = f"v{step}", random.integers(0, 14)
        w = array(own + "w", random.standard_normal((8, 8)).astype(np.float32) / 3)
        results = [helper.make_node("MatMul", [at, own + "w"], [own])]
        if kind == 1:
            results = [helper.make_node("Softmax", [at], [own], axis=int(random.integers(0, 2)))]
        elif kind == 2:
            results = [helper.make_node("ReduceMax", [at], [own + "m"], axes=[int(random.integers(0, 2))]),
                       helper.make_node("Sub", [at, own + "m"], [own])]
        elif kind == 3:
            results = [helper.make_node("Transpose", [at], [own + "t"], perm=[1, 0]), helper.make_node("MatMul", [at, own + "t"], [own + "s"]),
                       helper.make_node("MatMul", [own + "s", at], [own])]
        elif kind == 4:
            constants += [array(own + "a", [-1, 4]), array(own + "b", [-1, 8])]
            results = [helper.make_node("Reshape", [at, own + "a"], [own + "f"]), helper.make_node("Relu", [own + "f"], [own + "g"]),
                       helper.make_node("Reshape", [own + "g", own + "b"], [own])]
        elif kind == 5:
            constants.append(array(own + "a", [0]))
            results = [helper.make_node("CumSum", [at, own + "a"], [own])]
        elif kind == 6:
            constants += [array(own + "a", [-2]), array(own + "b", [2**31])]
            results = [helper.make_node("Slice", [at, own + "a", own + "b"], [own])]
        elif kind == 7:
            constants += [array(own + "a", [0]), array(own + "b", [8])]
            results = [helper.make_node("Shape", [at], [own + "s"]), helper.make_node("Gather", [own + "s", own + "a"], [own + "n"]),
                       helper.make_node("Concat", [own + "n", own + "b"], [own + "z"], axis=0),
                       helper.make_node("ConstantOfShape", [own + "z"], [own + "c"]), helper.make_node("Add", [at, own + "c"], [own])]
        elif kind == 8:
            results = [helper.make_node("Concat", [at, at], [own + "c"], axis=0), helper.make_node("Relu", [own + "c"], [own])]
        elif kind == 9:
            constants.append(array(own + "a", random.standard_normal((5, 8)).astype(np.float32)))
            results = [helper.make_node("Add", [at, own + "a"], [own])]
        elif kind == 10:
            constants += [array(own + "a", [8, -1]), array(own + "b", [-1, 8])]
            results = [helper.make_node("Reshape", [at, own + "a"], [own + "f"]), helper.make_node("Softmax", [own + "f"], [own + "g"]),
                       helper.make_node("Reshape", [own + "g", own + "b"], [own])]
        elif kind == 11:
            constants.append(array(own + "a", [5, -1]))
            results = [helper.make_node("Reshape", [at, own + "a"], [own + "f"]), helper.make_node("ReduceMean", [own + "f"], [own + "g"], axes=[1]),
                       helper.make_node("Mul", [at, own + "g"], [own])] if random.integers(0, 2) else results
        elif kind == 12:
            constants.append(array(own + "a", [2]))
            results = [helper.make_node("TopK", [at, own + "a"], [own, own + "i"], axis=0)]
        constants.append(w)
        nodes += results
        at = own
    return [*nodes, helper.make_node("Identity", [at], ["y"])], constants


@pytest.mark.parametrize("seed", SEEDS)
def test_an_open_axis_is_refused_or_each_row_alone_has_its_result(seed, tmp_path):
    random = np.random.default_rng(seed)
    nodes, constants = random_chain(random)
    file = model_file(tmp_path, ["s0", 8], nodes, constants)
    x = random.standard_normal((5, 8)).astype(np.float32)
    try:
        network = vta.Network(file)
    except vta.Error as error:
        assert "--batch-axis x=0" in str(error) or "combines" not in str(error)
        return
    right = onnx_runtime(file, x)
    assert len(right) == 5, "a batch has a result for each sample"
    reference = vta.Reference(network)
    for i in range(5):
        np.testing.assert_allclose(reference.run(x[i:i + 1])[0], right[i:i + 1], rtol=1e-4, atol=1e-4)
