// SPDX-License-Identifier: Apache-2.0
// The title, the numbers and the sentences at the top.

function draw_summary() {
  d3.select("#title").text(`${report.network} on ${report.core}`);
  const weights = report.weights.startsWith("synthetic") ? "synthetic weights" : `weights ${report.weights}`;
  d3.select("#subtitle").text(`${report.mode} schedule, memory ${report.memory.name}, ${report.quantize} scales, ` +
                              `${weights}; measured on the cycle model, times at ${report.clock_mhz} MHz`);
  const seconds = total_cycles / (report.clock_mhz * 1e6);
  const seconds_per_image = seconds / report.batch;
  const bytes = d3.sum(core_layers, traffic_bytes);
  const numbers = [
    [grouped(total_cycles), "cycles an inference" + (report.batch > 1 ? ` of ${report.batch} images` : "")],
    [(seconds_per_image * 1e3).toFixed(seconds_per_image < 0.001 ? 3 : 2) + " ms", `an image at ${report.clock_mhz} MHz`],
    [seconds > 0 ? (report.batch / seconds).toFixed(1) : "-", "images a second"],
    [total_cycles > 0 ? (report.macs / total_cycles).toFixed(1) : "-",
     `MACs a cycle, also counting those with padding that the core leaves out; the array does at most ${report.peak_macs_per_cycle}`],
    [megabytes(bytes), `DRAM traffic, ${(bytes / Math.max(1, d3.sum(core_layers, min_traffic_bytes))).toFixed(2)} x the least`],
    [report.snr_db === undefined ? "-" : report.snr_db.toFixed(1) + " dB", "int8 against fp32"],
  ];
  const items = d3.select("#summary .numbers").selectAll("li").data(numbers).enter().append("li");
  items.append("b").text((number) => number[0]);
  items.append("span").text((number) => number[1]);
  const list = d3.select("#summary .headlines");
  for (const headline of report.headlines.filter((one) => one.topic !== "speed")) {  // the numbers say that
    list.append("dt").text(headline.topic[0].toUpperCase() + headline.topic.slice(1));
    list.append("dd").text(headline.text);
  }
}
