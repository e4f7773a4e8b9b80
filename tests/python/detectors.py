# SPDX-License-Identifier: Apache-2.0
"""Detectors of torchvision as tests and benchmarks use them: their images, their export by a Python that has torch, timed calls."""
import contextlib
import dataclasses
import json
import pathlib
import subprocess
import sys
import time

import numpy as np

EXPORT = pathlib.Path(__file__).with_name("export_detector.py")
MIN_SAMPLES = 2


class NoTorchvision(Exception):
    """No Python has torchvision."""


@dataclasses.dataclass
class Samples:
    """Seconds of each call: elapsed, and of the processors, which other work on the machine changes less."""

    elapsed: list[float] = dataclasses.field(default_factory=list)
    processor: list[float] = dataclasses.field(default_factory=list)


@dataclasses.dataclass(frozen=True)
class Sampling:
    """How often a call is timed."""

    count: int
    seconds: float | None = None  # after which no further sample is taken; None: no limit

    def samples(self, call, label):
        """Times each call, after one that is not counted. Progress goes to stderr."""
        call()
        results = Samples()
        begin = time.perf_counter()
        while len(results.elapsed) < self.count:
            start, processor = time.perf_counter(), time.process_time()
            call()
            results.elapsed.append(time.perf_counter() - start)
            results.processor.append(time.process_time() - processor)
            print(f"{label}: {len(results.elapsed)}/{self.count}, {results.elapsed[-1]:.3f} s", file=sys.stderr, flush=True)
            if self.seconds is not None and time.perf_counter() - begin > self.seconds and len(results.elapsed) >= MIN_SAMPLES:
                break
        return results


def images_of(count, height, width):
    """Coloured squares with noise."""
    random = np.random.default_rng(1)
    coarse = random.random((count, 3, -(-height // 8), -(-width // 8)))
    images = np.kron(coarse, np.ones((8, 8)))[:, :, :height, :width]
    return (0.8 * images + 0.2 * random.random((count, 3, height, width))).astype(np.float32)


def torch_python(given=None):
    """The Python that has torchvision: the given one, else this one or Debian's. Errors: NoTorchvision."""
    candidates = [given] if given else [sys.executable, "/usr/bin/python3"]
    for python in candidates:
        with contextlib.suppress(OSError):  # there is no such program
            if subprocess.run([python, "-c", "import torchvision"], stderr=subprocess.DEVNULL, check=False).returncode == 0:
                return python
    raise NoTorchvision(f"{' and '.join(map(str, candidates))} cannot import torchvision; install Debian's python3-torchvision or PyPI's torchvision")


def export(python, name, images, folder, *options):
    """Writes folder/detector.onnx, whose norms and scores fit the images. Returns the file and what the export printed: torch's seconds
    for the last image, elapsed and of the processors, and its version."""
    np.save(folder / "images.npy", images)
    file = folder / "detector.onnx"
    run = subprocess.run([python, EXPORT, name, folder / "images.npy", file, *options], check=True, stdout=subprocess.PIPE)
    return file, json.loads(run.stdout)
