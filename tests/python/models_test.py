# SPDX-License-Identifier: Apache-2.0
"""Models in memory, calibration inputs of several inputs, and the warning of noise."""
import io
import sys
import types
import warnings

import numpy as np
import pytest

import vta

TWO_INPUTS = "tests/onnx/two_inputs.onnx"
SMALL = "tests/onnx/quantized/small.qdq_s8.onnx"


@pytest.fixture
def file_bytes(root):
    return (root / TWO_INPUTS).read_bytes()


def outputs(program):
    rng = np.random.default_rng(3)
    feed = {"image": rng.standard_normal((1, 16, 4, 4)).astype(np.float32), "mode": np.array([1], np.int32)}
    return vta.Session(program, "functional").run(feed)[0]


def calibration(count):
    return {"image": np.random.default_rng(1).standard_normal((count, 16, 4, 4)).astype(np.float32),
            "mode": np.arange(count, dtype=np.int32) % 2}


def test_a_model_may_be_the_bytes_of_a_file(file_bytes):
    feeds = calibration(4)
    expected = outputs(vta.compile(TWO_INPUTS, calibrate=feeds))
    for model in (file_bytes, bytearray(file_bytes), memoryview(file_bytes), vta.Network(file_bytes)):
        np.testing.assert_array_equal(outputs(vta.compile(model, calibrate=feeds)), expected)


def test_a_model_may_be_a_proto(file_bytes):
    proto = types.SimpleNamespace(SerializeToString=lambda: file_bytes)  # what counts of onnx.ModelProto
    assert [info.name for info in vta.Network(proto).inputs] == ["image", "mode"]
    onnx = pytest.importorskip("onnx")
    assert [info.name for info in vta.Network(onnx.load_from_string(file_bytes)).inputs] == ["image", "mode"]


def test_other_models_are_refused_by_their_type(file_bytes):
    with pytest.raises(vta.InvalidArgumentError, match=r"expected a Network, a file, .* or a torch.nn.Module, got int"):
        vta.compile(3)
    with pytest.raises(vta.Error, match="^the model in memory: "):
        vta.compile(file_bytes[:100])
    with pytest.raises(vta.InvalidArgumentError, match="preprocess is an option of the Network"):
        vta.compile(vta.Network(SMALL), preprocess="none")


def test_preprocess_is_an_option_of_compile(root):
    photo = root / "configs/networks/samples/landscape_32.png"
    program = vta.compile(SMALL, preprocess="none")
    np.testing.assert_array_equal(program.read_input(photo), vta.compile(vta.Network(SMALL, preprocess="none")).read_input(photo))


class Module:
    """Stands for torch.nn.Module: torch itself is hundreds of megabytes."""

    def __init__(self):
        self.training = True
        self.exported_in_training = None

    def forward(self, image, mode):
        raise NotImplementedError  # only its parameters are read

    def eval(self):
        for part in self.modules():
            part.training = False

    def modules(self):
        return [self]


class FakeTensor(np.ndarray):
    """Stands for torch.Tensor."""


@pytest.fixture
def torch(monkeypatch, file_bytes):
    """Stands for the package; its exporter writes a model of ours and keeps what it was called with."""
    fake = types.ModuleType("torch")
    calls = []

    def export(module, example, file, dynamo=True, **options):
        assert not dynamo
        module.exported_in_training = module.training
        calls.append((example, options))
        if options.get("input_names") == ["bad"]:
            raise RuntimeError("no such operator")
        with open(file, "wb") as out:
            out.write(file_bytes)

    def zeros(*shape):
        return np.zeros(shape, np.float32).view(FakeTensor)

    fake.nn, fake.onnx = types.SimpleNamespace(Module=Module), types.SimpleNamespace(export=export)
    fake.Tensor, fake.from_numpy, fake.zeros = FakeTensor, lambda array: array.view(FakeTensor), zeros
    fake.calls = calls
    monkeypatch.setitem(sys.modules, "torch", fake)
    return fake


def test_a_module_is_exported_in_evaluation_mode(torch):
    module = Module()
    assert [info.name for info in vta.Network(module, example=torch.zeros(1, 3, 8, 8)).inputs] == ["image", "mode"]
    assert (module.exported_in_training, module.training) == (False, True)
    vta.Network(module, input_shapes={"image": (1, 16, 4, 4), "mode": (1, )})
    vta.compile(module, calibrate=[calibration(1), calibration(1)])
    vta.compile(module, calibrate=dict(reversed(calibration(2).items())))  # the order is that of forward()
    shapes = [[tensor.shape for tensor in example] for example, _ in torch.calls]
    assert shapes == [[(1, 3, 8, 8)], *[[(1, 16, 4, 4), (1, )]] * 3]
    assert [options.get("input_names") for _, options in torch.calls] == [None, *[["image", "mode"]] * 3]
    assert all(isinstance(tensor, FakeTensor) for example, _ in torch.calls for tensor in example)


def test_each_part_of_a_module_keeps_its_mode(torch):
    module, frozen = Module(), Module()
    frozen.training = False
    module.modules = lambda: [module, frozen]
    vta.Network(module, example=torch.zeros(1, 3, 8, 8))
    assert (module.training, frozen.training) == (True, False)


@pytest.mark.parametrize("options, message", [
    ({"example": {"images": 1}}, "a Module has no input 'images': its forward\\(\\) takes image, mode"),
    ({"example": np.zeros((1, 3), np.float32), "input_shapes": {"a": (9, 9)}},
     r"input_shapes are \[\(9, 9\)\], the example has \[\(1, 3\)\]: give one of both"),
    ({"example": np.zeros((1, 3), np.float32), "input_shapes": {"a": (1, ), "b": (2, )}}, "give one of both"),
])
def test_an_example_that_does_not_fit_is_refused(torch, options, message):
    with pytest.raises(vta.InvalidArgumentError, match=message):
        vta.Network(Module(), **options)


@pytest.mark.parametrize("make", [vta.Network, vta.compile])
def test_an_example_is_for_modules(make):
    with pytest.raises(vta.InvalidArgumentError, match="example: it traces a torch.nn.Module; the model is a str"):
        make("digits.json", example=3)


def test_a_module_needs_an_example_and_its_exporter_s_errors_are_ours(torch):
    with pytest.raises(vta.InvalidArgumentError, match=r"a Module does not state the shape of its input; give example="):
        vta.compile(Module())
    with pytest.raises(vta.UnsupportedError, match="torch.onnx.export does not export this Module: no such operator"):
        vta.compile(Module(), input_shapes={"bad": (1, 3)})


def test_a_module_of_torch_has_the_results_of_its_file(tmp_path):
    torch = pytest.importorskip("torch")
    module = torch.nn.Sequential(torch.nn.Conv2d(3, 16, 3), torch.nn.ReLU(), torch.nn.Flatten(), torch.nn.Linear(16 * 36, 4))
    images = np.random.default_rng(1).random((8, 3, 8, 8), np.float32)
    program = vta.compile(module, calibrate=images)
    scores = vta.Session(program, "functional").run(images[:1])[0]
    with torch.no_grad():
        np.testing.assert_allclose(scores, module.eval()(torch.from_numpy(images[:1])).numpy(), atol=0.1)


def test_several_inputs_are_calibrated_on_arrays(tmp_path):
    feeds = calibration(3)
    np.savez(tmp_path / "feeds.npz", **feeds)
    single = [{name: array[i:i + 1] for name, array in feeds.items()} for i in range(3)]
    programs = [vta.compile(TWO_INPUTS, calibrate=calibrate) for calibrate in (f"npz:{tmp_path}/feeds.npz", feeds, single)]
    assert {program.calibration for program in programs} == {"3 images"}
    for program in programs[1:]:
        np.testing.assert_array_equal(outputs(program), outputs(programs[0]))


def test_calibration_arrays_of_several_inputs_are_checked():
    feeds = calibration(2)
    for calibrate, message in (
        (feeds["image"], "two_inputs has 2 inputs; calibrate must be a dictionary of arrays by input, or a sequence of dictionaries"),
        ([], "calibrate holds no inputs"),
        ({"image": feeds["image"]}, "expected inputs image, mode, got image"),
        ({**feeds, "image": feeds["image"].astype(np.float64)}, "input image: expected float32, got float64"),
        ({**feeds, "image": feeds["image"][0]}, r"input image: expected shape \[1, 16, 4, 4\], got \[16, 4, 4\]"),
        ({**feeds, "image": feeds["image"][:, :8]}, r"array 'image' is .*\[2, 8, 4, 4\], the network's input is float32\[1, 16, 4, 4\]"),
        ({**feeds, "mode": feeds["mode"][:1]}, "array 'mode' has 1 row, array 'image' has 2"),
    ):
        with pytest.raises(vta.InvalidArgumentError, match=message):
            vta.compile(TWO_INPUTS, calibrate=calibrate)


@pytest.mark.parametrize("model", ["digits.json", TWO_INPUTS])
@pytest.mark.parametrize("calibrate", [5, np.float32(1), np.array(1)])
def test_calibration_that_holds_nothing_is_refused(model, calibrate):
    with pytest.raises(vta.InvalidArgumentError, match=f"calibrate: expected a data set, an array, .* got {type(calibrate).__name__}"):
        vta.compile(model, calibrate=calibrate)


def test_calibration_inputs_may_come_from_a_generator():
    images = vta.Program.read_input(vta.compile("digits.json"))
    assert vta.compile("digits.json", calibrate=(images for _ in range(3))).calibration == "3 images"
    assert vta.compile(TWO_INPUTS, calibrate=(calibration(1) for _ in range(2))).calibration == "2 images"


@pytest.mark.parametrize("name, array", [("mode", np.int32(1)), ("image", np.zeros((1, 16, 5, 4), np.float32))])
def test_a_calibration_input_of_another_shape_is_named(name, array):
    with pytest.raises(vta.InvalidArgumentError, match=name):
        vta.compile(TWO_INPUTS, calibrate=[calibration(1), {**calibration(1), name: array}])


def test_one_input_may_be_calibrated_by_its_name():
    images = np.random.default_rng(1).random((3, 1, 8, 8), np.float32)
    name = vta.Network("digits.json").inputs[0].name
    assert vta.compile("digits.json", calibrate={name: images}).calibration == "3 images"
    assert vta.compile("digits.json", calibrate=[{name: images[:1]}, {name: images[1:2]}]).calibration == "2 images"


def test_scales_of_noise_are_warned_of():
    with pytest.warns(vta.CalibrationWarning, match="two_inputs: the scales were calibrated on noise; choose inputs with calibrate=") as seen:
        vta.compile(TWO_INPUTS)
    assert seen[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        vta.compile("digits.json")
        vta.compile(TWO_INPUTS, calibrate=calibration(2))


class FakeBar(io.StringIO):
    """Stands for tqdm's."""

    made = []

    def __init__(self, **options):
        super().__init__()
        self.n = 0.0
        FakeBar.made.append(self)

    def set_description_str(self, text):
        self.write(text)

    def refresh(self):
        pass


@pytest.mark.parametrize("in_notebook", [False, True])
def test_a_bar_is_shown_in_jupyter_where_tqdm_is(monkeypatch, in_notebook):
    shell = types.SimpleNamespace(**({"kernel": None} if in_notebook else {}))
    ipython, tqdm, auto = types.ModuleType("IPython"), types.ModuleType("tqdm"), types.ModuleType("tqdm.auto")
    ipython.get_ipython = lambda: shell
    tqdm.__spec__ = types.SimpleNamespace(name="tqdm")  # find_spec() looks at it
    auto.tqdm = FakeBar
    for name, module in (("IPython", ipython), ("tqdm", tqdm), ("tqdm.auto", auto)):
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.setattr(FakeBar, "made", [])
    vta.compile("digits.json")
    assert len(FakeBar.made) == in_notebook
    vta.compile("digits.json", progress=False)
    assert len(FakeBar.made) == in_notebook
    vta.compile("digits.json", progress=True)
    assert len(FakeBar.made) == in_notebook + 1
    assert [bar.n for bar in FakeBar.made] == [1.0] * len(FakeBar.made)  # tqdm draws a bar that ends before in red
