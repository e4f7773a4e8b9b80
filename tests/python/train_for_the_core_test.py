# SPDX-License-Identifier: Apache-2.0
"""The example of docs/train_for_the_core.md trains a network that runs on the core as a whole. Needs Debian's python3-torch."""
import re
import shutil

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import vta

PAGE = "docs/train_for_the_core.md"
MIN_ACCURACY = 0.9  # of images that training has not seen


def test_the_example_trains_a_network_of_the_core(root, tmp_path, monkeypatch):
    shutil.copy(root / "configs/networks/digits/test.npz", tmp_path / "digits.npz")
    monkeypatch.chdir(tmp_path)
    torch.manual_seed(1)
    (code,) = re.findall(r"```py\n(.*?)```", (root / PAGE).read_text(), re.DOTALL)
    names = {}
    exec(compile(code, PAGE, "exec"), names)
    program = vta.compile("trained.onnx")
    assert program.macs_on_core == program.macs > 0
    data = np.load("digits.npz")
    images, labels = data["images"][500:], data["labels"][500:]
    with vta.Session(program, device="functional") as session:
        scores = np.stack([np.asarray(session.run(image[None])[0]).ravel() for image in images])
    with torch.no_grad():
        trained = names["model"](torch.tensor(images)).numpy()
    assert np.mean(scores.argmax(1) == labels) >= MIN_ACCURACY
    assert np.mean(scores.argmax(1) == trained.argmax(1)) >= 0.98
