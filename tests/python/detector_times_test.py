# SPDX-License-Identifier: Apache-2.0
"""The commands of docs/detectors.md and docs/reference_lines.md, without torch: arguments, pages, samples, and what counts as worse."""
import json
import pathlib
import subprocess
import sys
from unittest import mock

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/benchmarks"))
import detector_times
import detectors
import reference_lines


def run(*arguments):
    return subprocess.run([sys.executable, ROOT / "tests/benchmarks/detector_times.py", *arguments], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, check=False)


def test_the_page_has_the_figures_of_the_record():
    record = json.loads(detector_times.RECORD.read_text(encoding="utf-8"))
    assert list(record) == list(detector_times.DETECTORS)
    text = detector_times.PAGE.read_text(encoding="utf-8")
    assert detector_times.page(text, record) == text


def test_the_table_names_how_many_samples_were_taken():
    samples = {runtime: {"elapsed": [1.0, 2.0, 3.0], "processor": [1.5, 1.5, 1.5]} for runtime in detector_times.RUNTIMES}
    record = {"a": {"input": "8 x 8", "samples": samples, "core_cycles": 2500000}}
    assert detector_times.table(record).splitlines()[2] == "| `a` | 8 x 8 | 3/3/3/3 |" + " 2.00 (1.00) / 1.50 |" * 4 + " 2.5 |"
    assert "ProfileResult(mean=2.000000, results=(1.000000, 2.000000, 3.000000))\n" in detector_times.profile_results(record)


@pytest.mark.parametrize("seconds, count", [(None, 5), (0, detectors.MIN_SAMPLES)])
def test_sampling_alternates_and_ends_after_its_seconds(seconds, count, capsys):
    order = []

    def call(name, elapsed):
        order.append(name)
        return elapsed, elapsed / 2

    calls = {"a": lambda: call("a", 1.0), "b": lambda: call("b", 2.0)}
    samples = detectors.Sampling(5, seconds).samples(calls, "model")
    assert order == ["a", "b"] * (count + 1)  # one round is not counted
    assert samples == {"a": detectors.Samples([1.0] * count, [0.5] * count), "b": detectors.Samples([2.0] * count, [1.0] * count)}
    assert f"model: {count}/5: a 1.000 s, b 2.000 s" in capsys.readouterr().err


def test_a_detector_infers_in_a_process_of_its_own(tmp_path):
    """As export_detector.py does, without torch."""
    program = tmp_path / "export.py"
    program.write_text("import sys\nprint('\"2.15\"', flush=True)\nfor _ in sys.stdin:\n    print([0.5, 0.25], flush=True)\n", encoding="utf-8")
    with mock.patch.object(detectors, "EXPORT", program), detectors.Exported(
            sys.executable, "ssd300_vgg16", detectors.images_of(1, 8, 8), tmp_path) as exported:
        assert exported.version == "2.15" and [exported.infer(), exported.infer()] == [(0.5, 0.25)] * 2
    assert exported.process.returncode == 0


def test_an_export_that_fails_is_an_error(tmp_path):
    program = tmp_path / "export.py"
    program.write_text("raise SystemExit(3)\n", encoding="utf-8")
    with mock.patch.object(detectors, "EXPORT", program), pytest.raises(ChildProcessError, match="export.py ended with status 3"):
        detectors.Exported(sys.executable, "ssd300_vgg16", detectors.images_of(1, 8, 8), tmp_path)


def test_an_unknown_detector_is_refused_with_those_that_there_are():
    result = run("yolo")
    assert result.returncode == 2 and "yolo is not a detector; expected ssd300_vgg16, " in result.stderr


def test_a_single_sample_is_refused():
    result = run("--samples", "1")
    assert result.returncode == 2 and "--samples 1 is less than 2" in result.stderr


@pytest.mark.parametrize("python", ["/bin/false", "/no/such/python"])
def test_a_python_without_torchvision_is_an_error_with_its_cure(python):
    result = run("--torch-python", python)
    assert result.returncode == 1
    assert result.stderr == (f"detector_times.py: {python} cannot import torchvision; install Debian's python3-torchvision or PyPI's "
                             "torchvision\n")


def test_the_help_has_examples():
    result = run("--help")
    assert result.returncode == 0 and "Example:" in result.stdout and len(result.stdout.splitlines()) < 40


def test_a_line_that_became_worse_is_a_regression():
    old = reference_lines.verdicts("| line | here | how | command |\n|---|---|---|---|\n| a \\| b | equal | x | - |\n| c | worse | y | - |\n")
    assert old == {"a \\| b": "equal", "c": "worse"}
    assert reference_lines.regressions(old, old) == []
    assert reference_lines.regressions(old, {"a \\| b": "worse", "d": "equal"}) == [
        "a \\| b is worse, equal on the page", "c is only on one side: write the page again", "d is only on one side: write the page again"]


def test_the_page_of_reference_lines_has_the_detectors():
    ratios, counts = reference_lines.detector_ratios(json.loads(detector_times.RECORD.read_text(encoding="utf-8")))
    assert len(ratios) == len(detector_times.DETECTORS) and min(counts) >= detectors.MIN_SAMPLES
    assert f"{min(ratios):.2f} to {max(ratios):.2f} times torch's processor time" in reference_lines.PAGE.read_text(encoding="utf-8")
