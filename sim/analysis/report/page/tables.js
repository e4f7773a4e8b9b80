// SPDX-License-Identifier: Apache-2.0
// Tables with sortable columns.

// Columns: {head, value(row), text(row), is_text, html}. `value` is what the column is sorted by.
function draw_table(section, columns, rows, on_row) {
  const table = d3.select(section).select("table");
  table.html("");
  const heads = table.append("thead").append("tr").selectAll("th").data(columns).enter().append("th")
      .attr("class", (column) => "sortable" + (column.is_text ? " text" : "")).attr("scope", "col").attr("tabindex", 0)
      .text((column) => column.head);
  const body = table.append("tbody");
  const fill = (sorted) => {
    body.selectAll("tr").remove();
    const lines = body.selectAll("tr").data(sorted).enter().append("tr");
    lines.selectAll("td").data((row) => columns.map((column) => [column, row])).enter().append("td")
        .attr("class", ([column]) => column.is_long ? "text why" : column.is_text ? "text" : null)
        .each(function ([column, row]) {
          if (column.draw) column.draw(d3.select(this), row);
          else d3.select(this).text(column.text ? column.text(row) : column.value(row));
        });
    if (on_row) lines.on("click", on_row);
  };
  const sort = function (column) {
    const descending = this.getAttribute("aria-sort") !== "descending";
    heads.attr("aria-sort", null);
    this.setAttribute("aria-sort", descending ? "descending" : "ascending");
    fill(rows.slice().sort((a, b) => (descending ? d3.descending : d3.ascending)(column.value(a), column.value(b))));
  };
  heads.on("click", sort).on("keydown", function (column) { if (d3.event.key === "Enter") sort.call(this, column); });
  fill(rows);
}

function draw_chip(cell, layer) {
  cell.append("span").attr("class", "chip").style("background", limit_colors[layer.limit]).text(limit_names[layer.limit]);
}

function draw_layer_table() {
  const macs_per_cycle = (layer) => layer.cycles > 0 ? layer_macs(layer) / layer.cycles : 0;
  draw_table("#layers", [
    {head: "layer", value: (layer) => layer.index, text: (layer) => layer.name, is_text: true},
    {head: "operator", value: (layer) => layer.op, is_text: true},
    {head: "output", value: (layer) => layer.output, text: (layer) => layer.output.replace(/^\w+/, ""), is_text: true},
    {head: "cycles", value: (layer) => layer.cycles, text: (layer) => grouped(layer.cycles)},
    {head: "share", value: (layer) => layer.cycles, text: (layer) => percent(layer.cycles, total_cycles)},
    {head: "GEMM micro-ops", value: (layer) => layer.gemm_counter, text: (layer) => grouped(layer.gemm_counter)},
    {head: "DRAM bound", value: (layer) => layer.memory_bound_cycles, text: (layer) => grouped(layer.memory_bound_cycles)},
    {head: "MACs a cycle", value: macs_per_cycle, text: (layer) => macs_per_cycle(layer).toFixed(1)},
    {head: "limited by", value: (layer) => layer.limit, draw: draw_chip, is_text: true},
    {head: "why", value: (layer) => layer.why, is_text: true, is_long: true},
  ], core_layers, select_layer);
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
    {head: "change", value: (change) => change.change, is_text: true, is_long: true},
    {head: "time in cycles", value: (change) => change.cycles / change.clock,
     text: (change) => grouped(Math.round(change.cycles / change.clock))},
    {head: "saved", value: saved, text: (change) => grouped(Math.round(saved(change)))},
    {head: "of all", value: saved, text: (change) => percent(saved(change), total_cycles)},
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
      draw: (cell, layer) => cell.style("font-weight", stage === longest(layer) ? "bold" : null)
          .text(thousand(layer.tiling.cost[`${stage}_cycles`]))})),
    {head: "exposed", value: (layer) => layer.tiling.cost.exposed_cycles, text: (layer) => thousand(layer.tiling.cost.exposed_cycles)},
    {head: "measured", value: (layer) => layer.cycles, text: (layer) => thousand(layer.cycles)},
    {head: "compared", value: (layer) => layer.tiling.num_legal, text: (layer) => grouped(layer.tiling.num_legal)},
    {head: "next best", value: next, is_text: true,
     text: (layer) => layer.tiling.next === undefined ? "none" : `${layer.tiling.next} (+${next(layer).toFixed(1)} %)`},
  ], rows);
}
