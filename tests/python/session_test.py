# SPDX-License-Identifier: Apache-2.0
"""Running programs: results, reports, errors, threads and lifetimes."""
import concurrent.futures
import gc
import os
import resource
import signal
import threading
import time

import numpy as np
import pytest

import vta
from vta.board import device_uri


def test_a_digit_is_classified(digits, session):
    outputs = session.run(digits.read_input())
    assert [output.shape for output in outputs] == [(1, 10)]
    assert digits.labels[vta.top_classes(outputs[0])[0]] == "7"


@pytest.mark.parametrize("name", ["model.onnx", "MODEL.ONNX", "digits.json", "net.vtaq"])
def test_a_session_of_a_network_says_to_compile_it_first(name):
    with pytest.raises(vta.InvalidArgumentError, match=f"{name} is a network: compile it first, vta.Session\\(vta.compile\\('{name}'"):
        vta.Session(name)


def test_a_session_of_the_name_of_a_network_says_to_compile_it_first(tmp_path):
    with pytest.raises(vta.NotFoundError, match=r"^digits: .*; a network has to be compiled first: vta.Session\(vta.compile\('digits'\)\)$"):
        vta.Session("digits")
    with pytest.raises(vta.NotFoundError) as missing:
        vta.Session(tmp_path / "missing.vta")
    assert "compiled first" not in str(missing.value)


def test_a_session_of_bytes_names_what_reads_them(digits):
    with pytest.raises(vta.InvalidArgumentError, match=r"program: got bytes; vta.Program.from_bytes\(\)"):
        vta.Session(digits.to_bytes())


def test_a_session_of_something_else_names_its_type():
    with pytest.raises(vta.InvalidArgumentError, match="expected a vta.Program or a .vta file, got Network: compile it first"):
        vta.Session(vta.Network("digits.json"))


def test_providers_are_named_as_in_onnx_runtime(session):
    assert session.get_providers() == ["VTAExecutionProvider", "CPUExecutionProvider"]


def test_run_on_board_takes_files_pixels_and_inputs(digits, root):
    sample = root / "configs/networks/digits/sample.png"
    pixels = np.zeros((8, 8, 3), np.uint8)
    with vta.Server("functional") as server:
        board = f"127.0.0.1:{server.port}"
        results = vta.run_on_board(board, digits, [sample, pixels, digits.read_input()])
        assert len(vta.run_on_board(server.uri, digits, str(sample))) == 1
    assert digits.labels[vta.top_classes(results[0][0])[0]] == "7"
    np.testing.assert_array_equal(results[0][0], results[2][0])
    with vta.Session(digits, "functional") as here:
        np.testing.assert_array_equal(results[1][0], here.run(digits.preprocess(pixels))[0])


@pytest.mark.parametrize("board, expected", [
    ("pynq", "rpc://pynq:9091"), ("pynq:9092", "rpc://pynq:9092"), ("10.0.0.11", "rpc://10.0.0.11:9091"), ("::1", "rpc://[::1]:9091"),
    ("[::1]:5", "rpc://[::1]:5"), ("[::1]", "rpc://[::1]:9091"), ("rpc://a:1?insecure=1", "rpc://a:1?insecure=1"), ("labgrid:pynq-1", "labgrid:pynq-1"), ("uio:", "uio:")])
def test_a_board_is_a_host_or_a_uri(board, expected):
    assert device_uri(board) == expected


def test_a_server_that_does_not_answer_is_said_before_a_network_is_compiled():
    absent = "rpc://127.0.0.1:1"
    with pytest.raises(vta.InputOutputError, match=f"{absent}: cannot connect"):
        vta.evaluate("digits.json", "npz:nothing.npz", device=absent)  # compiling it ends in another error, of the data set
    with pytest.raises(vta.InputOutputError, match=f"{absent}: cannot connect"):
        vta.require_reachable(absent)
    with pytest.raises(vta.NotFoundError, match="unknown scheme 'nothing'"):
        vta.require_reachable("nothing:")
    with vta.Server("functional") as server:
        vta.require_reachable(server.uri)


def test_outputs_have_the_sizes_of_the_run(tmp_path):
    network = vta.Network("tests/onnx/detector.onnx")
    program = vta.compile(network)
    assert [output.shape for output in program.outputs] == [(40, 3), (40, 4)]
    program.save(tmp_path / "detector.vta")
    image = np.zeros((1, 3, 8, 8), np.float32)
    image[0, 0, 0, 0] = 2  # few boxes have scores
    with vta.Session(vta.Program.load(tmp_path / "detector.vta"), device="functional") as session:
        selected, boxes = session.run(image)
    assert 0 < len(selected) < 40
    assert selected.shape == (len(selected), 3) and boxes.shape == (len(selected), 4)
    assert set(selected[:, 0]) == {0} and set(selected[:, 1]) <= {0, 1} and selected[:, 2].max() < 64
    selected, boxes = vta.Reference(network).run(image)
    assert 0 < len(selected) <= 40 and boxes.shape == (len(selected), 4)


@pytest.mark.filterwarnings("ignore::vta.CalibrationWarning")
@pytest.mark.parametrize("model, names", [("two_inputs", ["scores"]), ("detector", ["selected", "pixels"])])
def test_outputs_have_their_names_in_the_model(model, names):
    network = vta.Network(f"tests/onnx/{model}.onnx")
    for of in (network, vta.compile(network)):
        assert [output.name for output in of.outputs] == names


def test_every_simulator_computes_the_same(digits, session):
    image = digits.read_input()
    expected = session.run(image)[0]
    assert session.report.cycles is None
    cycles = set()
    for device in ("cycle", "rtl"):
        with vta.Session(digits, device=device) as timed:
            np.testing.assert_array_equal(timed.run(image)[0], expected)
            cycles.add(timed.report.cycles)
    assert len(cycles) == 1


def test_reports_add_up(digits):
    session = vta.Session(digits, device="cycle")
    with pytest.raises(vta.InvalidArgumentError, match="has not run"):
        session.report
    session.run(digits.read_input())
    report = session.report
    assert session.report is report
    assert sum(layer.counters.cycles or 0 for layer in report.layers) == report.cycles
    assert [(layer.name, layer.counters.gemm_counter) for layer in report.layers] == [
        (layer.name, layer.gemm_counter) for layer in digits.layers]
    assert report.counters.gemm_counter > 4000
    for states in report.counters.stages.values():
        assert sum(states.values()) == report.cycles
    assert "cycles" in str(report).splitlines()[0]


def test_reports_become_pandas_frames(digits):
    pytest.importorskip("pandas")
    session = vta.Session(digits, device="cycle")
    session.run(digits.read_input())
    frame = session.report.to_pandas()
    assert frame["cycles"].sum() == session.report.cycles
    assert "stages.gemm.wait_token" in frame.columns


def test_inputs_by_name(digits, session):
    image = digits.read_input()
    by_name = session.run({digits.inputs[0].name: image})
    np.testing.assert_array_equal(by_name[0], session.run(image)[0])
    with pytest.raises(vta.InvalidArgumentError, match=r"expected inputs .*, got other"):
        session.run({"other": image})


def test_wrong_inputs_are_refused(session):
    with pytest.raises(vta.InvalidArgumentError, match=r"expected 1 input \("):
        session.run()
    with pytest.raises(vta.InvalidArgumentError, match=r"expected float32, got float64"):
        session.run(np.zeros((1, 1, 8, 8)))
    with pytest.raises(vta.InvalidArgumentError, match=r"expected float32, got float32 in the other byte order; convert it"):
        session.run(np.zeros((1, 1, 8, 8), ">f4"))
    with pytest.raises(vta.InvalidArgumentError, match=r"expected shape \[1, 1, 8, 8\], got \[1, 8, 8\]"):
        session.run(np.zeros((1, 8, 8), np.float32))
    image = np.zeros((1, 1, 8, 8), np.float32)
    image[0, 0, 7, 6] = np.nan
    with pytest.raises(vta.InvalidArgumentError, match="element 62 of input data is NaN, expected a number"):
        session.run(image)


def test_strided_inputs_are_read_by_value(digits, session):
    image = digits.read_input()
    wide = np.zeros((1, 1, 8, 16), np.float32)
    wide[..., ::2] = image
    np.testing.assert_array_equal(session.run(wide[..., ::2])[0], session.run(image)[0])


def test_devices_are_listed():
    kinds = {kind.uri.partition(":")[0].partition("[")[0]: kind.what for kind in vta.devices()}
    assert {"functional", "cycle", "rtl", "rpc", "uio"} <= set(kinds)
    with pytest.raises(vta.NotFoundError, match="unknown scheme"):
        vta.Session(vta.compile("digits.json"), device="gpu")


@pytest.mark.parametrize("state, error", [("unknown", "the FPGA is not configured .*vta-flash --board"),
                                          ("operating", "no core is there; another design is loaded.*vta-flash --board")])
def test_a_board_without_the_core_is_refused(digits, tmp_path, state, error):
    files = {"sys/class/uio/uio0/name": "fabric\n", "sys/class/uio/uio0/maps/map0/addr": "0x40000000\n",
             "sys/class/uio/uio0/maps/map0/size": "0x10000\n", "sys/class/fpga_manager/fpga0/state": f"{state}\n",
             "dev/uio0": "\x11" * 0x10000}
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    with pytest.raises(vta.Error, match=error):
        vta.Session(digits, device=f"uio:,root={tmp_path}")


def test_a_server_serves_a_device(digits, session):
    image = digits.read_input()
    with vta.Server("cycle") as server, vta.Session(digits, device=server.uri) as remote:
        np.testing.assert_array_equal(remote.run(image)[0], session.run(image)[0])
        assert remote.report.cycles > 0


def test_a_stopped_server_is_an_error(digits):
    server = vta.Server("functional")
    session = vta.Session(digits, device=server.uri)
    server.close()
    with pytest.raises(vta.Error):
        session.run(digits.read_input())


@pytest.mark.parametrize("token", ["", "x", "0123456789abcde", "0123456789abcdef\0", "\0", "0123456789 abcdef", "x" * 257, "0123456789abcdé"],
                         ids=["empty", "one", "short", "nul", "only a nul", "space", "long", "not ascii"])
def test_a_server_s_token_follows_the_rules_of_files(token):
    with pytest.raises(vta.InvalidArgumentError, match="token|NUL") as raised:
        vta.Server("functional", token=token)
    assert len(token) < 8 or token not in str(raised.value)


def test_a_server_with_a_token_wants_it(digits, session, tmp_path):
    token, image = "0123456789abcdef", digits.read_input()
    (tmp_path / "token").write_text(token)
    with vta.Server("functional", token=token, listen="127.0.0.1") as server:
        with pytest.raises(vta.Error, match="token"):
            vta.Session(digits, device=server.uri)
        with vta.Session(digits, device=f"{server.uri}?token-file={tmp_path}/token") as remote:
            np.testing.assert_array_equal(remote.run(image)[0], session.run(image)[0])


# Every text that the package gives to the library, to a tool or to the system.
TEXTS = {
    "Network": lambda text, digits: vta.Network(text),
    **{f"Network {name}": (lambda name: lambda text, digits: vta.Network("digits.json", **{name: text}))(name)
       for name in ("weights", "preprocess", "scale", "channels", "layout", "resize")},
    "Network mean": lambda text, digits: vta.Network("digits.json", mean=[text]),
    "Network std": lambda text, digits: vta.Network("digits.json", std=[text]),
    "compile": lambda text, digits: vta.compile(text),
    **{f"compile {name}": (lambda name: lambda text, digits: vta.compile("digits.json", **{name: text}))(name)
       for name in ("core", "calibrate", "quantize", "scales", "rounding", "mode", "first_convolution", "start", "stop", "schedules", "tuned_for", "weights")},
    "compile keep_float": lambda text, digits: vta.compile("digits.json", keep_float=[text]),
    "Program.load": lambda text, digits: vta.Program.load(text),
    "save": lambda text, digits: digits.save(text),
    "read_input": lambda text, digits: digits.read_input(text),
    "Device": lambda text, digits: vta.Device(text, digits),
    "Session": lambda text, digits: vta.Session(digits, device=text),
    "Session program": lambda text, digits: vta.Session(text),
    "Dataset": lambda text, digits: vta.Dataset(text, digits),
    **{f"Server {name}": (lambda name: lambda text, digits: vta.Server(**{name: text}))(name)
       for name in ("device", "core", "listen", "token", "certificate", "key")},
    "evaluate": lambda text, digits: vta.evaluate("digits.json", text, program=digits),
    "evaluate log": lambda text, digits: vta.evaluate("digits.json", "npz:digits/test.npz", log=text, program=digits),
    "tune": lambda text, digits: vta.tune(text),
    "tune log": lambda text, digits: vta.tune("digits.json", log=text),
    "explore": lambda text, digits: vta.explore("digits.json", cache=text),
    "explore model": lambda text, digits: vta.explore(text, cache="cores"),
}


@pytest.mark.parametrize("name", TEXTS)
def test_texts_with_a_nul_are_refused(digits, tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    for text in ("digits.json\0.onnx", "\0", "functional\0?"):
        with pytest.raises(vta.InvalidArgumentError, match="NUL|unexpected"):
            TEXTS[name](text, digits)
    with pytest.raises(vta.Error):
        TEXTS[name]("\ud800", digits)
    assert list(tmp_path.iterdir()) == []


def test_evaluate_gives_the_accuracy_of_the_tool():
    accuracy = vta.evaluate("digits.json", "npz:digits/test.npz", limit=100)
    assert accuracy.images == 100
    assert accuracy.top1 >= 98 and accuracy.top5 == 100 and accuracy.agreement >= 98
    images = np.zeros((3, 1, 8, 8), np.float32)
    assert vta.evaluate("digits.json", (images, np.zeros(3, int)), threads=2).images == 3


@pytest.fixture
def samples():
    """Samples of two_inputs.onnx: the class is the brightest of the first four channels, or 3 if mode is 1."""
    channels, modes = np.array([0, 1, 2, 0, 1]), np.array([0, 0, 0, 1, 1])
    images = np.zeros((5, 16, 4, 4), np.float32)
    images[np.arange(5), channels] = 1
    return {"image": images, "mode": modes.astype(np.int32)}, np.where(modes == 1, 3, channels)


def test_evaluate_takes_several_inputs(samples, tmp_path):
    inputs, labels = samples
    model = "tests/onnx/two_inputs.onnx"
    np.savez(tmp_path / "all.npz", labels=labels, **inputs)
    for dataset in ((inputs, labels), f"npz:{tmp_path}/all.npz", f"npz:{tmp_path}"):
        accuracy = vta.evaluate(model, dataset, log=tmp_path / "log")
        assert (accuracy.images, accuracy.top1, accuracy.agreement) == (5, 100, 100)
    sample = vta.Dataset(f"npz:{tmp_path}/all.npz", vta.compile(model))[3]
    assert sorted(sample) == ["image", "mode"] and sample["mode"].tolist() == [1]
    assert vta.evaluate(model, (inputs, labels), core="vta_4x8").top1 == 100


def test_evaluate_says_which_input_is_wrong(samples, tmp_path):
    inputs, labels = samples
    model = "tests/onnx/two_inputs.onnx"
    with pytest.raises(vta.InvalidArgumentError, match=r"different counts \(image: 5, mode: 4\)"):
        vta.evaluate(model, ({**inputs, "mode": inputs["mode"][:4]}, labels))
    with pytest.raises(vta.InvalidArgumentError, match="expected inputs image, mode, got image"):
        vta.evaluate(model, ({"image": inputs["image"]}, labels))
    with pytest.raises(vta.InvalidArgumentError, match="expected inputs image, mode, got one array"):
        vta.evaluate(model, (inputs["image"], labels))
    np.savez(tmp_path / "all.npz", image=inputs["image"], labels=labels)
    with pytest.raises(vta.InvalidArgumentError, match="array 'mode' is missing"):
        vta.evaluate(model, f"npz:{tmp_path}/all.npz")


def test_a_batch_takes_several_images():
    accuracy = vta.evaluate("digits.json", "npz:digits/test.npz", limit=6, core="vta_4x8")
    assert accuracy.images == 6 and accuracy.top1 == 100


# --- Threads and lifetimes ---


def test_two_sessions_on_two_threads(digits):
    image = digits.read_input()
    device = vta.Device("functional", digits)
    expected = vta.Session(digits, device).run(image)[0]

    def work(_):
        own = vta.Session(digits, device)
        return all(np.array_equal(own.run(image)[0], expected) for _ in range(30))

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        assert all(pool.map(work, range(2)))


def test_threads_share_a_session(digits, session):
    image = digits.read_input()
    expected = session.run(image)[0]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        runs = [pool.submit(session.run, image) for _ in range(40)]
        assert all(np.array_equal(run.result()[0], expected) for run in runs)


def test_threads_read_the_report_of_a_run_at_the_same_time(digits, monkeypatch):
    """All of them see that it has not been read; before, the second one asked the report of the first to be read again."""
    image, threads = digits.read_input(), 4
    meeting = threading.Barrier(threads, timeout=60)
    read = vta.session.report.read

    def slowly(handle):
        meeting.wait()
        return read(handle)

    with vta.Session(digits, device="cycle") as session, concurrent.futures.ThreadPoolExecutor(threads) as pool:
        session.run(image)
        monkeypatch.setattr(vta.session.report, "read", slowly)
        reports = [one.result() for one in [pool.submit(lambda: session.report) for _ in range(threads)]]
    assert all(one == reports[0] for one in reports) and reports[0].cycles > 0


def test_a_report_is_of_the_last_run_whatever_other_threads_do(digits):
    image = digits.read_input()
    with vta.Session(digits, device="cycle") as session, concurrent.futures.ThreadPoolExecutor(4) as pool:
        session.run(image)
        cycles = session.report.cycles
        runs = [pool.submit(session.run, image) for _ in range(20)]
        reads = [pool.submit(lambda: [session.report.cycles for _ in range(50)]) for _ in range(4)]
        assert all(run.result() for run in runs)
        assert all(value == cycles for read in reads for value in read.result())


@pytest.mark.parametrize("order", ["psd", "dsp", "spd", "dps"])
def test_objects_may_be_dropped_in_any_order(order):
    objects = {"p": vta.compile("digits.json")}
    objects["d"] = vta.Device("functional", objects["p"])
    objects["s"] = vta.Session(objects["p"], objects["d"])
    image = objects["p"].read_input()
    for name in order:
        objects[name].close()
        if "s" not in order[:order.index(name) + 1]:
            objects["s"].run(image)
    with pytest.raises(vta.InvalidArgumentError, match="closed"):
        objects["s"].run(image)


def test_a_session_closed_during_a_run_ends_the_run_first(digits):
    session = vta.Session(digits, device="rtl")
    image = digits.read_input()
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        result = pool.submit(session.run, image)
        session.close()
        try:
            assert result.result()[0].shape == (1, 10)
        except vta.InvalidArgumentError:
            pass  # closed before the run began


def test_a_thousand_sessions_do_not_grow(digits):
    device = vta.Device("functional", digits)
    image = digits.read_input()

    def many(count):
        for _ in range(count):
            vta.Session(digits, device).run(image)
        gc.collect()
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # in KiB

    before = many(100)
    assert many(900) - before < 4096, "KiB of growth; one session takes 100"


def test_objects_do_not_survive_fork(digits, session):
    child = os.fork()
    if child == 0:
        try:
            session.run(digits.read_input())
        except vta.Error as error:
            os._exit(0 if "fork" in str(error) else 2)
        os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert session.run(digits.read_input())[0].shape == (1, 10)


# --- Cancellation ---


@pytest.fixture(scope="module")
def slow():
    """A session whose run has a stream for each layer, and its input."""
    program = vta.compile("resnet20_cifar", per_layer_streams=True)
    with vta.Session(program, device="rtl") as session:
        yield session, program.read_input("noise:1")


def test_ctrl_c_cancels_a_run(slow):
    session, image = slow
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        while timer.is_alive():  # as many runs as it takes until the signal arrives
            session.run(image)
        session.run(image)
    timer.join()


def test_cancel_ends_a_run_of_another_thread(slow):
    session, image = slow
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        result = pool.submit(session.run, image)
        while not result.done():
            session.cancel()
            time.sleep(0.01)
        with pytest.raises(vta.CancelledError):
            result.result()


def test_a_progress_function_s_exception_cancels_a_run(slow):
    session, image = slow

    def stop(what, fraction):
        assert what == "running" and 0 <= fraction <= 1
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        session.run(image, progress=stop)


def test_a_progress_function_cannot_run_its_session(slow):
    session, image = slow
    with pytest.raises(vta.InvalidArgumentError, match="the session is running"):
        session.run(image, progress=lambda what, fraction: session.run(image))
    raised = []

    def note(what, fraction):
        with pytest.raises(vta.InvalidArgumentError, match="the session is running"):
            session.profile(image)
        raised.append(fraction)

    assert session.run(image, progress=note)[0].shape == (1, 10)
    assert raised


def test_images_and_scores_are_not_copied(session, digits):
    image = digits.read_input()
    expected = session.run(image)[0]
    assert session.report.copied_bytes == 0
    unaligned = np.frombuffer(bytearray(1 + image.nbytes), image.dtype, image.size, offset=1).reshape(image.shape)
    unaligned[:] = image
    np.testing.assert_array_equal(session.run(unaligned)[0], expected)
    assert session.report.copied_bytes == image.nbytes


def test_the_best_classes_are_of_one_image():
    assert vta.top_classes([[1, 3, 2]], 2) == vta.top_classes([1, 3, 2], 2) == [1, 2]
    with pytest.raises(vta.InvalidArgumentError, match=r"scores of 4 images, shape \(4, 2\): pass one of them"):
        vta.top_classes([[1, 2]] * 4)


def test_a_profile_has_the_time_of_each_layer(digits):
    with vta.Session(digits, device="cycle") as session:
        profile = session.profile(digits.read_input(), repeat=3)
        assert [layer.name for layer in profile] == [layer.name for layer in digits.layers]
        assert sum(layer.cycles or 0 for layer in profile) == session.report.cycles
        assert sum(layer.share for layer in profile) == pytest.approx(1)
        assert profile.mean_ms == pytest.approx(sum(layer.mean_ms for layer in profile))
        assert all(0 <= layer.min_ms <= layer.mean_ms * (1 + 1e-9) for layer in profile)
        assert "mean_ms" in str(profile) and "\nSum: " in str(profile) and "\nTotal: " in str(profile)
        assert [len(samples) for samples in profile.samples_ms] == [3] * len(profile)
        assert len(profile.total.results) == 3
        assert 1e3 * profile.total.mean >= profile.mean_ms
        assert "\nPlain: " in str(profile) and len(profile.plain.results) == 3
        assert [layer.shapes for layer in profile] == [layer.shapes for layer in digits.layers]
        assert all(layer.stddev_ms >= 0 for layer in profile)
        with pytest.raises(vta.InvalidArgumentError, match="repeat is 0"):
            session.profile(digits.read_input(), repeat=0)


def test_measure_takes_samples_of_several_calls():
    calls = []
    result = vta.measure(lambda: calls.append(1), repeat=3, number=4)
    assert len(calls) == 1 + 3 * 4 and len(result.results) == 3
    assert result.mean == pytest.approx(sum(result.results) / 3)
    calls.clear()
    vta.measure(lambda: calls.append(1), repeat=2, min_repeat_ms=1)
    assert len(calls) > 1 + 2 * 10  # an append takes less than 0.1 ms
    with pytest.raises(vta.InvalidArgumentError, match="number is 0"):
        vta.measure(lambda: None, number=0)


def test_layers_outside_start_and_stop_are_on_the_host():
    program = vta.compile("digits", start="layer1.1.conv1", stop="layer2.1.conv1")
    places = {layer.name: layer.where for layer in program.layers}
    assert (places["layer1.0.conv1"], places["layer1.1.conv1"], places["layer2.1.conv1"]) == ("host", "core", "host")
    np.testing.assert_array_equal(
        *(vta.Session(one, device="functional").run(one.read_input())[0] for one in (program, vta.compile("digits"))))
    with pytest.raises(vta.Error, match="did you mean 'avgpool'"):
        vta.compile("digits", stop="avgpol")


def test_networks_of_imagenet_have_its_classes():
    labels = vta.compile("squeezenet1.1").labels
    assert len(labels) == 1000 and labels[282] == "tiger cat"


def test_tuned_tilings_save_cycles_and_keep_the_results():
    def run(**options):
        program = vta.compile("digits", **options)
        with vta.Session(program, device="cycle") as session:
            return session.run(program.read_input())[0], session.report.cycles

    scores, cycles = run(schedules="none")
    tuned_scores, tuned_cycles = run(schedules="zoo")
    assert run()[1] == tuned_cycles
    assert (scores == tuned_scores).all()
    assert tuned_cycles < cycles
    assert run(schedules="zoo", tuned_for="pynq-z1")[1] == cycles
    with pytest.raises(vta.NotFoundError, match="no_such_log"):
        vta.compile("digits", schedules="no_such_log.jsonl")
