# SPDX-License-Identifier: Apache-2.0
"""The accuracy on a folder of 50,000 images in 1000 classes, as ImageNet's validation set: killed, resumed, in other shards.

The images are small squares of random colours and the network is small, so that minutes are enough."""
import json
import signal
import struct
import subprocess
import sys
import time
import zlib

import numpy as np
import pytest

import vta
from vta import hit_log

IMAGES, CLASSES = 50000, 1000
NETWORK = "digits.json"


def png(pixels):
    """The bytes of a PNG file of pixels, uint8 [height, width, 3]."""
    height, width, _ = pixels.shape

    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    rows = b"".join(b"\0" + row.tobytes() for row in pixels)
    return b"".join((b"\x89PNG\r\n\x1a\n", chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)),
                     chunk(b"IDAT", zlib.compress(rows, 1)), chunk(b"IEND", b"")))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    root = tmp_path_factory.mktemp("val")
    random = np.random.default_rng(1)
    for i in range(CLASSES):
        (root / f"n{i:08d}").mkdir()
    for i in range(IMAGES):
        pixels = random.integers(0, 256, (4, 4, 3), np.uint8).repeat(4, 0).repeat(4, 1)
        (root / f"n{i % CLASSES:08d}" / f"ILSVRC2012_val_{i + 1:08d}.png").write_bytes(png(pixels))
    return root


def shares(result):
    return [getattr(result, name) for name in ("images", *hit_log.MEASURES)]


def killed_at(dataset, log, enough):
    """Kills an evaluation of two processes once the log has so many lines; returns how many it has then."""
    code = "\n".join((
        "import concurrent.futures as f, multiprocessing, vta",
        "if __name__ == '__main__':",
        "    with f.ProcessPoolExecutor(2, mp_context=multiprocessing.get_context('spawn')) as pool:",
        f"        vta.evaluate({NETWORK!r}, {dataset!r}, log={str(log)!r}, shard=250, executor=pool)"))
    script = log.with_suffix(".py")
    script.write_text(code)
    with subprocess.Popen([sys.executable, script]) as child:
        while child.poll() is None and not (log.exists() and log.read_bytes().count(b"\n") >= enough):
            time.sleep(0.01)
        child.kill()
    assert child.returncode == -signal.SIGKILL
    return log.read_bytes().count(b"\n")


def test_an_evaluation_of_50000_images_continues_after_kills_in_any_sharding(folder, tmp_path):
    dataset, log = f"imagefolder:{folder}", tmp_path / "log.jsonl"
    first = killed_at(dataset, log, 20)
    second = killed_at(dataset, log, 90)
    assert 20 <= first < second < 200
    kept = log.read_bytes()
    shown = []
    resumed = vta.evaluate(NETWORK, dataset, log=log, shard=333, progress=lambda what, _: shown.append(what))
    assert log.read_bytes().startswith(kept)
    assert len(shown) <= (IMAGES - 250 * second) / 333 + 200  # what is left, in parts between what is there
    times = np.zeros(IMAGES, int)
    for line in map(json.loads, log.read_text().splitlines()):
        times[line["first"]:line["first"] + len(line["top1"])] += 1
    assert (times == 1).all()
    undisturbed = vta.evaluate(NETWORK, dataset)
    assert shares(resumed) == shares(undisturbed)
    assert resumed.images == IMAGES
    print(f"killed after {first} and {second} of 200 shards; resumed {resumed.seconds:.0f} s; {undisturbed}")
