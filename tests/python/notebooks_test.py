# SPDX-License-Identifier: Apache-2.0
"""The notebooks' cells run in order. Cells tagged `plot` need matplotlib and are left out without it; notebook 5 needs ONNX
Runtime and is skipped without it (the test python_hybrid has it)."""
import importlib.util
import json
import pathlib

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "python/notebooks").glob("*.ipynb"))
HAS_MATPLOTLIB = importlib.util.find_spec("matplotlib") is not None


def test_there_are_notebooks():
    assert len(NOTEBOOKS) == 5


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook(path, monkeypatch, tmp_path):
    if path.stem.startswith("5"):
        pytest.importorskip("onnxruntime")
    monkeypatch.setenv("MPLBACKEND", "Agg")
    monkeypatch.syspath_prepend(path.parent)
    monkeypatch.chdir(tmp_path)
    cells = json.loads(path.read_text())["cells"]
    names = {}
    for cell in cells:
        assert cell.get("outputs", []) == [], "notebooks are stored without outputs"
        if cell["cell_type"] != "code" or ("plot" in cell["metadata"].get("tags", []) and not HAS_MATPLOTLIB):
            continue
        exec(compile("".join(cell["source"]), f"{path.name}:{cell['id']}", "exec"), names)
