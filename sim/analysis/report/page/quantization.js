// SPDX-License-Identifier: Apache-2.0
// Signal-to-noise ratios, and ranges of weights and results beside what int8 holds.

// Results of the layer within the range of int8, which is the pale part; what is beyond is red.
function draw_range(cell, layer) {
  const least = layer.int8_min, most = layer.int8_max, margin = (most - least) / 5;
  const x = d3.scaleLinear().domain([least - margin, most + margin]).range([0, 126]).clamp(true);
  const [low, high] = layer.results.map(x);
  const svg = cell.append("svg").attr("width", 126).attr("height", 12);
  const add = (from, to, y, height, color) => svg.append("rect").attr("x", from).attr("width", Math.max(1, to - from))
      .attr("y", y).attr("height", height).attr("fill", color);
  add(x(least), x(most), 0, 12, pale);
  add(low, high, 4, 4, vermillion);
  add(Math.max(low, x(least)), Math.min(high, x(most)), 2, 8, blue);
}

function draw_quantization() {
  const rows = layers.filter((layer) => layer.snr_db !== undefined);
  d3.select("#quantization").style("display", rows.length > 0 ? null : "none");
  if (rows.length === 0) return;
  const number = d3.format(".3~g"), range = (values) => values.map(number).join(" to ");
  const width = ([low, high]) => Math.max(-low, high), span = ([low, high]) => high - low;
  const held = (layer) => [layer.int8_min, layer.int8_max];
  draw_table("#quantization", [
    {head: "layer", value: (layer) => layer.index, text: (layer) => layer.name, is_text: true},
    {head: "signal to noise", value: (layer) => layer.snr_db, text: (layer) => layer.snr_db.toFixed(1) + " dB"},
    {head: "weights", value: (layer) => width(layer.weights), text: (layer) => range(layer.weights)},
    {head: "results", value: (layer) => width(layer.results), text: (layer) => range(layer.results)},
    {head: "int8 holds", value: (layer) => width(held(layer)), text: (layer) => range(held(layer))},
    {head: "clipped", value: (layer) => layer.clipped_percent, text: (layer) => number(layer.clipped_percent) + " %"},
    {head: "results in int8", value: (layer) => span(layer.results) / span(held(layer)), draw: draw_range, is_text: true},
  ], rows.sort((a, b) => a.snr_db - b.snr_db), select_layer);
}
