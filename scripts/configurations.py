# SPDX-License-Identifier: Apache-2.0
"""The files of configs/cores and configs/boards, by name."""
import json
import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent


class ConfigurationError(Exception):
    """There is no such file."""


def load(folder, name):
    """The JSON of configs/<folder>/<name>.json. Errors: ConfigurationError with the names that there are."""
    file = ROOT / "configs" / folder / f"{name}.json"
    if not file.is_file():
        known = ", ".join(sorted(path.stem for path in file.parent.glob("*.json")))
        raise ConfigurationError(f"no {folder.removesuffix('s')} '{name}'; there are {known}")
    return json.loads(file.read_text())
