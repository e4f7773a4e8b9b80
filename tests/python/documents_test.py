# SPDX-License-Identifier: Apache-2.0
"""The Python examples of the documents work, and print what their comments say, where a model and a photograph are."""
import re
import shutil

import pytest

EXAMPLES = ("README.md", "python/README.md")


def examples(text):
    return re.findall(r"```python\n(.*?)```", text, re.DOTALL)


@pytest.mark.parametrize("path", EXAMPLES)
def test_examples_run(path, root, capsys, tmp_path, monkeypatch):
    shutil.copy(root / "tests/onnx/quantized/small.qdq_s8.onnx", tmp_path / "model.onnx")
    shutil.copy(root / "configs/networks/samples/landscape_32.png", tmp_path / "photo.png")
    monkeypatch.chdir(tmp_path)
    found = examples((root / path).read_text())
    assert found
    for code in found:
        exec(compile(code, path, "exec"), {})
        printed = capsys.readouterr().out.splitlines()
        promised = re.findall(r"^\s*print\(.*\)  # (.*)$", code, re.MULTILINE)
        assert printed[:len(promised)] == promised, code
