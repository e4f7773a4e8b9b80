// SPDX-License-Identifier: Apache-2.0
// Two reports, as vta-sim compare has compared them (sim/analysis/report/comparison.h).
"use strict";

const comparison = JSON.parse(document.getElementById("data").textContent);
const metric_names = {cycles: "cycles", dram_bytes: "DRAM bytes", gemm_counter: "GEMM micro-ops", alu_counter: "ALU micro-ops",
                      snr_db: "signal to noise, dB"};
const changes = comparison.changes.map((change, index) => ({...change, index, name: change.layer || "all layers"}));
const value_text = (change, value) => change.metric === "snr_db" ? value.toFixed(2) : grouped(value);
const signed = (change) => (change.after > change.before ? "+" : "") + value_text(change, change.after - change.before);

function draw_header() {
  d3.select("#title").text(`${comparison.before} and ${comparison.after}`);
  const regressions = changes.filter((change) => change.regression).length;
  d3.select("#subtitle").text(`Regressions: ${regressions}; other changes: ${changes.length - regressions}; ` +
                              `layers without a change: ${comparison.equal_layers}`);
  const sums = changes.filter((change) => change.layer === "");
  const items = d3.select("#summary .numbers").selectAll("li").data(sums).enter().append("li").classed("worse", (change) => change.regression);
  items.append("b").text((change) => (change.percent > 0 ? "+" : "") + change.percent.toFixed(1) + " %");
  items.append("span").text((change) => `${metric_names[change.metric]}: ${value_text(change, change.before)} to ${value_text(change, change.after)}`);
  const list = d3.select("#summary .others");
  const add = (topic, lines) => {
    if (lines.length === 0) return;
    list.append("dt").text(topic);
    list.append("dd").text(lines.join("; "));
  };
  add("Different", comparison.settings);
  add("Only before", comparison.only_before);
  add("Only after", comparison.only_after);
}

function draw_changes_of_cycles() {
  const rows = changes.filter((change) => change.layer !== "" && change.metric === "cycles");
  d3.select("#changes-of-cycles").style("display", rows.length > 0 ? null : "none");
  if (rows.length === 0) return;
  const parts = [
    {name: "before and after", color: pale, value: (change) => Math.min(change.before, change.after)},
    {name: "saved", color: green, value: (change) => Math.max(0, change.before - change.after)},
    {name: "lost", color: vermillion, value: (change) => Math.max(0, change.after - change.before)},
  ];
  draw_legend("#changes-of-cycles", parts.map((part) => [part.name, part.color]));
  draw_layer_bars("#changes-of-cycles", {rows, parts, mark: null, format: d3.format("~s"), label: "Cycles saved and lost by layer",
                                         text: (change) => `${signed(change)} \u00b7 ${change.percent.toFixed(1)} %`});
}

draw_header();
draw_changes_of_cycles();
draw_table("#changes", [
  {head: "layer", value: (change) => change.index, text: (change) => change.name, is_text: true},
  {head: "metric", value: (change) => metric_names[change.metric], is_text: true},
  {head: "before", value: (change) => change.before, text: (change) => value_text(change, change.before)},
  {head: "after", value: (change) => change.after, text: (change) => value_text(change, change.after)},
  {head: "change", value: (change) => change.after - change.before, text: signed},
  {head: "percent", value: (change) => change.percent, text: (change) => change.percent.toFixed(2)},
  {head: "regression", value: (change) => change.regression ? 1 : 0, text: (change) => change.regression ? "yes" : ""},
], changes);
draw_contents();
window.addEventListener("resize", draw_changes_of_cycles);
