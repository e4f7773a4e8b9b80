// SPDX-License-Identifier: Apache-2.0
// The network as a graph, from left to right in lines: what runs where, and what takes the cycles.

const box_height = 30, gap = 16, lane_height = 38, arc_height = 22;

// Level of each step (the longest path from an input) and its lane among the steps of the level.
function place_steps() {
  const lanes = [], steps = [];
  for (const layer of layers) {
    const level = layer.reads.length === 0 ? 0 : 1 + d3.max(layer.reads, (read) => steps[read].level);
    lanes[level] = (lanes[level] || 0) + 1;
    steps.push({layer, level, lane: lanes[level] - 1});
  }
  return {steps, lanes};
}

// Adds x and y, the middles of the boxes; returns the height of all lines.
function place_lines({steps, lanes}, columns, box_width) {
  const tops = [];
  let height = 0;
  for (let first = 0; first < lanes.length; first += columns) {
    tops.push(height);
    height += arc_height + lane_height * d3.max(lanes.slice(first, first + columns));
  }
  for (const step of steps) {
    step.line = Math.floor(step.level / columns);
    step.left = gap / 2 + (box_width + gap) * (step.level % columns);
    step.right = step.left + box_width;
    step.y = tops[step.line] + arc_height + lane_height * step.lane + box_height / 2;
    step.arc = tops[step.line] + arc_height - 6 - 4 * (step.level % 3);  // arcs of neighbours stay apart
  }
  return height;
}

// From one box to another: straight to the next column, else above the boxes; around the ends of lines.
function edge_path(from, to, width) {
  const top = box_height / 2;
  if (to.level === from.level + 1) {
    if (to.line === from.line) return `M${from.right},${from.y}L${to.left},${to.y}`;
    return `M${from.right},${from.y}H${width}M0,${to.y}H${to.left}`;
  }
  const rise = `M${from.right - 20},${from.y - top}V${from.arc}`, fall = `H${to.left + 20}V${to.y - top}`;
  return to.line === from.line ? rise + fall : `${rise}H${width}M0,${to.arc}${fall}`;
}

function is_view(layer) { return layer.where === "core" && layer.limit === undefined; }

function box_color(layer, most) {
  if (layer.where === "host") return "#8a9099";
  if (is_view(layer)) return "transparent";
  return d3.interpolateRgb(pale, blue)(0.15 + 0.85 * Math.sqrt(layer.cycles / most));
}

function step_text(layer) {
  if (layer.where === "host") {
    return `${layer.name}: ${layer.op} on the host, ${milliseconds(1e3 * layer.host_seconds)}; ` +
        `${layer.host_reason || "packs and unpacks"}. ${layer.output}`;
  }
  if (is_view(layer)) return `${layer.name}: ${layer.op}, no data moves`;
  return `${layer.name}: ${layer.op}, ${grouped(layer.cycles)} cycles, ${percent(layer.cycles, total_cycles)}. ${layer.why}. ${layer.output}`;
}

function draw_network() {
  const width = new_svg("#network", 1).width;
  // Boxes hold the longest name where the page is wide.
  const letters = Math.min(d3.max(layers, (layer) => layer.name.length), is_narrow() ? 12 : 22);
  const box_width = 10 + 5.8 * Math.max(letters, 10);
  const placed = place_steps(), height = place_lines(placed, Math.floor(width / (box_width + gap)), box_width);
  const {svg} = new_svg("#network", height + 4);
  svg.attr("aria-label", "Graph of the network");
  const most = d3.max(core_layers, (layer) => layer.cycles) || 1;
  const edges = placed.steps.flatMap((to) => to.layer.reads.map((read) => edge_path(placed.steps[read], to, width)));
  svg.selectAll("path.edge").data(edges).enter().append("path").attr("class", "edge").attr("d", (edge) => edge);
  const boxes = svg.selectAll("g.step").data(placed.steps).enter().append("g").attr("class", "step")
      .attr("transform", (step) => `translate(${step.left},${step.y - box_height / 2})`)
      .on("click", (step) => { if (step.layer.limit !== undefined) select_layer(step.layer); });
  boxes.append("title").text((step) => step_text(step.layer));
  boxes.append("rect").attr("width", box_width).attr("height", box_height).attr("rx", 4)
      .attr("fill", (step) => box_color(step.layer, most))
      .attr("class", (step) => step.layer.cycles === most ? "most" : is_view(step.layer) ? "view" : null);
  const line = (y, text) => boxes.append("text").attr("x", box_width / 2).attr("y", y).attr("text-anchor", "middle")
      .attr("font-size", 10).attr("class", (step) => is_view(step.layer) ? null : d3.lab(box_color(step.layer, most)).l < 60 ? "on-dark" : "on-light")
      .text(text);
  line(13, (step) => shortened(step.layer.name, letters));
  line(25, (step) => step.layer.where === "host" ? "host" : is_view(step.layer) ? step.layer.op : percent(step.layer.cycles, total_cycles));
  draw_legend("#network", [["core: the stronger, the more cycles", blue], ["most cycles", vermillion], ["host", "#8a9099"]]);
}
