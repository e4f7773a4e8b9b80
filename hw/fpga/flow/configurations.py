# SPDX-License-Identifier: Apache-2.0
"""The files of configs/cores and configs/boards, by name."""
import json
import pathlib
import typing

from hw.fpga.flow import Error

ROOT = pathlib.Path(__file__).resolve().parents[3]


class ConfigurationError(Error):
    """There is no such file."""


def load(folder: str, name: str) -> dict[str, typing.Any]:
    """The JSON of configs/<folder>/<name>.json. Errors: ConfigurationError with the names that there are."""
    known = {path.stem: path for path in sorted((ROOT / "configs" / folder).glob("*.json"))}
    if name not in known:
        raise ConfigurationError(f"no {folder.removesuffix('s')} '{name}'; there are {', '.join(known)}; a file of your own goes into "
                                 f"configs/{folder}")
    found: dict[str, typing.Any] = json.loads(known[name].read_text())
    return found
