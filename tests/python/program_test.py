# SPDX-License-Identifier: Apache-2.0
"""Compiling, saving and describing programs."""
import concurrent.futures
import multiprocessing
import os
import pathlib
import pickle
import signal
import types

import numpy as np
import pytest

import vta
from vta import network


def test_a_program_describes_itself(digits):
    assert (digits.network, digits.core, digits.mode) == ("digits", "vta_1x16", "fused")
    assert digits.macs == digits.macs_on_core == 1_123_648
    assert str(digits.inputs[0]).endswith("float32[1, 1, 8, 8]")
    assert digits.outputs[0].shape == (1, 10)
    assert digits.labels == tuple("0123456789")
    assert digits.batch == 1 and digits.output_kind == "classes"
    assert "digits for vta_1x16" in repr(digits)


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_a_seed_is_an_unsigned_integer(seed):
    with pytest.raises(vta.InvalidArgumentError, match=f"seed: expected an integer from 0 to {2**64 - 1}, got {seed}"):
        vta.Network("mlp.json", seed=seed)


def test_a_bare_model_is_told_how_images_become_its_input(root):
    model, photo = root / "tests/onnx/quantized/small.qdq_u8.onnx", root / "configs/networks/samples/landscape.png"
    with pytest.raises(vta.InvalidArgumentError, match="preprocess"):
        vta.compile(model).read_input(photo)
    pixels = vta.compile(vta.Network(model, preprocess="none", resize="stretch")).read_input(photo)
    assert pixels.min() >= 0 and pixels.max() > 1
    options = {"preprocess": "none", "mean": 0.5, "std": (0.5, 0.25, 1), "scale": "1/255", "resize": "stretch"}
    scaled = vta.compile(vta.Network(model, **options)).read_input(photo)
    expected = (pixels / 255 - 0.5) / np.array([0.5, 0.25, 1]).reshape(1, 3, 1, 1)
    np.testing.assert_allclose(scaled, expected, atol=1e-6)


def test_layers_are_a_table(digits):
    assert {layer.where for layer in digits.layers} == {"core", "host"}
    lines = str(digits.layers).splitlines()
    assert lines[0].split()[:4] == ["name", "op", "where", "macs"]
    assert len(lines) == len(digits.layers) + 1
    assert "<table>" in digits.layers._repr_html_()
    printed = []
    digits.layers._repr_pretty_(types.SimpleNamespace(text=printed.append), False)
    assert printed == [str(digits.layers)]


def test_layers_become_a_pandas_frame(digits):
    pytest.importorskip("pandas")
    frame = digits.layers.to_pandas()
    assert list(frame["name"]) == [layer.name for layer in digits.layers]


def test_programs_are_saved_and_loaded(digits, tmp_path):
    digits.save(tmp_path / "digits.vta")
    loaded = vta.Program.load(tmp_path / "digits.vta")
    assert loaded.layers == digits.layers
    image = digits.read_input()
    for mine, other in zip(vta.Session(digits, "functional").run(image),
                           vta.Session(tmp_path / "digits.vta", "functional").run(image)):
        np.testing.assert_array_equal(mine, other)


def test_programs_are_pickled_by_the_bytes_of_their_files(digits, tmp_path):
    digits.save(tmp_path / "digits.vta")
    assert digits.to_bytes() == (tmp_path / "digits.vta").read_bytes()
    copy_of = pickle.loads(pickle.dumps(digits))
    assert copy_of.to_bytes() == digits.to_bytes() and copy_of.layers == digits.layers
    with concurrent.futures.ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        scores = pool.submit(scores_of, digits, digits.read_input()).result()
    np.testing.assert_array_equal(scores, scores_of(digits, digits.read_input()))
    with pytest.raises(vta.CorruptError, match="^the program in memory: "):
        vta.Program.from_bytes(digits.to_bytes()[:-1])
    with pytest.raises(vta.InvalidArgumentError, match="expected the bytes of a program file, got str"):
        vta.Program.from_bytes("digits.vta")


def test_a_program_holds_the_names_of_its_classes(digits, root, tmp_path):
    names = [f"digit {i}" for i in range(10)]
    assert vta.Program.from_bytes(vta.compile("digits.json", labels=names).to_bytes()).labels == tuple(names)
    file = tmp_path / "names.txt"
    file.write_text("\n".join(names) + "\n")
    assert vta.compile("digits.json", labels=file).labels == tuple(names)
    digits.save(tmp_path / "digits.vta")
    assert vta.Program.load(tmp_path / "digits.vta").labels == tuple("0123456789")
    with pytest.raises(vta.InvalidArgumentError, match="^labels: 2 labels for a network of 10 classes$"):
        vta.compile("digits.json", labels=["yes", "no"])
    with pytest.raises(vta.InvalidArgumentError, match=r"labels: expected names of one line each, got 'a\\nb'"):
        vta.compile("digits.json", labels=["a\nb"])
    with pytest.raises(vta.InvalidArgumentError, match="labels: expected names of one line each"):
        vta.compile("digits.json", labels=["\udc80"] * 10)  # of a file name that is not UTF-8


def scores_of(program, image):
    return vta.Session(program, "functional").run(image)[0]


def test_options_are_those_of_the_tool():
    program = vta.compile("digits.json", core="vta_4x8", mode="compatible", quantize="global")
    assert (program.core, program.mode, program.quantize, program.batch) == ("vta_4x8", "compatible", "global", 4)
    program = vta.compile("digits.json", quantize="max", per_channel=False, equalize=True, rounding="nearest")
    assert program.quantize.startswith("max")
    assert vta.compile("digits.json", scales="free").quantize == "free"
    with pytest.raises(vta.InvalidArgumentError, match="digits is not quantized; requantize has no effect"):
        vta.compile("digits.json", requantize=True)


def test_scales_of_noise_are_warned_of_where_the_package_is_called(root):
    model = root / "tests/onnx/two_inputs.onnx"
    sample = {info.name: np.zeros(info.shape, info.dtype) for info in vta.Network(model).inputs}
    for call in (lambda: vta.compile(model), lambda: vta.evaluate(model, (sample, np.zeros(1, np.int64)))):
        with pytest.warns(vta.CalibrationWarning) as seen:
            call()
        assert [warning.filename for warning in seen] == [__file__]


def test_calibration_inputs_may_be_arrays():
    images = np.random.default_rng(1).random((3, 1, 8, 8), np.float32)
    assert vta.compile("digits.json", calibrate=images).calibration == "3 images"
    assert vta.compile("digits.json", calibrate=[images[:1], images[1:2]]).calibration == "2 images"
    with pytest.raises(vta.InvalidArgumentError, match="float64"):
        vta.compile("digits.json", calibrate=images.astype(np.float64))
    with pytest.raises(vta.InvalidArgumentError, match="no images"):
        vta.compile("digits.json", calibrate=[])


FIRST_AXIS = pathlib.Path("tests/onnx/first_axis")


def test_calibration_arrays_fill_declared_batches():
    rows = vta.Network(FIRST_AXIS / "rows_of_four.onnx")
    assert rows.batch == 4 and rows.inputs[0].shape == (4, 8)
    images = np.random.default_rng(1).standard_normal((10, 8)).astype(np.float32)
    assert vta.compile(rows, calibrate=images).calibration == "12 images", "three batches, of which the last is filled up"
    whole = [images[:4], images[4:8], np.concatenate([images[8:], images[8:9], images[8:9]])]
    programs = [vta.compile(rows, calibrate=c) for c in (images, whole, list(images), images[:8].reshape(2, 4, 8))]
    assert [program.calibration for program in programs] == ["12 images"] * 3 + ["8 images"]
    results = [vta.Session(program, "functional").run(images[:4])[0] for program in programs[:3]]
    np.testing.assert_array_equal(results[0], results[1])
    np.testing.assert_array_equal(results[0], results[2])
    with pytest.raises(vta.InvalidArgumentError, match=r"expected shape \[8\], got \[7\]"):
        vta.compile(rows, calibrate=images[:, :7])


def test_calibration_arrays_of_time_are_whole():
    steps = vta.Network(FIRST_AXIS / "steps_of_four.onnx")
    assert steps.batch == 1 and steps.inputs[0].shape == (4, 8)
    samples = np.random.default_rng(1).standard_normal((3, 4, 8)).astype(np.float32)
    assert vta.compile(steps, calibrate=samples).calibration == "3 images"
    assert vta.compile(steps, calibrate=list(samples)).calibration == "3 images"
    with pytest.raises(vta.InvalidArgumentError, match=r"expected shape \[4, 8\], got \[8\]"):
        vta.compile(steps, calibrate=samples[0])


def test_open_sizes_are_given_by_batch_axis_or_shape():
    model = FIRST_AXIS / "open_steps.onnx"
    with pytest.raises(vta.UnsupportedError, match=r"axis 0 \('T'\) of input 'x' has no known size.*--batch-axis x=0"):
        vta.Network(model)
    assert vta.Network(model, batch_axis=0).inputs[0].shape == (1, 8)
    assert vta.Network(model, batch_axis={"x": 0}).inputs[0].shape == (1, 8)
    assert vta.Network(model, input_shapes={"x": (6, 8)}).inputs[0].shape == (6, 8)
    assert vta.compile(model, input_shapes={"x": (6, 8)}).inputs[0].shape == (6, 8)
    with pytest.raises(vta.InvalidArgumentError, match="the model has no input 'z'"):
        vta.Network(model, batch_axis={"z": 0})
    with pytest.raises(vta.InvalidArgumentError, match="batch_axis is an option of the Network"):
        vta.compile(vta.Network("digits"), batch_axis=0)


def test_wrong_values_of_inputs_are_refused():
    model = FIRST_AXIS / "steps_of_four.onnx"
    with pytest.raises(vta.InvalidArgumentError, match="the model has no input 'sr'"):
        vta.Network(model, input_values={"sr": 16000})
    with pytest.raises(vta.InvalidArgumentError, match="input_values is an option of the Network"):
        vta.compile(vta.Network("digits"), input_values={"sr": 16000})


@pytest.mark.parametrize("values, text", [
    (16000, "16000"), (0.5, "0.5"), (True, "1"), (np.False_, "0"), ([True, False], "1,0"), ((1, 2.5), "1.0,2.5"),
    (np.array([[1, 2], [3, 4]]), "1,2,3,4"), ([[True], [False]], "1,0"), (np.array([[1, 2], [3, 4]]).T, "1,3,2,4"), (np.array(7), "7")])
def test_values_of_inputs_are_a_list_of_numbers(values, text):
    assert network._values_text(values) == text


def test_one_name_keeps_one_layer_in_float(digits):
    assert vta.compile("digits.json", keep_float="conv1").to_bytes() != digits.to_bytes()
    for names in ("auto:30", "conv1"):
        chosen = vta.compile("digits.json", keep_float=names)
        assert chosen.to_bytes() == vta.compile("digits.json", keep_float=[names]).to_bytes()
        assert chosen.to_bytes() == vta.compile("digits.json", keep_float=(name for name in [names])).to_bytes()
    with pytest.raises(vta.InvalidArgumentError, match="'nothing'"):
        vta.compile("digits.json", keep_float="nothing")


def test_errors_are_exceptions_with_the_library_s_message(tmp_path):
    with pytest.raises(vta.NotFoundError, match="no_such_network"):
        vta.compile("no_such_network")
    with pytest.raises(vta.InvalidArgumentError, match="fast"):
        vta.compile("digits.json", mode="fast")
    with pytest.raises(ValueError, match="keep_float|nothing"):
        vta.compile("digits.json", keep_float=["nothing"])
    (tmp_path / "bad.vta").write_bytes(b"not a program")
    with pytest.raises(vta.CorruptError):
        vta.Program.load(tmp_path / "bad.vta")


def test_images_become_inputs(digits, root):
    sample = digits.read_input(root / "configs/networks/digits/sample.png")
    np.testing.assert_array_equal(sample, digits.read_input())
    gray = np.zeros((8, 8, 3), np.uint8)
    assert digits.preprocess(gray).shape == (1, 1, 8, 8)
    assert np.ptp(digits.preprocess(gray)) == 0
    with pytest.raises(vta.InvalidArgumentError, match="uint8"):
        digits.preprocess(gray.astype(np.float32))
    sample = root / "configs/networks/digits/sample.png"
    np.testing.assert_array_equal(digits.decode_input(sample.read_bytes()), digits.read_input(sample))
    with pytest.raises(vta.CorruptError, match="the image"):
        digits.decode_input(sample.read_bytes()[:50])
    noise = digits.read_input("noise:3")
    assert noise.std() > 0.5 and not np.array_equal(noise, digits.read_input("noise:4"))


def test_progress_is_reported_and_exceptions_pass_through():
    seen = []
    vta.compile("digits.json", progress=lambda what, fraction: seen.append((what, fraction)))
    assert "quantize" in {what for what, _ in seen}
    assert all(0 <= fraction <= 1 for _, fraction in seen)

    def stop(what, fraction):
        raise KeyError(what)

    with pytest.raises(KeyError):
        vta.compile("digits.json", progress=stop)


def test_ctrl_c_cancels_compilation():
    raised = []

    def interrupt(what, fraction):
        if not raised:
            raised.append(what)
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        vta.compile("resnet20_cifar", progress=interrupt)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_the_reference_is_fp32(digits, session):
    fp32 = vta.Reference(vta.Network("digits.json"))
    image = digits.read_input()
    expected, int8 = fp32.run(image)[0], session.run(image)[0]
    np.testing.assert_allclose(int8, expected, atol=0.5)
    assert not np.array_equal(int8, expected)


def test_networks_have_options():
    network = vta.Network("resnet20_cifar", weights="synthetic", seed=7)
    assert network.inputs[0].shape == (1, 3, 32, 32)
    assert vta.Network("squeezenet1.1", input_size=(64, 96)).inputs[0].shape == (1, 3, 64, 96)
    with pytest.raises(vta.InvalidArgumentError, match="seed is an option of the Network"):
        vta.compile(network, seed=3)
