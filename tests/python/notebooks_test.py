# SPDX-License-Identifier: Apache-2.0
"""The notebooks' cells run in order. Cells tagged `plot` need matplotlib and are left out without it. A notebook is
skipped without the modules that its metadata name as vta.needs (notebook 5: ONNX Runtime, which the test python_hybrid has)."""
import importlib.util
import json
import pathlib

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "python/notebooks").glob("*.ipynb"))
HAS_MATPLOTLIB = importlib.util.find_spec("matplotlib") is not None


def test_there_are_notebooks():
    assert len(NOTEBOOKS) == 6


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook(path, monkeypatch, tmp_path):
    notebook = json.loads(path.read_text())
    for module in notebook["metadata"].get("vta", {}).get("needs", []):
        pytest.importorskip(module)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    monkeypatch.syspath_prepend(path.parent)
    monkeypatch.chdir(tmp_path)
    names = {}
    for cell in notebook["cells"]:
        assert cell.get("outputs", []) == [], "notebooks are stored without outputs"
        if cell["cell_type"] != "code" or ("plot" in cell["metadata"].get("tags", []) and not HAS_MATPLOTLIB):
            continue
        exec(compile("".join(cell["source"]), f"{path.name}:{cell['id']}", "exec"), names)
