# SPDX-License-Identifier: Apache-2.0
"""The execution provider: ONNX Runtime's sessions on the core. Skipped where onnxruntime or the provider's library is missing."""
import concurrent.futures
import json
import pathlib
import subprocess
import sys

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
onnxruntime = pytest.importorskip("onnxruntime", "1.23")

import vta
from onnx import TensorProto, helper, numpy_helper

try:
    LIBRARY = vta.provider_library()
except vta.NotFoundError as missing:
    pytest.skip(str(missing), allow_module_level=True)

NAME = "VTAExecutionProvider"


@pytest.fixture(autouse=True)
def same_images():
    """The same in each test, whichever tests run before it."""
    global RANDOM
    RANDOM = np.random.default_rng(52)


@pytest.fixture(scope="module")
def devices():
    onnxruntime.register_execution_provider_library("vta", LIBRARY)
    yield [device for device in onnxruntime.get_ep_devices() if device.ep_name == NAME]
    onnxruntime.unregister_execution_provider_library("vta")


@pytest.fixture
def opened(devices):
    """A session whose provider has the options; `only`: without other providers. `log`: its least level. `entries`: of the session.
    `optimizes`: whether ONNX Runtime changes the graph. `before`: devices of other providers, which choose their nodes first.
    `profile`: what the name of the profile begins with."""
    def open_session(model, *, only=False, log=3, entries=(), optimizes=True, before=(), profile=None, **options):
        of_session = onnxruntime.SessionOptions()
        of_session.log_severity_level = log
        if profile:
            of_session.enable_profiling = True
            of_session.profile_file_prefix = str(profile)
        if not optimizes:
            of_session.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        of_session.add_session_config_entry("session.record_ep_graph_assignment_info", "1")
        if only:
            of_session.add_session_config_entry("session.disable_cpu_ep_fallback", "1")
        for key, value in dict(entries).items():
            of_session.add_session_config_entry(key, value)
        if before:
            of_session.add_provider_for_devices(before, {})
        of_session.add_provider_for_devices(devices, options)
        return onnxruntime.InferenceSession(str(model) if isinstance(model, pathlib.Path) else model, of_session)
    return open_session


def image(*shape):
    return RANDOM.standard_normal(shape).astype(np.float32)


def test_onnx_runtime_lists_it(devices):
    assert [(device.ep_name, device.ep_vendor) for device in devices] == [(NAME, "VTA toolkit")]
    assert devices[0].device.type == onnxruntime.OrtHardwareDeviceType.CPU


def test_a_session_may_outlive_the_registration(root):
    """As it does when Python ends."""
    program = f"""
import onnxruntime
onnxruntime.register_execution_provider_library("vta", {LIBRARY!r})
options = onnxruntime.SessionOptions()
options.add_provider_for_devices([device for device in onnxruntime.get_ep_devices() if device.ep_name == {NAME!r}], {{}})
session = onnxruntime.InferenceSession({str(root / "tests" / "onnx" / "quantized" / "small.qdq_s8.onnx")!r}, options)
onnxruntime.unregister_execution_provider_library("vta")
del session
"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (run.returncode, run.stderr) == (0, "")


@pytest.mark.parametrize("name", ["qdq_s8", "qdq_u8", "qop_s8", "qop_u8"])
def test_a_quantized_model_gives_the_values_of_the_toolkits_session(root, opened, name):
    file = root / "tests" / "onnx" / "quantized" / f"small.{name}.onnx"
    theirs = opened(file, only=True)
    assert theirs.get_providers()[0] == NAME
    with vta.Session(vta.compile(file), device="functional") as mine:
        for _ in range(3):
            x = image(*theirs.get_inputs()[0].shape)
            np.testing.assert_array_equal(theirs.run(None, {theirs.get_inputs()[0].name: x})[0], mine.run(x)[0])


def test_a_program_in_cpp_runs_on_the_core(root, opened):
    """As the example of docs/onnxruntime.md. Without Python, libvta is found next to the provider."""
    client = pathlib.Path(LIBRARY).parents[1] / "tests" / "provider_client"
    libraries = list((pathlib.Path(onnxruntime.__file__).parent / "capi").glob("libonnxruntime.so*"))
    if not client.is_file() or not libraries:
        pytest.skip(f"no {client}, or no libonnxruntime.so in the package")
    file = root / "tests" / "onnx" / "quantized" / "small.qdq_s8.onnx"
    run = subprocess.run([client, libraries[0], LIBRARY, file], capture_output=True, text=True)
    assert (run.returncode, run.stderr) == (0, "")
    theirs = opened(file)
    info = theirs.get_inputs()[0]
    x = (np.float32(0.001) * np.arange(np.prod(info.shape), dtype=np.float32)).reshape(info.shape)
    np.testing.assert_array_equal(np.array(run.stdout.split(), np.float32), theirs.run(None, {info.name: x})[0].ravel())


def parameters(file):
    """The arrays of a .safetensors file."""
    data = file.read_bytes()
    start = 8 + int.from_bytes(data[:8], "little")
    header = json.loads(data[8:start])
    header.pop("__metadata__", None)
    return {name: np.frombuffer(data[start + a["data_offsets"][0]:start + a["data_offsets"][1]], "<f4").reshape(a["shape"])
            for name, a in header.items()}


@pytest.fixture(scope="module")
def digits_folder(root):
    return root / "configs" / "networks" / "digits"


@pytest.fixture(scope="module")
def digits_model(root, digits_folder, tmp_path_factory):
    """The digits network in fp32 as an ONNX model, as its network file describes it."""
    layers = json.loads((root / "configs" / "networks" / "digits.json").read_text())["layers"]
    weights, nodes, last = parameters(digits_folder / "digits.safetensors"), [], "data"
    for layer in layers:
        name, inputs = layer["name"], layer.get("inputs", [last])
        if layer["op"] == "conv2d":
            pad, stride = layer.get("pad", 0), layer.get("stride", 1)
            nodes.append(helper.make_node("Conv", [inputs[0], f"{name}.weight"], [name], name, pads=[pad] * 4, strides=[stride] * 2))
        elif layer["op"] == "batch_norm":
            nodes.append(helper.make_node("BatchNormalization", [inputs[0], *(f"{name}.{part}" for part in ("weight", "bias", "running_mean", "running_var"))], [name], name))
        elif layer["op"] == "dense":
            nodes.append(helper.make_node("Gemm", [inputs[0], f"{name}.weight", f"{name}.bias"], [name], name, transB=1))
        else:
            op = {"relu": "Relu", "add": "Add", "global_avg_pool2d": "GlobalAveragePool", "flatten": "Flatten"}[layer["op"]]
            nodes.append(helper.make_node(op, inputs, [name], name))
        last = name
    graph = helper.make_graph(nodes, "digits", [helper.make_tensor_value_info("data", TensorProto.FLOAT, [1, 1, 8, 8])],
                              [helper.make_tensor_value_info(last, TensorProto.FLOAT, [1, 10])],
                              [numpy_helper.from_array(array, name) for name, array in weights.items()])
    file = tmp_path_factory.mktemp("digits") / "digits.onnx"
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), str(file))
    return file


def test_a_float_model_is_calibrated_as_the_compiler_does(opened, digits_model, digits_folder):
    """Without ONNX Runtime's optimizations, which round the weights when they fold batch norms into them."""
    calibration = f"npz:{digits_folder / 'calibration.npz'}"
    theirs = opened(digits_model, only=True, optimizes=False, calibration=calibration)
    with np.load(digits_folder / "test.npz") as test, vta.Session(vta.compile(digits_model, calibrate=calibration), device="functional") as mine:
        images, labels = test["images"][:50].astype(np.float32), test["labels"][:50]
        scores = [theirs.run(None, {"data": x[None]})[0] for x in images]
        np.testing.assert_array_equal(scores, [mine.run(x[None])[0] for x in images])
    assert np.mean([s.argmax() for s in scores] == labels) > 0.9


def test_a_float_model_without_calibration_stays_with_other_providers_and_says_so(opened, digits_model, capfd):
    theirs = opened(digits_model, log=2)
    assert "it has no scales and option calibration is not set: give inputs (npz:FILE, imagefolder:DIR)" in capfd.readouterr().err
    x = image(1, 1, 8, 8)
    host = onnxruntime.InferenceSession(str(digits_model), providers=["CPUExecutionProvider"])
    np.testing.assert_array_equal(theirs.run(None, {"data": x})[0], host.run(None, {"data": x})[0])
    with pytest.raises(Exception, match=r"nodes from 'conv1' to 'fc': it has no scales and option calibration is not set: give inputs \(npz:FILE"):
        opened(digits_model, only=True)


def test_a_quantized_network_replaces_calibration(opened, digits_model, digits_folder, tmp_path, root):
    """`vta-compile --save-quantized` writes it."""
    saved = tmp_path / "digits.vtaq"
    tool = pathlib.Path(LIBRARY).parents[1] / "bin" / "vta-compile"
    if not tool.is_file():
        pytest.skip(f"{tool}: no such file")
    subprocess.run([tool, digits_model, "--calibrate", f"npz:{digits_folder / 'calibration.npz'}", "--save-quantized", saved],
                   check=True, capture_output=True)
    x = image(1, 1, 8, 8)
    with vta.Session(vta.compile(saved), device="functional") as mine:
        np.testing.assert_array_equal(opened(digits_model, only=True, calibration=str(saved)).run(None, {"data": x})[0], mine.run(x)[0])
    with pytest.raises(Exception, match="its inputs are not the model's"):
        opened(float_model([conv("c", "x", 8, 8)], [("c", TensorProto.FLOAT)]), calibration=str(saved))
    renamed = onnx.load(str(digits_model))
    renamed.graph.output[0].name = renamed.graph.node[-1].output[0] = "scores"
    with pytest.raises(Exception, match="its outputs are not the model's"):
        opened(renamed.SerializeToString(), calibration=str(saved))


@pytest.mark.parametrize("core", ["vta_1x16", "vta_4x8"])
@pytest.mark.parametrize("embed", ["0", "1"])
def test_a_compiled_model_needs_no_compiler(opened, digits_model, digits_folder, tmp_path, embed, core):
    compiled = tmp_path / "compiled.onnx"
    write = {"ep.context_enable": "1", "ep.context_file_path": str(compiled), "ep.context_embed_mode": embed}
    first = opened(digits_model, entries=write, calibration=f"npz:{digits_folder / 'calibration.npz'}", core=core)
    assert [node.op_type for node in onnx.load(str(compiled)).graph.node] == ["EPContext"]
    assert len(list(tmp_path.glob("compiled.*.vta"))) == (embed == "0")
    again, x = opened(compiled, only=True), image(1, 1, 8, 8)
    np.testing.assert_array_equal(first.run(None, {"data": x})[0], again.run(None, {"data": x})[0])
    with pytest.raises(Exception, match="is compiled already: give the original model, or set ep.context_enable to 0"):
        opened(compiled, entries={**write, "ep.context_file_path": str(tmp_path / "other.onnx")})
    for file in tmp_path.glob("compiled.*.vta"):
        file.rename(tmp_path / "elsewhere.vta")
        with pytest.raises(Exception, match=f"{file.name}: no such file"):
            opened(compiled)


def context_model(inputs=("data",), **attributes):
    """A model with one node EPContext."""
    node = helper.make_node("EPContext", inputs, ["fc"], "context", domain="com.microsoft", main_context=1, embed_mode=0, **attributes)
    graph = helper.make_graph([node], "g", [helper.make_tensor_value_info("data", TensorProto.FLOAT, [1, 1, 8, 8])],
                              [helper.make_tensor_value_info("fc", TensorProto.FLOAT, [1, 10])])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)], ir_version=8)


def test_a_compiled_model_does_not_lead_to_other_folders(opened, tmp_path):
    file = tmp_path / "hostile.onnx"
    onnx.save(context_model(source=NAME, ep_cache_context="../secret.vta"), str(file))
    with pytest.raises(Exception, match="expected one in the folder of the model"):
        opened(file)


@pytest.mark.parametrize("source", [{}, {"source": "OtherExecutionProvider"}])
def test_a_compiled_model_of_another_provider_is_left_to_it(opened, source):
    with pytest.raises(Exception, match="(?i)EPContext") as error:  # ONNX Runtime: no provider runs it
        opened(context_model(ep_cache_context="theirs.bin", **source).SerializeToString())
    assert "has no attribute" not in str(error.value)


def test_a_compiled_model_has_all_its_inputs(opened):
    with pytest.raises(Exception, match="EPContext 'context': input 1 is omitted, expected the name of a value"):
        opened(context_model(["data", ""], source=NAME, ep_cache_context="mine.vta").SerializeToString())


@pytest.mark.parametrize("options, message", [
    ({"devise": "cycle"}, r"option 'devise' of VTAExecutionProvider: expected calibration, core, device or memory"),
    ({"device": "cycles"}, "device 'cycles': unknown scheme 'cycles', expected one of: cycle"),
    ({"device": "cycle", "memory": "ddr9"}, "memory 'ddr9' is neither a file nor one of the installed memories: ideal64"),
    ({"device": "cycle:ideal64", "memory": "pynq-z1"}, "option memory 'pynq-z1': the device 'cycle:ideal64' has its own"),
    ({"device": "functional", "memory": "pynq-z1"}, "the functional simulator has no options"),
    ({"device": "timing"}, "option device 'timing': it computes no results"),
    ({"core": "vta_3x3"}, "vta_3x3"),
    ({"device": ""}, "option device of VTAExecutionProvider is empty")])
def test_options_are_checked(root, opened, options, message):
    with pytest.raises(Exception, match=message):
        opened(root / "tests" / "onnx" / "quantized" / "small.qdq_s8.onnx", **options)


@pytest.mark.parametrize("options", [{"device": "cycle"}, {"device": "cycle", "memory": "pynq-z1"}, {"core": "vta_4x8"}])
def test_devices_and_cores_give_the_same_values(root, opened, options):
    file = root / "tests" / "onnx" / "quantized" / "small.qdq_s8.onnx"
    plain, other = opened(file), opened(file, **options)
    feed = {plain.get_inputs()[0].name: image(*plain.get_inputs()[0].shape)}
    np.testing.assert_array_equal(plain.run(None, feed)[0], other.run(None, feed)[0])


def test_a_calibration_file_that_is_missing_is_an_error(opened, digits_model):
    with pytest.raises(Exception, match="missing.npz"):
        opened(digits_model, calibration="npz:missing.npz")


def float_model(nodes, outputs, inputs=(("x", [1, 8, 12, 12]),), constants=()):
    """The bytes of a model. Weights are of the nodes' second inputs that begin with w."""
    shapes = {node.input[1]: attribute.ints for node in nodes for attribute in node.attribute if attribute.name == "weight_shape"}
    for node in nodes:
        kept = [attribute for attribute in node.attribute if attribute.name != "weight_shape"]
        del node.attribute[:]
        node.attribute.extend(kept)
    weights = [numpy_helper.from_array(image(*shape) / np.float32(np.sqrt(np.prod(shape[1:]))), name) for name, shape in shapes.items()]
    graph = helper.make_graph(nodes, "test", [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in inputs],
                              [helper.make_tensor_value_info(name, kind, None) for name, kind in outputs], [*weights, *constants])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8).SerializeToString()


def conv(name, x, channels_in, channels_out):
    return helper.make_node("Conv", [x, f"w_{name}"], [name], name, pads=[1] * 4, weight_shape=[channels_out, channels_in, 3, 3])


@pytest.fixture
def two_parts():
    """Two convolutions; between them a sum in double precision, which the compiler lacks, after them nodes that are not worth it."""
    nodes = [conv("a", "x", 8, 16), helper.make_node("Relu", ["a"], ["b"], "relu"), helper.make_node("Cast", ["b"], ["c"], "double", to=TensorProto.DOUBLE),
             helper.make_node("CumSum", ["c", "axis"], ["s"], "sum"), helper.make_node("Cast", ["s"], ["d"], "back", to=TensorProto.FLOAT),
             conv("e", "d", 16, 4), helper.make_node("Softmax", ["e"], ["y"], "softmax", axis=1)]
    return float_model(nodes, [("y", TensorProto.FLOAT)], constants=[numpy_helper.from_array(np.array(3), "axis")])


def assigned(session):
    """The operators of the nodes that the provider runs."""
    if not hasattr(session, "get_provider_graph_assignment_info"):
        pytest.skip("ONNX Runtime says which provider runs a node from 1.24 on")
    parts = [part for part in session.get_provider_graph_assignment_info() if part.ep_name == NAME]
    return [[node.op_type for node in part.get_nodes()] for part in parts]


def test_the_core_takes_what_it_can_and_calibrates_each_part_on_its_input(opened, two_parts, tmp_path, capfd):
    x = image(1, 8, 12, 12)
    host = onnxruntime.InferenceSession(two_parts, providers=["CPUExecutionProvider"])
    file = tmp_path / "values.npz"
    np.savez(file, x=x, d=image(1, 16, 12, 12).clip(0).cumsum(3))
    theirs = opened(two_parts, log=1, calibration=f"npz:{file}")
    assert assigned(theirs) == [["Conv", "Relu"], ["Conv"]]
    log = capfd.readouterr().err
    assert f"{NAME}: 3 of 7 nodes, in 2 parts" in log and "2 nodes from 'a' to 'relu' on functional: 165888 of 165888 multiply-accumulates" in log
    (y, ), (expected, ) = theirs.run(None, {"x": x}), host.run(None, {"x": x})
    np.testing.assert_allclose(y, expected, atol=0.05)
    assert not np.array_equal(y, expected), "ran in fp32"


def test_rows_whose_number_is_open_run_one_by_one(opened):
    model = float_model([conv("a", "x", 8, 16), helper.make_node("Relu", ["a"], ["y"], "relu")], [("y", TensorProto.FLOAT)], [("x", ["n", 8, 12, 12])])
    theirs = opened(model, only=True, calibration="noise")
    x = image(3, 8, 12, 12)
    whole = theirs.run(None, {"x": x})[0]
    assert whole.shape == (3, 16, 12, 12)
    np.testing.assert_array_equal(whole, np.concatenate([theirs.run(None, {"x": row[None]})[0] for row in x]))
    assert theirs.run(None, {"x": x[:0]})[0].shape == (0, 16, 12, 12)


def with_shape(model, output, shape):
    """The model with another declared shape of the output."""
    changed = onnx.load_from_string(model)
    for value in changed.graph.output:
        if value.name == output:
            value.CopyFrom(helper.make_tensor_value_info(output, TensorProto.FLOAT, shape))
    return changed.SerializeToString()


def test_an_output_of_one_row_is_not_written_by_each(opened, capfd):
    nodes = [conv("a", "x", 8, 16), helper.make_node("Relu", ["a"], ["y"], "relu")]
    model = with_shape(float_model(nodes, [("y", TensorProto.FLOAT)], [("x", ["n", 8, 12, 12])]), "y", [1, 16, 12, 12])
    theirs = opened(model, log=1, calibration="noise")
    assert "input 'x' has an open number of rows, output 'y' has a fixed one: fix the number of rows (AddFreeDimensionOverrideByName)" in capfd.readouterr().err
    x = image(3, 8, 12, 12)
    host = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    np.testing.assert_array_equal(theirs.run(None, {"x": x})[0], host.run(None, {"x": x})[0])


@pytest.mark.parametrize("rows, message", [
    (3, "input 'x' has an open number of rows, input 'z' has a fixed one"), ("m", "input 'x' has 'n' rows, input 'z' has 'm'")])
def test_inputs_of_other_numbers_of_rows_are_not_split(opened, capfd, rows, message):
    nodes = [conv("a", "x", 8, 16), helper.make_node("Add", ["a", "z"], ["y"], "add")]
    model = float_model(nodes, [("y", TensorProto.FLOAT)], [("x", ["n", 8, 12, 12]), ("z", [rows, 16, 12, 12])])
    theirs = opened(model, log=1, calibration="noise")
    assert message in capfd.readouterr().err
    x, z = image(3, 8, 12, 12), image(3, 16, 12, 12)
    host = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    np.testing.assert_allclose(theirs.run(None, {"x": x, "z": z})[0], host.run(None, {"x": x, "z": z})[0], atol=0.2)


def test_operators_that_combine_rows_are_not_split(opened):
    model = float_model([conv("a", "x", 8, 16), helper.make_node("ReduceMax", ["a"], ["y"], "max", axes=[0])], [("y", TensorProto.FLOAT)], [("x", ["n", 8, 12, 12])])
    x = image(3, 8, 12, 12)
    host = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    np.testing.assert_allclose(opened(model, calibration="noise").run(None, {"x": x})[0], host.run(None, {"x": x})[0], atol=0.2)


def test_weights_that_the_parts_own_input_needs_are_not_in_it(opened):
    """Node c waits for wd, which is of the part of m, which waits for c: ONNX Runtime would drop all parts."""
    node = helper.make_node
    nodes = [node("Transpose", ["w"], ["wd"]), node("Where", ["p", "z", "wd"], ["c"]), node("MatMul", ["c", "wd"], ["m"]), conv("a", "x", 8, 16)]
    changed = onnx.load_from_string(float_model(nodes, [("m", TensorProto.FLOAT), ("a", TensorProto.FLOAT)], [("x", [1, 8, 12, 12]), ("z", [8, 8])],
                                                [numpy_helper.from_array(image(8, 8), "w")]))
    changed.graph.input.append(helper.make_tensor_value_info("p", TensorProto.BOOL, [8, 8]))
    model = changed.SerializeToString()
    theirs = opened(model, optimizes=False, calibration="noise")  # optimized, the weights would be a constant
    assert assigned(theirs) == [["Conv"]]
    feed = {"x": image(1, 8, 12, 12), "z": image(8, 8), "p": RANDOM.integers(0, 2, (8, 8)).astype(bool)}
    host = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    np.testing.assert_allclose(theirs.run(["m"], feed)[0], host.run(["m"], feed)[0], rtol=1e-5, atol=1e-5)


def test_nodes_of_a_provider_before_it_stay_there(opened, devices, digits_model, tmp_path):
    host = [device for device in onnxruntime.get_ep_devices() if device.ep_name == "CPUExecutionProvider"]
    assert assigned(opened(digits_model, before=host, calibration="noise")) == []
    compiled = context_model(source=NAME, ep_cache_context="missing.vta")
    compiled.graph.node.insert(0, helper.make_node("Relu", ["x"], ["data"], "relu"))
    compiled.graph.input[0].name = "x"
    file = tmp_path / "compiled.onnx"
    onnx.save(compiled, str(file))
    with pytest.raises(Exception, match="missing.vta: no such file"):
        opened(file, before=host)


def test_errors_of_a_run_are_the_toolkits(root, opened):
    theirs = opened(root / "tests" / "onnx" / "quantized" / "small.qdq_s8.onnx")
    info = theirs.get_inputs()[0]
    with pytest.raises(Exception, match="NaN"):
        theirs.run(None, {info.name: np.full(info.shape, np.nan, np.float32)})


def test_threads_share_a_session(root, opened):
    theirs = opened(root / "tests" / "onnx" / "quantized" / "small.qdq_s8.onnx")
    info = theirs.get_inputs()[0]
    images = [image(*info.shape) for _ in range(16)]
    expected = [theirs.run(None, {info.name: x})[0] for x in images]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda x: theirs.run(None, {info.name: x})[0], images))
    np.testing.assert_array_equal(results, expected)


def test_bytes_that_are_quantized_are_outputs(opened):
    """uint8 and int8, of a QuantizeLinear at the end."""
    for zero in (np.uint8(100), np.int8(-3)):
        q = [numpy_helper.from_array(np.float32(0.05), "s"), numpy_helper.from_array(zero, "z"), numpy_helper.from_array(np.float32(0.01), "sw"),
             numpy_helper.from_array(RANDOM.integers(-100, 100, (16, 8, 3, 3)).astype(np.int8), "w"), numpy_helper.from_array(np.int8(0), "zw")]
        node = helper.make_node
        nodes = [node("QuantizeLinear", ["x", "s", "z"], ["xq"]), node("DequantizeLinear", ["xq", "s", "z"], ["xd"]), node("DequantizeLinear", ["w", "sw", "zw"], ["wd"]),
                 node("Conv", ["xd", "wd"], ["c"], pads=[1] * 4), node("QuantizeLinear", ["c", "s", "z"], ["y"])]
        graph = helper.make_graph(nodes, "bytes", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 8, 6, 6])],
                                  [helper.make_tensor_value_info("y", helper.np_dtype_to_tensor_dtype(zero.dtype), [1, 16, 6, 6])], q)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8).SerializeToString()
        x = image(1, 8, 6, 6)
        y = opened(model, only=True).run(None, {"x": x})[0]
        expected = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"]).run(None, {"x": x})[0]
        assert y.dtype == zero.dtype
        assert np.abs(y.astype(int) - expected).max() <= 1


def profile_of(session):
    """The events of ONNX Runtime's profile."""
    file = pathlib.Path(session.end_profiling())
    events = json.loads(file.read_text())
    file.unlink()
    return events


of_profiles = pytest.mark.skipif(tuple(map(int, onnxruntime.__version__.split(".")[:2])) < (1, 25), reason="ONNX Runtime takes events of plug-in providers from 1.25 on")


@of_profiles
def test_a_profile_has_the_runs_of_the_core_and_their_layers(root, opened, tmp_path):
    file = root / "tests" / "onnx" / "quantized" / "small.qdq_s8.onnx"
    theirs = opened(file, device="cycle", profile=tmp_path / "profile")
    info = theirs.get_inputs()[0]
    x = image(*info.shape)
    for _ in range(2):
        theirs.run(None, {info.name: x})
    events = profile_of(theirs)
    nodes = [event for event in events if event["cat"] == "Node" and event["args"].get("provider") == NAME]
    assert len(nodes) == 2
    with vta.Session(vta.compile(file), device="cycle") as mine:
        mine.run(x)
        cycles, layers = mine.report.cycles, [(layer.name, layer.where) for layer in mine.report.layers]
    for node in nodes:
        def of_node(event):
            inside = node["ts"] <= event["ts"] and event["ts"] + event["dur"] <= node["ts"] + node["dur"] + 1
            return event["cat"] == "Kernel" and inside and (event["pid"], event["tid"]) == (node["pid"], node["tid"])
        run, *of_layers = [event["args"] | {"name": event["name"]} for event in events if of_node(event)]
        assert int(run["cycles"]) == cycles
        assert [(layer["name"], layer["where"]) for layer in of_layers] == layers
        assert sum(int(layer.get("cycles", 0)) for layer in of_layers) == cycles  # layers of the host have none


@of_profiles
def test_a_run_that_is_refused_adds_no_runs_of_other_sessions_to_the_profile(root, opened, tmp_path):
    file = root / "tests" / "onnx" / "quantized" / "small.qdq_s8.onnx"
    profiled, other = opened(file, log=4, profile=tmp_path / "profile"), opened(file)
    info = profiled.get_inputs()[0]
    with pytest.raises(Exception, match="Invalid rank for input"):
        profiled.run(None, {info.name: np.zeros(7, np.float32)})
    other.run(None, {info.name: image(*info.shape)})
    assert [event["name"] for event in profile_of(profiled) if event["cat"] == "Kernel"] == []


def test_the_package_onnxruntime_ep_vta_names_the_library(root):
    """As the packages of other plug-in providers do."""
    folder = root / "tools" / "onnxruntime_ep" / "python"
    program = f"import sys; sys.path.insert(0, {str(folder)!r}); import onnxruntime_ep_vta as ep; print(ep.get_library_path(), ep.get_ep_name(), *ep.get_ep_names())"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (run.stdout.split(), run.stderr) == ([LIBRARY, NAME, NAME], "")
    without = subprocess.run([sys.executable, "-c", "import sys; sys.modules['vta'] = None; " + program], capture_output=True, text=True)
    assert "RuntimeError: onnxruntime-ep-vta needs the VTA toolkit, not PyPI's vta: pip install vta-" in without.stderr
