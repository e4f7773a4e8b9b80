# SPDX-License-Identifier: Apache-2.0
"""The statistics of yosys: `stat -json`. The text of `stat` differs between its versions."""
import json
import re


def cells_of_modules(stat):
    """Counts of cells by type of each module, instances of modules included, which newer versions list apart."""
    stat = re.sub(r",\s*}\s*$", "}", stat)  # yosys 0.23 ends with a comma if no module is the top
    return {name.removeprefix("\\"): {**module["num_cells_by_type"], **module.get("num_submodules_by_type", {})}
            for name, module in json.loads(stat)["modules"].items()}
