// SPDX-License-Identifier: Apache-2.0
// The arena: tensors by address over the layers that write and read them.

function draw_arena() {
  const {bytes, image_bytes, tensors} = report.arena;
  const activations = tensors.filter((tensor) => tensor.offset_bytes >= image_bytes || tensor.bytes > 0);
  d3.select("#arena").style("display", activations.length > 0 ? null : "none");
  if (activations.length === 0) return;
  const {svg, width, height} = new_svg("#arena", 240), left = 66, bottom = 34;
  const first_byte = d3.min(activations, (tensor) => tensor.offset_bytes);
  const x = d3.scaleLinear().domain([0, last_cycle]).range([left, width - 6]);
  const y = d3.scaleLinear().domain([first_byte, bytes]).range([height - bottom, 8]);
  svg.attr("aria-label", "Tensors in device memory over time");
  draw_axis(svg, d3.axisBottom(x).ticks(is_narrow() ? 3 : 8).tickFormat(d3.format("~s")), 0, height - bottom);
  draw_axis(svg, d3.axisLeft(y).ticks(5).tickFormat((value) => megabytes(value)), left, 0);
  svg.append("text").attr("x", width - 6).attr("y", height - 4).attr("text-anchor", "end").attr("font-size", 11)
      .text(`cycles; the ${megabytes(image_bytes)} of constants and instructions below are not shown`);
  const begin = (tensor) => layers[tensor.first_layer].first_cycle;
  const end = (tensor) => layers[tensor.last_layer].first_cycle + (layers[tensor.last_layer].cycles || 0);
  const groups = svg.selectAll("g.tensor").data(activations).enter().append("g").attr("class", "tensor");
  groups.append("rect").attr("x", (t) => x(begin(t))).attr("width", (t) => Math.max(1, x(end(t)) - x(begin(t))))
      .attr("y", (t) => y(t.offset_bytes + t.bytes)).attr("height", (t) => Math.max(1, y(t.offset_bytes) - y(t.offset_bytes + t.bytes)))
      .attr("fill", (t, i) => layer_palette[i % layer_palette.length]).attr("fill-opacity", 0.6);
  groups.append("title").text((t) => `${t.name}: ${megabytes(t.bytes)}, ${layers[t.first_layer].name} to ${layers[t.last_layer].name}`);
  groups.filter((t) => x(end(t)) - x(begin(t)) > 6.6 * t.name.length && y(t.offset_bytes) - y(t.offset_bytes + t.bytes) > 12)
      .append("text").attr("x", (t) => x(begin(t)) + 4).attr("y", (t) => y(t.offset_bytes + t.bytes / 2) + 4)
      .attr("font-size", 11).text((t) => t.name);
}
