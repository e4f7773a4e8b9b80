// SPDX-License-Identifier: Apache-2.0
// Roofline: multiply-accumulates per cycle over multiply-accumulates per DRAM byte.

const port_bytes = 8;  // a cycle, of the port that loads operands

function draw_roofline() {
  const points = core_layers.filter((layer) => layer.macs > 0 && layer.gemm_counter > 0).map((layer) => ({
    layer, x: array_macs(layer) / traffic_bytes(layer), y: array_macs(layer) / layer.cycles}));
  const left_out = core_layers.length - points.length;
  d3.select("#roofline .left-out").text(left_out > 0 ? `Left out for want of multiply-accumulates: ${left_out}.` : "");
  const narrow = is_narrow(), {svg, width, height} = new_svg("#roofline", narrow ? 300 : 360);
  const peak = report.peak_macs_per_cycle, slope = report.peak_bytes_per_cycle, ridge = peak / slope;
  const left = 46, right = 14, top = 14, bottom = 40;
  const low_x = Math.min(ridge / 8, d3.min(points, (p) => p.x) || 1) / 1.6;
  const high_x = Math.max(ridge * 8, d3.max(points, (p) => p.x) || 1) * 1.8;
  const x = d3.scaleLog().domain([low_x, high_x]).range([left, width - right]);
  const low_y = Math.min(peak / 16, d3.min(points, (p) => p.y) || 1, low_x * slope) / 1.3;
  const y = d3.scaleLog().domain([low_y, peak * 1.35]).range([height - bottom, top]);
  svg.attr("aria-label", "Roofline of all layers");
  draw_axis(svg, d3.axisBottom(x).ticks(narrow ? 4 : 8, "~g").tickSizeInner(-(height - top - bottom)), 0, height - bottom);
  draw_axis(svg, d3.axisLeft(y).ticks(5, "~g"), left, 0);
  svg.append("text").attr("x", (left + width - right) / 2).attr("y", height - 6).attr("text-anchor", "middle")
      .attr("font-size", 12).text("multiply-accumulates per DRAM byte");
  svg.append("text").attr("transform", `translate(12,${(height - bottom + top) / 2}) rotate(-90)`)
      .attr("text-anchor", "middle").attr("font-size", 12).text("per cycle");
  svg.append("path").attr("class", "roof")
      .attr("d", d3.line()([[x(low_x), y(low_x * slope)], [x(ridge), y(peak)], [x(high_x), y(peak)]]));
  svg.append("text").attr("x", width - right - 4).attr("y", y(peak) - 5).attr("text-anchor", "end").attr("font-size", 11)
      .text(`array: ${peak} a cycle`);
  const angle = Math.atan2(y(low_x * slope) - y(peak), x(ridge) - x(low_x)) * 180 / Math.PI;
  svg.append("text").attr("font-size", 11).attr("text-anchor", "middle")
      .attr("transform", `translate(${(x(low_x) + x(ridge)) / 2},${(y(low_x * slope) + y(peak)) / 2 - 6}) rotate(${-angle})`)
      .text(`DRAM: ${slope} bytes a cycle`);
  if (slope > port_bytes) {
    svg.append("path").attr("class", "port")
        .attr("d", d3.line()([[x(low_x), y(Math.max(low_y, low_x * port_bytes))], [x(peak / port_bytes), y(peak)]]));
  }
  draw_roofline_points(svg, points, x, y);
  const limits = Array.from(new Set(points.map((p) => p.layer.limit)));
  draw_legend("#roofline", limits.map((limit) => [`limited by ${limit_names[limit]}`, limit_colors[limit]]));
}

function draw_roofline_points(svg, points, x, y) {
  const radius = d3.scaleSqrt().domain([0, d3.max(points, (p) => p.layer.cycles) || 1]).range([2.5, 13]);
  const dots = svg.selectAll("circle").data(points.slice().sort((a, b) => b.layer.cycles - a.layer.cycles)).enter()
      .append("circle").attr("cx", (p) => x(p.x)).attr("cy", (p) => y(p.y)).attr("r", (p) => radius(p.layer.cycles))
      .attr("fill", (p) => limit_colors[p.layer.limit]).attr("fill-opacity", 0.45)
      .attr("stroke", (p) => limit_colors[p.layer.limit]).style("cursor", "pointer")
      .on("click", (p) => select_layer(p.layer));
  dots.append("title").text((p) => `${p.layer.name}: ${p.y.toFixed(1)} a cycle, ${p.x.toFixed(1)} a byte, ` +
                                   `${grouped(p.layer.cycles)} cycles. ${p.layer.why}`);
  // Names of the layers with the most cycles and of those furthest below the roof first.
  const peak = report.peak_macs_per_cycle, ridge = peak / report.peak_bytes_per_cycle;
  const roof = (p) => peak * Math.min(1, p.x / ridge);
  const rank = (p) => p.layer.cycles * (roof(p) / p.y);
  const dot = (p) => ({x: x(p.x), y: y(p.y), r: radius(p.layer.cycles), text: p.layer.name});
  const [left, right] = x.range(), [bottom, top] = y.range();
  const on_roof = d3.range(12).map((i) => ({x: right - 10 * i, y: y(peak) - 8, r: 6}));
  const foot = y(x.domain()[0] * report.peak_bytes_per_cycle);
  const on_slope = d3.range(0.3, 0.7, 0.03).map((i) => ({x: left + i * (x(ridge) - left), y: foot + i * (y(peak) - foot) - 10, r: 8}));
  draw_labels(svg, points.slice().sort((a, b) => rank(b) - rank(a)).slice(0, is_narrow() ? 8 : 20).map(dot),
              points.map(dot).concat(on_roof, on_slope), {left, right, top, bottom});
}
