# SPDX-License-Identifier: Apache-2.0
"""The statistics of yosys: `stat -json`. The text of `stat` differs between its versions."""
import json

MODULES = '"modules":'


def cells_of_modules(stat: str) -> dict[str, dict[str, int]]:
    """Counts of cells by type of each module, instances of modules included, which newer versions list apart."""
    # Only the object `modules`: yosys 0.23 goes on with a comma, or with a hierarchy that is not JSON.
    modules, _ = json.JSONDecoder().raw_decode(stat[stat.index(MODULES) + len(MODULES):].lstrip())
    return {name.removeprefix("\\"): {**module["num_cells_by_type"], **module.get("num_submodules_by_type", {})}
            for name, module in modules.items()}
