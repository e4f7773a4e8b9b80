# SPDX-License-Identifier: Apache-2.0
"""Notebooks in a kernel of Jupyter: what a person sees in their cells. Skipped without nbclient, ipykernel, ipywidgets and tqdm."""
import pathlib

import pytest

nbformat, nbclient = (pytest.importorskip(name) for name in ("nbformat", "nbclient"))
for module in ("ipykernel", "ipywidgets", "tqdm"):
    pytest.importorskip(module)

NOTEBOOKS = pathlib.Path(__file__).resolve().parents[2] / "python/notebooks"
WIDGETS = "application/vnd.jupyter.widget-state+json"
SUCCESS, DANGER = "success", "danger"  # tqdm's colours of a bar at its end


def executed(notebook, tmp_path, allow_errors=False):
    client = nbclient.NotebookClient(notebook, timeout=600, kernel_name="python3", allow_errors=allow_errors, resources={"metadata": {"path": str(tmp_path)}})
    client.execute()
    return notebook


def bar_styles(notebook):
    models = notebook.metadata.widgets[WIDGETS]["state"].values()
    return [model["state"]["bar_style"] for model in models if model["model_name"] == "FloatProgressModel"]


def outputs(notebook):
    return [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]


@pytest.mark.parametrize("name", ["1_first_network", "2_your_own_network"])
def test_bars_reach_their_end_and_tables_are_tables(name, tmp_path):
    notebook = executed(nbformat.read(NOTEBOOKS / f"{name}.ipynb", as_version=4), tmp_path)
    styles = bar_styles(notebook)
    assert styles and set(styles) == {SUCCESS}
    assert [output.text for output in outputs(notebook) if output.output_type == "stream" and output.name == "stderr"] == []
    tables = [output.data for output in outputs(notebook) if "text/html" in output.get("data", {})]
    for table in tables:
        assert table["text/html"].startswith("<table>") and table["text/plain"].splitlines()[0].split()[:2] == ["name", "op"]
    assert len(tables) == (1 if name == "1_first_network" else 0)


def test_a_bar_of_a_compilation_that_fails_stays_red(tmp_path):
    code = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("from vta import progress\nwith progress.shown(True) as show:\n    show('lower', 0.5)\n"
                                                                     "    raise ValueError(0)")])
    assert bar_styles(executed(code, tmp_path, allow_errors=True)) == [DANGER]
