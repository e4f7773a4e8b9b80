# SPDX-License-Identifier: Apache-2.0
"""Checks the features of a placed and routed design against the parameters of its cells.

nextpnr leaves out features of block RAMs, such as those of a 9-bit port: the RAM then works, except for every ninth bit.
Neither simulation of the netlist nor the conversion to bits shows it. Features that the rules miss are added; features that
contradict the rules are problems.
"""
from hw.fpga.flow import database, dsp_rules, fasm, flip_flop_rules, placed_cells, ram_rules


def _rules_of(cell: placed_cells.PlacedCell, kind: str) -> tuple[fasm.Features, list[list[tuple[str, int | None]]]] | None:
    """(features of a cell, pins of which one feature must be set), or None for cells without rules."""
    if cell.type in ("RAMB18E1", "RAMB36E1"):
        return ram_rules.features(cell), []
    if cell.type == "DSP48E1":
        return dsp_rules.features(cell), dsp_rules.ties(cell, kind)
    if cell.type in flip_flop_rules.TYPES:
        return flip_flop_rules.features(cell, kind), []
    return None


def _sets_a_bit(part: database.Part, tile: str, feature: str, bit: int | None) -> bool:
    return any(value for _, value in part.bits(tile, feature, bit))


def check(part: database.Part, cells: list[placed_cells.PlacedCell], present: set[fasm.Place],
          problems: list[str]) -> tuple[list[fasm.Place], dict[str, int]]:
    """`present`: the set features (tile, feature, bit). Returns those to add, sorted, and the number of checked cells by type.
    Contradictions go to the list `problems`. Errors: database.DatabaseError."""
    missing: set[fasm.Place] = set()
    checked: dict[str, int] = {}
    for cell in cells:
        try:
            rules = _rules_of(cell, part.tiles[cell.tile]["type"])
        except ValueError as error:
            problems.append(str(error))
            continue
        if rules is None:
            continue
        features, choices = rules
        checked[cell.type] = checked.get(cell.type, 0) + 1
        for (feature, bit), is_set in features.items():
            place = (cell.tile, feature, bit)
            if is_set and place not in present and _sets_a_bit(part, *place):
                missing.add(place)
            elif not is_set and place in present:
                problems.append(f"{cell.name}: {fasm.text(*place)} is set, against the parameters of the {cell.type}")
        for choice in choices:
            if not any((cell.tile, *place) in present for place in choice):
                problems.append(f"{cell.name}: neither routed nor tied: {fasm.text(cell.tile, *choice[0])}")
    return sorted(missing, key=lambda place: fasm.text(*place)), checked
