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


def timed(call):
    """The seconds of a call: elapsed, and of this process."""
    start, processor = time.perf_counter(), time.process_time()
    call()
    return time.perf_counter() - start, time.process_time() - processor


@dataclasses.dataclass(frozen=True)
class Sampling:
    """How often calls are timed."""

    count: int
    seconds: float | None = None  # after which no further round begins; None: no limit

    def samples(self, calls, label):
        """Times each call of {name: function that returns its seconds, elapsed and of the processor} once a round, after a round that is
        not counted. The calls alternate, so that other work on the machine changes all of them alike. Progress goes to stderr."""
        for call in calls.values():
            call()
        results = {name: Samples() for name in calls}
        begin = time.perf_counter()
        for taken in range(1, self.count + 1):
            for name, call in calls.items():
                elapsed, processor = call()
                results[name].elapsed.append(elapsed)
                results[name].processor.append(processor)
            last = ", ".join(f"{name} {samples.elapsed[-1]:.3f} s" for name, samples in results.items())
            print(f"{label}: {taken}/{self.count}: {last}", file=sys.stderr, flush=True)
            if self.seconds is not None and time.perf_counter() - begin > self.seconds and taken >= MIN_SAMPLES:
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


class Exported:
    """A detector of torchvision in a process of a Python that has torch, which has written it to folder/detector.onnx. Its norms and
    scores fit the images. To be closed, by `with`."""

    def __init__(self, python, name, images, folder, *options):
        np.save(folder / "images.npy", images)
        self.file = folder / "detector.onnx"
        self.process = subprocess.Popen([python, EXPORT, name, folder / "images.npy", self.file, *options], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)
        try:
            self.version = self._answer()  # of torch
        except BaseException:
            self.__exit__()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        with contextlib.suppress(BrokenPipeError):  # it has ended by itself
            self.process.stdin.close()  # ends the process
        self.process.wait()
        self.process.stdout.close()

    def infer(self):
        """Detects in the last image, in torch. Returns seconds: elapsed, and of the processor."""
        with contextlib.suppress(BrokenPipeError):  # _answer() says how the process ended
            self.process.stdin.write("infer\n")
            self.process.stdin.flush()
        return tuple(self._answer())

    def _answer(self):
        line = self.process.stdout.readline()
        if not line:
            raise ChildProcessError(f"{EXPORT.name} ended with status {self.process.wait()}")
        return json.loads(line)
