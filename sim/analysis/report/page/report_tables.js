// SPDX-License-Identifier: Apache-2.0
// The report's tables: layers, changes that would help, tiles.

function draw_chip(cell, layer) {
  cell.append("span").attr("class", "chip").style("background", limit_colors[layer.limit]).text(limit_names[layer.limit]);
}

function draw_layer_table() {
  // At most 1: micro-ops may overlap the layer before, the layer's cycles do not.
  const array = (layer) => layer.cycles > 0 ? Math.min(1, multiplying_cycles(layer) / layer.cycles) : 0;
  draw_table("#layers", [
    {head: "layer", value: (layer) => layer.index, text: (layer) => layer.name, is_text: true},
    {head: "cycles", value: (layer) => layer.cycles, text: (layer) => grouped(layer.cycles)},
    {head: "share", value: (layer) => layer.cycles, text: (layer) => percent(layer.cycles, total_cycles)},
    {head: "limited by", value: (layer) => layer.limit, draw: draw_chip, is_text: true},
    {head: "DRAM bound", value: (layer) => layer.memory_bound_cycles, text: (layer) => grouped(layer.memory_bound_cycles)},
    {head: "array in use", value: array, text: (layer) => percent(array(layer), 1)},
    {head: "of it useful", value: useful_part, text: (layer) => layer.gemm_counter > 0 ? percent(useful_part(layer), 1) : "-"},
    {head: "operator", value: (layer) => layer.op, is_text: true},
    {head: "output", value: (layer) => layer.output, text: (layer) => layer.output.replace(/^\w+/, ""), is_text: true},
    {head: "why", value: (layer) => layer.why, is_text: true, is_long: true},
  ], core_layers.length > max_rows ? core_layers.slice().sort((a, b) => b.cycles - a.cycles) : core_layers, select_layer);
}

function draw_what_if() {
  d3.select("#what-if").style("display", report.what_if.length > 0 ? null : "none");
  // In cycles of the present clock.
  const saved = (change) => total_cycles - change.cycles / change.clock;
  const layer_time = (change, layer) => change.layer_cycles[layer.index] / change.clock;
  const layer_saved = (change, layer) => layer.cycles - layer_time(change, layer);
  const most = (change) => core_layers.reduce((best, one) => layer_saved(change, one) > layer_saved(change, best) ? one : best,
                                              core_layers[0]);
  draw_table("#what-if", [
    {head: "saves", value: saved, text: (change) => percent(saved(change), total_cycles)},
    {head: "if ...", value: (change) => change.change, is_text: true, is_long: true},
    {head: "how", value: (change) => change.is_bound, text: (change) => change.is_bound ? "at best" : "run", is_text: true},
    {head: "time in cycles", value: (change) => change.cycles / change.clock,
     text: (change) => grouped(Math.round(change.cycles / change.clock))},
    {head: "gains most", value: (change) => most(change).name, is_text: true},
    {head: "cycles of that layer", value: (change) => layer_saved(change, most(change)),
     text: (change) => `${grouped(most(change).cycles)} \u2192 ${grouped(Math.round(layer_time(change, most(change))))}`},
  ], report.what_if);
}

function draw_tiles() {
  const rows = core_layers.filter((layer) => layer.tiling !== undefined);
  d3.select("#tiles").style("display", rows.length > 0 ? null : "none");
  const config = report.core_config;
  const elem = {inp: config.batch * config.block_in, wgt: config.block_in * config.block_out, acc: 4 * config.batch * config.block_out};
  const used = (layer, pad, half) => 100 * layer.tiling[`${pad}_elems`] * elem[pad] / (config[`${pad}_buffer_bytes`] / half);
  const stages = ["gemm", "load", "alu", "store"];
  const longest = (layer) => stages.reduce((a, b) => layer.tiling.cost[`${b}_cycles`] > layer.tiling.cost[`${a}_cycles`] ? b : a);
  const is_tuned = (layer) => layer.tiling.num_legal === 0;
  const thousand = (cycles) => d3.format(".3~s")(cycles);
  const next = (layer) => layer.tiling.next === undefined ? 0 :
      100 * (layer.tiling.next_cost.total_cycles / layer.tiling.cost.total_cycles - 1);
  draw_table("#tiles", [
    {head: "layer", value: (layer) => layer.index, text: (layer) => layer.name, is_text: true},
    {head: "tile", value: (layer) => layer.tiles, is_text: true},
    {head: "slots inp, wgt", value: (layer) => layer.tiling.inp_slots, text: (layer) => `${layer.tiling.inp_slots}, ${layer.tiling.wgt_slots}`},
    {head: "fills inp", value: (layer) => used(layer, "inp", 1), text: (layer) => used(layer, "inp", 1).toFixed(0) + " %"},
    {head: "wgt", value: (layer) => used(layer, "wgt", 1), text: (layer) => used(layer, "wgt", 1).toFixed(0) + " %"},
    {head: "half of acc", value: (layer) => used(layer, "acc", 2), text: (layer) => used(layer, "acc", 2).toFixed(0) + " %"},
    ...stages.map((stage) => ({head: `est. ${stage}`, value: (layer) => layer.tiling.cost[`${stage}_cycles`],
      draw: (cell, layer) => cell.style("font-weight", !is_tuned(layer) && stage === longest(layer) ? "bold" : null)
          .text(is_tuned(layer) ? "-" : thousand(layer.tiling.cost[`${stage}_cycles`]))})),
    {head: "exposed", value: (layer) => layer.tiling.cost.exposed_cycles, text: (layer) => thousand(layer.tiling.cost.exposed_cycles)},
    {head: "measured", value: (layer) => layer.cycles, text: (layer) => thousand(layer.cycles)},
    {head: "compared", value: (layer) => layer.tiling.num_legal,
     text: (layer) => is_tuned(layer) ? "tuned" : grouped(layer.tiling.num_legal)},
    {head: "next best", value: next, is_text: true,
     text: (layer) => is_tuned(layer) ? "-" : layer.tiling.next === undefined ? "none" : `${layer.tiling.next} (+${next(layer).toFixed(1)} %)`},
  ], rows);
}
