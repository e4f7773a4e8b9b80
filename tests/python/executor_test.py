# SPDX-License-Identifier: Apache-2.0
"""evaluate(), tune() and explore() on executors: any, also one that loses work, and after kills."""
import collections
import concurrent.futures
import contextlib
import json
import multiprocessing
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import vta
from vta import hit_log, json_lines, work
from vta.tune import TunedTasks

DIGITS = "digits.json"
TRIALS = 6


@pytest.fixture
def dataset(root):
    return f"npz:{root}/configs/networks/digits/test.npz"


@pytest.fixture
def processes():
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        yield pool


class HostileExecutor(concurrent.futures.Executor):
    """Does some of its work; the rest it loses, forgets, cancels, does twice, or spoils."""

    def __init__(self, seed):
        self._random = random.Random(seed)
        self._pool = concurrent.futures.ThreadPoolExecutor(2)
        self.deeds = collections.Counter()

    def submit(self, function, /, *arguments, **named):
        deed = self._random.choice(["work", "lose", "forget", "cancel", "twice", "spoil"])
        self.deeds[deed] += 1
        if deed == "work":
            return self._pool.submit(function, *arguments, **named)
        if deed == "twice":
            return self._pool.submit(lambda: [function(*arguments, **named) for _ in range(2)][1])
        future = concurrent.futures.Future()
        if deed == "lose":
            future.set_exception(RuntimeError("the machine is gone"))
        elif deed == "cancel":
            future.cancel()
        elif deed == "spoil":
            future.set_result(self._spoilt(function(*arguments, **named)))
        return future

    def _spoilt(self, result):
        """What no worker gives."""
        if not isinstance(result, np.ndarray):
            return self._random.choice([None, -result if isinstance(result, int) else [result], "no JSON"])
        wrong = result.copy()
        wrong[-1] = self._random.choice([-95, 5, 2])
        contradiction = result.copy()
        contradiction[0] = [1, 0, 1, 0, 0]
        return self._random.choice([None, 500, wrong, contradiction, result[:-1], result[:, :4], result.astype(float), result.tolist()])

    def shutdown(self, wait=True, *, cancel_futures=False):
        self._pool.shutdown(wait, cancel_futures=cancel_futures)


def square(number):
    return number * number


def check_square(number, result):
    if type(result) is not int or result != number * number:
        raise ValueError(f"{result} is not the square of {number}")


def refuse(number):
    raise vta.UnsupportedError(f"no {number}")


def stop_once(file):
    """Ends the worker that is the first to come here."""
    try:
        os.close(os.open(file, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return os.getpid()
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.parametrize("seed", range(5))
def test_each_result_comes_once_from_a_hostile_executor(seed):
    with HostileExecutor(seed) as executor:
        results = list(work.results(square, range(40), executor, check=check_square, resubmit_after=0.05))
    assert sorted(results) == [(i, i * i) for i in range(40)]
    assert all(executor.deeds[deed] for deed in ("lose", "forget", "cancel", "twice", "spoil"))


def test_errors_of_the_work_are_raised_at_once():
    with HostileExecutor(1) as executor, pytest.raises(vta.UnsupportedError, match="no [0-9]"):
        list(work.results(refuse, range(40), executor, check=check_square, resubmit_after=0.05))


def test_a_broken_pool_ends_nothing(processes, tmp_path):
    files = [str(tmp_path / name) for name in "abc"]
    for file in files[1:]:
        pathlib.Path(file).touch()
    with pytest.raises(concurrent.futures.BrokenExecutor):
        processes.submit(stop_once, files[0]).result()
    assert dict(work.results(stop_once, files, processes, check=lambda *_: None)) == dict.fromkeys(files, os.getpid())


def accuracy_of(result):
    return [getattr(result, name) for name in ("images", *hit_log.MEASURES)]


def images_in(log):
    """How often the log has each image."""
    counts = collections.Counter()
    for line in map(json.loads, log.read_text().splitlines()):
        counts.update(range(line["first"], line["first"] + len(line["top1"])))
    return counts


def test_accuracy_does_not_depend_on_shards(dataset, processes, tmp_path):
    expected = accuracy_of(vta.evaluate(DIGITS, dataset, limit=150))
    for shard in (1, 47, 1000):
        log = tmp_path / f"{shard}.jsonl"
        assert accuracy_of(vta.evaluate(DIGITS, dataset, limit=150, executor=processes, shard=shard, log=log)) == expected
        assert images_in(log) == dict.fromkeys(range(150), 1)
    with HostileExecutor(2) as executor:
        result = vta.evaluate(DIGITS, dataset, limit=150, executor=executor, shard=10, log=tmp_path / "h", resubmit_after=2)
    assert accuracy_of(result) == expected
    assert images_in(tmp_path / "h") == dict.fromkeys(range(150), 1)


def test_workers_see_that_a_network_has_changed(root, dataset, tmp_path):
    configs = pathlib.Path(root) / "configs/networks"
    shutil.copytree(configs / "digits", tmp_path / "digits")
    model = shutil.copy(configs / DIGITS, tmp_path)
    weights = tmp_path / "digits/digits.safetensors"
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        assert vta.evaluate(model, dataset, limit=60, executor=pool, shard=20).top1 > 90
        contents = weights.read_bytes()
        header = 8 + int.from_bytes(contents[:8], "little")
        weights.write_bytes(contents[:header] + bytes(len(contents) - header))  # all weights are 0
        assert vta.evaluate(model, dataset, limit=60, executor=pool, shard=20).top1 < 50


@pytest.mark.parametrize("executor", ["dask", type("Client", (), {"submit": lambda *_: "a future of Dask"})()])
def test_what_is_no_executor_is_refused(executor):
    with pytest.raises(vta.InvalidArgumentError, match="executor"):
        list(work.results(abs, [1], executor, check=check_square))


def test_evaluation_continues_after_kill(dataset, tmp_path):
    expected = accuracy_of(vta.evaluate(DIGITS, dataset))
    log = tmp_path / "log.jsonl"
    code = f"import vta; vta.evaluate({DIGITS!r}, {dataset!r}, log={str(log)!r}, shard=5, threads=1)"
    for enough in (1, 20):
        with subprocess.Popen([sys.executable, "-c", code]) as child:
            while child.poll() is None and not (log.exists() and log.read_bytes().count(b"\n") >= enough):
                time.sleep(0.002)
            child.kill()
        assert child.returncode == -signal.SIGKILL
    kept = sum(images_in(log).values())
    assert 100 <= kept < 600
    with open(log, "a") as file:
        file.write('{"key": "torn')
    seen = []
    result = vta.evaluate(DIGITS, dataset, log=log, shard=64, progress=lambda what, fraction: seen.append(what))
    assert accuracy_of(result) == expected
    assert len(seen) < 600 / 64 + kept / 5
    assert images_in(log) == dict.fromkeys(range(600), 1)


def test_logs_of_evaluations_are_merged_by_concatenation(dataset, tmp_path):
    one, two = tmp_path / "one", tmp_path / "two"
    vta.evaluate(DIGITS, dataset, limit=90, log=one, shard=40)
    vta.evaluate(DIGITS, dataset, limit=60, log=two, shard=7)
    vta.evaluate(DIGITS, dataset, limit=60, log=two, device="cycle", shard=7)  # of another key
    (tmp_path / "both").write_text(two.read_text() + one.read_text())
    seen = []
    merged = vta.evaluate(DIGITS, dataset, limit=90, log=tmp_path / "both", progress=lambda *now: seen.append(now))
    assert not seen
    assert accuracy_of(merged) == accuracy_of(vta.evaluate(DIGITS, dataset, limit=90))


def test_bad_logs_are_refused_by_line(tmp_path):
    good = {"key": "k", "first": 0, **dict.fromkeys(hit_log.MEASURES, "10")}
    for bad in ({"first": -1}, {"first": "0"}, {"top1": "1"}, {"top5": "12"}, {"top1": 10}):
        (tmp_path / "log").write_text(json.dumps(good) + "\n" + json.dumps({**good, **bad}) + "\n")
        with pytest.raises(vta.CorruptError, match="log:2: not a line of an evaluation's log"):
            hit_log.HitLog(tmp_path / "log", "k", 4)
    (tmp_path / "log").write_text("notes")
    with pytest.raises(vta.CorruptError, match="its last line is not one of JSON"):
        json_lines.JsonLines(tmp_path / "log")
    assert (tmp_path / "log").read_text() == "notes"


def test_hits_that_no_evaluation_gives_are_refused(tmp_path):
    hits = np.array([[1, 1, 1, 1, 1], [0, 1, 0, 0, 0]], np.int8)
    hit_log.check_hits(hits, 2)
    for wrong in (hits[:1], hits * 5, -hits, hits.astype(np.int16), hits.tolist(), None, np.array([[1, 0, 0, 0, 0]] * 2, np.int8),
                  np.array([[0, 0, 1, 1, 1]] * 2, np.int8), np.array([[1, 1, 1, 1, 0]] * 2, np.int8)):
        with pytest.raises(ValueError):
            hit_log.check_hits(wrong, 2)
    line = {"key": "k", "first": 0, "top1": "1", "top5": "0", "fp32_top1": "1", "fp32_top5": "1", "agreement": "1"}
    (tmp_path / "log").write_text(json.dumps(line) + "\n")
    with pytest.raises(vta.CorruptError, match="log:1: .*not among the best five"):
        hit_log.HitLog(tmp_path / "log", "k", 4)


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000, '{"key": "k", "fir{"key": "k"}', "\0\0\0", "1" * 5000, ""])
def test_damaged_lines_of_logs_are_refused_by_line(tmp_path, text):
    (tmp_path / "log").write_text(text + "\n")
    with pytest.raises(vta.CorruptError, match="log:1: not a line of an evaluation's log"):
        hit_log.HitLog(tmp_path / "log", "k", 4)
    assert (tmp_path / "log").read_text() == text + "\n"


def test_the_end_of_a_log_is_cut_off_only_if_it_is_torn(tmp_path):
    log = tmp_path / "log"
    log.write_text('{"a": "one\u2028line"}\n{"b": ')
    assert json_lines.JsonLines(log).lines == ['{"a": "one\u2028line"}']
    log.write_text('{"a": 1}\n{"b": 2}')  # whole, of an editor that writes no last newline
    lines = json_lines.JsonLines(log)
    assert lines.lines == ['{"a": 1}', '{"b": 2}']
    lines.append(['{"c": 3}'])
    lines.append(['{"d": 4}'])
    assert log.read_text() == '{"a": 1}\n{"b": 2}\n{"c": 3}\n{"d": 4}\n'


def test_counts_and_labels_are_checked(digits):
    images = np.zeros((3, 1, 8, 8), np.float32)
    for option in ("limit", "threads", "shard"):
        for wrong in (0, -1, 1.5, True, "2"):
            with pytest.raises(vta.InvalidArgumentError, match=f"{option}: expected an integer of at least 1"):
                vta.evaluate(DIGITS, (images, np.zeros(3, int)), program=digits, **{option: wrong})
    for labels in (np.array([1.0, 2.0, 3.7]), np.zeros((3, 1), int), [True, False, True], ["1", "2", "3"]):
        with pytest.raises(vta.InvalidArgumentError, match="labels: expected integers"):
            vta.evaluate(DIGITS, (images, labels), program=digits)


def test_missing_images_are_found():
    log = hit_log.HitLog(None, "", 10)
    log.add(range(2, 4), np.ones((2, 5), np.int8))
    log.add(range(7, 8), np.zeros((1, 5), np.int8))
    log.add(range(7, 8), np.ones((1, 5), np.int8))  # the first counts
    assert log.missing(2) == [range(0, 2), range(4, 6), range(6, 7), range(8, 10)]
    assert log.count == 3
    assert log.hits[7].tolist() == [0] * 5


def test_executors_take_names_only(digits, dataset, processes):
    for arguments in ((vta.Network(DIGITS), dataset), (DIGITS, (np.zeros((1, 1, 8, 8), np.float32), np.zeros(1)))):
        with pytest.raises(vta.InvalidArgumentError, match="take the name of a network"):
            vta.evaluate(*arguments, executor=processes)


def found_by(result):
    return result.cycles_before, result.cycles_after, result.tasks


def windows_in(log):
    return collections.Counter(line for line in log.read_text().splitlines() if '"network"' not in line)


@contextlib.contextmanager
def kill_a_worker_at(log, lines):
    """Kills a worker of a process pool once the log has so many lines."""
    killed = []

    def kill():
        while not (log.exists() and log.read_bytes().count(b"\n") >= lines):
            time.sleep(0.002)
        for child in multiprocessing.active_children()[:1]:
            child.kill()
            killed.append(child.pid)

    thread = threading.Thread(target=kill)
    thread.start()
    yield killed
    thread.join()


def test_tuning_does_not_depend_on_the_executor(processes, tmp_path):
    expected = vta.tune(DIGITS, trials=TRIALS, log=tmp_path / "here", schedules="none")
    assert expected.cycles_after < expected.cycles_before
    with HostileExecutor(3) as hostile:
        tuned = vta.tune(DIGITS, trials=TRIALS, log=tmp_path / "hostile", executor=hostile, resubmit_after=5,
                         schedules="none")
    assert found_by(tuned) == found_by(expected)
    with kill_a_worker_at(tmp_path / "pool", 1) as killed:
        tuned = vta.tune(DIGITS, trials=TRIALS, log=tmp_path / "pool", executor=processes, schedules="none")
    assert killed
    assert found_by(tuned) == found_by(expected)
    for name in ("hostile", "pool"):
        assert windows_in(tmp_path / name) == windows_in(tmp_path / "here")  # complete, and none twice
    assert not list(tmp_path.glob("*.vtaq"))
    program = vta.compile(DIGITS, schedules=tmp_path / "pool")
    with vta.Session(program, device="timing") as session:
        session.run(program.read_input())
        assert session.report.cycles == expected.cycles_after


def test_tuning_takes_the_clock_of_the_core(tmp_path):
    log = tmp_path / "log"
    tuned = vta.tune(DIGITS, trials=2, log=log, memory="pynq-z1", clock=200, schedules="none")
    assert {json.loads(line)["memory"] for line in log.read_text().splitlines()} == {"pynq-z1@200"}
    program = vta.compile(DIGITS, schedules=log, tuned_for="pynq-z1@200")
    with vta.Session(program, device="timing:pynq-z1@200") as session:
        session.run(program.read_input())
        assert session.report.cycles == tuned.cycles_after
    lines = str(tuned).splitlines()
    assert lines[0].split()[:2] == ["task", "layers"] and len(lines) == 1 + len(tuned.tasks) + 1
    assert lines[-1] == f"{tuned.cycles_before} cycles before, {tuned.cycles_after} after; {log}"
    assert "<table>" in tuned._repr_html_()


def test_exploring_does_not_depend_on_the_executor(processes, tmp_path):
    cores = {"core": "tiny_1x8", "token_queue_depth": [7, 15], "block_in": [8, 9]}
    explored = vta.explore(DIGITS, cache=tmp_path, executor=processes, **cores)
    assert (explored["found"], explored["measured"], explored["num_illegal"]) == (2, 0, 2)
    assert [run["memory"] for core in explored["cores"] for run in core["runs"]] == ["ideal64"] * 2
    assert vta.explore(DIGITS, cache=tmp_path, **cores)["cores"] == explored["cores"]
    lines = str(explored).splitlines()
    assert lines[0].split()[:3] == ["core", "best", "fits"] and len(lines) == 1 + 2 + 1
    assert lines[-1].startswith("2 combinations refused, such as ") and "<table>" in explored._repr_html_()
    assert [row.core for row in explored.table] == [core["name"] for core in sorted(explored["cores"], key=lambda core: core["mean_ms"])]


def test_results_of_searches_are_tables(tmp_path):
    task = {"task": "conv", "layers": ("a", "b"), "before": "x", "after": "y", "window_cycles_before": 2, "window_cycles_after": 1, "trials": 3,
            "saved_cycles": 1}
    tuned = vta.TuneResult(2, 1, TunedTasks([vta.TunedTask(**task)]), tmp_path)
    core = {"clock_mhz": 100.0, "core": {}, "runs": [{"network": "n", "memory": "m", "ms": 1.5}], "fits": True, "on_front": True, "mean_ms": 1.5,
            "estimated_mhz": 99.0, "routed_mhz": None, "resources": {"lut": 5.0}, "share_percent": 9.0, "share_of": "LUT"}
    refused = {"name": "c", "clock_mhz": 100.0, "core": {}, "runs": [], "fits": False, "on_front": False, "mean_ms": None, "error": "too fast"}
    explored = vta.ExploreResult(cores=[refused, {**core, "name": "a", "mean_ms": 2.5, "on_front": False}, {**core, "name": "b"}], num_illegal=0,
                                 first_illegal="")
    assert [row.core for row in explored.table] == ["b", "a", "c"]
    assert "too fast" in str(explored) and "refused" not in str(explored)
    pytest.importorskip("pandas")
    assert list(tuned.to_pandas()["task"]) == ["conv"]
    frame = explored.to_pandas()
    assert list(frame["milliseconds.n m"])[:2] == [1.5, 1.5] and list(frame["resources.lut"])[:2] == [5, 5]


def test_errors_of_tools_are_errors(processes, tmp_path):
    with pytest.raises(vta.Error, match="missing.json"):
        vta.tune("missing.json", log=tmp_path / "log", executor=processes)
    with pytest.raises(vta.InvalidArgumentError, match="--tuner"):
        vta.tune(DIGITS, tuner="guess", log=tmp_path / "log")
    with pytest.raises(vta.InvalidArgumentError, match="quantized already; unexpected quantize"):
        vta.tune("network.vtaq", quantize="kl", log=tmp_path / "log")
    with pytest.raises(vta.Error, match="no core is legal"):
        vta.explore(DIGITS, cache=tmp_path, block_in=[9], executor=processes)


def test_tools_are_looked_for_where_the_user_says(tmp_path, monkeypatch):
    monkeypatch.setenv("VTA_TOOLS", str(tmp_path))
    with pytest.raises(vta.NotFoundError, match=f"no vta-compile in {tmp_path}"):
        vta.tune(DIGITS, log=tmp_path / "log")
