// SPDX-License-Identifier: Apache-2.0
// The title, the sentences and numbers at the top, and where the time of an image goes.

const seconds = total_cycles / (report.clock_mhz * 1e6);

function draw_numbers() {
  const per_image = seconds / report.batch, used = multiplying_cycles(report.counters);
  const bytes = d3.sum(core_layers, traffic_bytes), useful = d3.sum(core_layers, array_macs) / (used * report.peak_macs_per_cycle);
  const numbers = [
    [grouped(total_cycles), "cycles an inference" + (report.batch > 1 ? ` of ${report.batch} images` : "")],
    [milliseconds(1e3 * per_image), `an image at ${report.clock_mhz} MHz`],
    [seconds > 0 ? (report.batch / seconds).toFixed(1) : "-", "images a second"],
    [percent(used, total_cycles), `of the cycles use the array${used > 0 ? `, ${percent(useful, 1)} of it usefully` : ""}`],
    [megabytes(bytes), `DRAM traffic, ${(bytes / Math.max(1, d3.sum(core_layers, min_traffic_bytes))).toFixed(2)} x the least`],
    [report.snr_db === undefined ? "-" : report.snr_db.toFixed(1) + " dB", "int8 against fp32"],
  ];
  const items = d3.select("#summary .numbers").selectAll("li").data(numbers).enter().append("li");
  items.append("b").text((number) => number[0]);
  items.append("span").text((number) => number[1]);
}

// A bar of the core, packing, and the host's operators.
function draw_end_to_end() {
  const is_packing = (layer) => layer.op === "pack" || layer.op === "unpack";
  const host = (fits) => 1e3 * d3.sum(layers.filter(fits), (layer) => layer.host_seconds);
  const parts = [
    {name: "core", color: blue, ms: 1e3 * seconds},
    {name: "packing", color: "#e69f00", ms: host(is_packing)},
    {name: "host", color: "#8a9099", ms: host((layer) => !is_packing(layer))},
  ];
  const bar = d3.select("#summary .end-to-end").attr("title", parts.map((part) => `${part.name} ${milliseconds(part.ms)}`).join(", "));
  bar.selectAll("i").data(parts).enter().append("i").style("background", (part) => part.color).style("flex-grow", (part) => 1e6 * part.ms);
  draw_legend("#summary", parts.map((part) => [`${part.name} ${milliseconds(part.ms)}`, part.color]));
}

function draw_summary() {
  d3.select("#title").text(`${report.network} on ${report.core}`);
  const weights = report.weights.startsWith("synthetic") ? "synthetic weights" : `weights ${report.weights}`;
  d3.select("#subtitle").text(`${report.mode} schedule, memory ${report.memory.name}, ${report.quantize} scales, ` +
                              `${weights}; measured on the cycle model, times at ${report.clock_mhz} MHz`);
  draw_numbers();
  draw_end_to_end();
  const first = core_layers.length > 0 ? ["most cycles", "what would help"] : ["speed"];
  for (const headline of report.headlines.filter((one) => one.topic !== "speed" || first.includes("speed"))) {  // the numbers say that
    const is_first = first.includes(headline.topic);
    const list = d3.select(is_first ? "#summary .first" : "#summary .others");
    list.append("dt").text(headline.topic[0].toUpperCase() + headline.topic.slice(1));
    const [short, ...rest] = headline.text.split(/(?<=; |\. )/);  // the reason and the details are in the small print
    list.append("dd").text(short).append("small").text(rest.join(""));
  }
}
