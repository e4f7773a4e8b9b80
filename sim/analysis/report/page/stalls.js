// SPDX-License-Identifier: Apache-2.0
// Cycles by layer, stacked by what gemm waits for.

let stall_order = "program";

function stall_parts() {
  const causes = Object.entries(report.stall_causes);
  const used = causes.filter(([channel]) => d3.sum(core_layers, (layer) => layer.stalls[channel]) > 0);
  const parts = [{
    name: "GEMM executes", color: stage_colors.gemm,
    value: (layer) => layer.cycles - d3.sum(causes, ([channel]) => layer.stalls[channel]),
  }];
  for (const [channel, cause] of used) {
    parts.push({name: `waits: ${cause}`, color: wait_colors[channel] || "#999", value: (layer) => layer.stalls[channel]});
  }
  return parts;
}

function draw_stalls() {
  const parts = stall_parts();
  const rows = core_layers.slice();
  if (stall_order === "cycles") rows.sort((a, b) => b.cycles - a.cycles);
  draw_legend("#stalls", parts.map((part) => [part.name, part.color]));
  draw_layer_bars("#stalls", {
    rows, parts, mark: multiplying_cycles, format: d3.format("~s"), label: "Cycles by layer and cause",
    text: (layer) => is_narrow() ? `${percent(layer.cycles, total_cycles)} ${limit_names[layer.limit] || ""}`
        : `${grouped(layer.cycles)} \u00b7 ${percent(layer.cycles, total_cycles)} \u00b7 ${limit_names[layer.limit] || ""}`,
  });
  d3.selectAll("#stalls button[data-order]").attr("aria-pressed", function () { return this.dataset.order === stall_order; })
      .on("click", function () { stall_order = this.dataset.order; draw_stalls(); });
}
