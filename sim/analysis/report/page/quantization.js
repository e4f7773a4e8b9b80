// SPDX-License-Identifier: Apache-2.0
// Signal-to-noise ratios, and ranges of weights and results beside what int8 holds.

// Results of the layer within the range of int8, which is the pale part; what is beyond is red.
function draw_range(cell, layer) {
  const x = d3.scaleLinear().domain([-1.4, 1.4]).range([0, 126]).clamp(true);
  const [low, high] = layer.results.map((value) => x(value / layer.int8_max));
  const svg = cell.append("svg").attr("width", 126).attr("height", 12);
  const add = (from, to, y, height, color) => svg.append("rect").attr("x", from).attr("width", Math.max(1, to - from))
      .attr("y", y).attr("height", height).attr("fill", color);
  add(x(-1), x(1), 0, 12, pale);
  add(low, high, 4, 4, vermillion);
  add(Math.max(low, x(-1)), Math.min(high, x(1)), 2, 8, blue);
}

function draw_quantization() {
  const rows = layers.filter((layer) => layer.snr_db !== undefined);
  d3.select("#quantization").style("display", rows.length > 0 ? null : "none");
  if (rows.length === 0) return;
  const number = d3.format(".3~g"), range = (values) => values.map(number).join(" to ");
  const width = ([low, high]) => Math.max(-low, high);
  draw_table("#quantization", [
    {head: "layer", value: (layer) => layer.index, text: (layer) => layer.name, is_text: true},
    {head: "signal to noise", value: (layer) => layer.snr_db, text: (layer) => layer.snr_db.toFixed(1) + " dB"},
    {head: "weights", value: (layer) => width(layer.weights), text: (layer) => range(layer.weights)},
    {head: "results", value: (layer) => width(layer.results), text: (layer) => range(layer.results)},
    {head: "int8 up to", value: (layer) => layer.int8_max, text: (layer) => number(layer.int8_max)},
    {head: "clipped", value: (layer) => layer.clipped_percent, text: (layer) => number(layer.clipped_percent) + " %"},
    {head: "results in int8", value: (layer) => width(layer.results) / layer.int8_max, draw: draw_range, is_text: true},
  ], rows.sort((a, b) => a.snr_db - b.snr_db), select_layer);
}
