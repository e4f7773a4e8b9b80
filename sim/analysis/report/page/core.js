// SPDX-License-Identifier: Apache-2.0
// The core's stages, with what they do or wait for in a layer or the whole network, and its share of the FPGA.

const state_names = {busy: "works", wait_memory: "waits for DRAM", wait_port: "waits for a scratchpad's port",
                     wait_token: "waits for another stage", wait_queue: "waits for a queue", idle: "has no instruction"};
const short_states = {wait_memory: "DRAM", wait_port: "port", wait_token: "other stage", wait_queue: "queue", idle: "no work"};
const state_colors = {wait_memory: "#e69f00", wait_port: "#cc79a7", wait_token: pale, wait_queue: "#f5e08a", idle: "transparent"};
// Stages from left to right, the scratchpads after each, and what it moves from or to DRAM.
const stage_boxes = [
  {stage: "load", after: "INP WGT", moves: ["inp", "wgt"], limit: "loads"},
  {stage: "gemm", after: "ACC", moves: ["uop"], limit: "array"},
  {stage: "alu", after: "OUT", moves: ["acc"], limit: "alu"},
  {stage: "store", after: "", moves: ["out"], limit: "stores"},
];

function draw_stage(svg, box, x, width, {stages, cycles, bytes, limit}) {
  const height = 84, states = stages[box.stage], [margin, font] = width > 100 ? [9, 12] : [5, 11];
  const group = svg.append("g").attr("transform", `translate(${x},8)`);
  group.append("title").text(`${box.stage} ` + Object.keys(state_names).map(
      (state) => `${state_names[state]} ${percent(states[state], cycles)}`).join(", "));
  group.append("rect").attr("class", "stage").classed("most", box.limit === limit).attr("width", width).attr("height", height).attr("rx", 5);
  const text = (y, value) => group.append("text").attr("x", margin).attr("y", y).attr("font-size", font).text(value);
  text(18, box.stage).attr("font-weight", 600);
  text(36, `works ${percent(states.busy, cycles)}`);
  const waits = Object.keys(state_colors).sort((a, b) => states[b] - states[a])[0];
  if (states[waits] > 0) text(53, `${width > 100 ? short_states[waits] + ":" : "waits"} ${percent(states[waits], cycles)}`);
  let from = margin;
  for (const state of Object.keys(state_names)) {
    const part = (width - 2 * margin) * states[state] / Math.max(1, cycles);
    group.append("rect").attr("x", from).attr("y", 63).attr("width", part).attr("height", 11)
        .attr("fill", state === "busy" ? stage_colors[box.stage] : state_colors[state]);
    from += part;
  }
  const moved = d3.sum(box.moves, (kind) => bytes(kind)), middle = x + width / 2;
  const [start, end] = box.stage === "store" ? [92, 132] : [134, 94];
  svg.append("path").attr("class", "arrow").attr("d", `M${middle},${start}V${end}`).attr("marker-end", "url(#arrow)");
  svg.append("text").attr("x", middle + 5).attr("y", 117).attr("font-size", font - 1).text(megabytes(moved));
}

function draw_core() {
  const index = d3.select("#core select").property("value"), layer = layers[index];
  const shown = layer ? {stages: layer.stages, cycles: layer.cycles, limit: layer.limit, bytes: (kind) => layer.traffic[kind].bytes}
                      : {stages: report.counters.stages, cycles: total_cycles, limit: null,
                         bytes: (kind) => d3.sum(core_layers, (one) => one.traffic[kind].bytes)};
  d3.select("#core").style("display", shown.stages ? null : "none");
  if (!shown.stages) return;
  // Scratchpads between the stages where there is space.
  const [width, step, all] = is_narrow() ? [88, 95, 381] : [150, 206, 776];
  const plot = d3.select("#core .plot");
  plot.selectAll("svg").remove();
  const svg = plot.append("svg").attr("viewBox", `0 0 ${all} 172`).attr("role", "img").attr("aria-label", "Stages of the core");
  svg.append("marker").attr("id", "arrow").attr("viewBox", "0 0 6 6").attr("refX", 5).attr("refY", 3).attr("markerWidth", 6)
      .attr("markerHeight", 6).attr("orient", "auto").append("path").attr("d", "M0,0L6,3L0,6z");
  svg.append("rect").attr("class", "stage").attr("x", 4).attr("y", 138).attr("width", all - 8).attr("height", 30).attr("rx", 5);
  svg.append("text").attr("x", 16).attr("y", 158).attr("font-size", 12)
      .text(`DRAM (${report.memory.name}): ${megabytes(d3.sum(traffic_kinds, shown.bytes))}, ${grouped(shown.cycles)} cycles`);
  stage_boxes.forEach((box, i) => {
    const x = 4 + step * i;
    if (box.after && !is_narrow()) {
      svg.append("path").attr("class", "arrow").attr("d", `M${x + 150},50H${x + 205}`).attr("marker-end", "url(#arrow)");
      svg.append("rect").attr("class", "scratchpad").attr("x", x + 157).attr("y", 36).attr("width", 36).attr("height", 28).attr("rx", 3);
      box.after.split(" ").forEach((name, line, all) => svg.append("text").attr("x", x + 175).attr("text-anchor", "middle")
          .attr("font-size", 10).attr("y", all.length > 1 ? 48 + 12 * line : 54).text(name));
    }
    draw_stage(svg, box, x, width, shown);
  });
  const causes = Object.entries(report.stall_causes).map(([channel, cause]) => [cause, layer ? layer.stalls[channel]
      : d3.sum(core_layers, (one) => one.stalls[channel])]).filter(([, cycles]) => cycles > 0.0005 * shown.cycles);
  d3.select("#core .details").text(causes.length === 0 ? "gemm hardly waits" : "gemm waits: " + causes.sort((a, b) => b[1] - a[1])
      .map(([cause, cycles]) => `${cause} ${percent(cycles, shown.cycles)}`).join("; "));
}

function start_core() {
  const select = d3.select("#core select").on("change", draw_core);
  select.append("option").attr("value", "").text("whole network");
  select.selectAll("option.layer").data(core_layers).enter().append("option").attr("class", "layer")
      .attr("value", (layer) => layer.index).text((layer) => layer.name);
  draw_legend("#core", [["works", blue], ...Object.keys(state_colors).filter((state) => state !== "idle")
      .map((state) => [state_names[state], state_colors[state]])]);
}

function draw_fpga() {
  d3.select("#fpga").style("display", report.fpga ? null : "none");
  if (!report.fpga) return;
  const {part, uses, has} = report.fpga;
  d3.select("#fpga .note").text(`Cells that the routed design with this core takes of the ${part}.`);
  const rows = d3.select("#fpga .meters").selectAll("div").data(Object.keys(uses)).enter().append("div");
  rows.append("span").text((name) => name);
  rows.append("meter").attr("value", (name) => uses[name] / has[name]).attr("high", 0.85).attr("title", (name) => percent(uses[name], has[name]));
  rows.append("span").text((name) => `${grouped(uses[name])} of ${grouped(has[name])} \u00b7 ${percent(uses[name], has[name])}`);
}
