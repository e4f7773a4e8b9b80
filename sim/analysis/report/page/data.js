// SPDX-License-Identifier: Apache-2.0
// The report's data (sim/analysis/report/README.md) with its columns decoded.
"use strict";

const report = JSON.parse(document.getElementById("data").textContent);

// Columns of differences, as absolute values.
function running_sums(differences) {
  const sums = new Float64Array(differences.length);
  let sum = 0;
  for (let i = 0; i < differences.length; ++i) sums[i] = sum += differences[i];
  return sums;
}

for (const track of report.timeline.tracks) {
  track.begin = running_sums(track.begin);
  track.index = running_sums(track.index);
}
for (const scratchpad of report.scratchpads) {
  scratchpad.regions.begin = running_sums(scratchpad.regions.begin);
}

const layers = report.layers.map((layer, index) => ({...layer, index, host_seconds: report.host_seconds[index]}));
const core_layers = layers.filter((layer) => layer.limit !== undefined);
const total_cycles = report.counters.cycles || 0;
const last_cycle = d3.max(report.timeline.runs, (run) => run.first_cycle + run.cycles) || 1;

const traffic_kinds = ["inp", "wgt", "acc", "uop", "out", "instructions"];
const kind_names = {inp: "inputs", wgt: "weights", acc: "biases and residuals", uop: "micro-ops", out: "outputs",
                    instructions: "instructions"};

function traffic_bytes(layer) { return d3.sum(traffic_kinds, (kind) => layer.traffic[kind].bytes); }
function min_traffic_bytes(layer) { return d3.sum(traffic_kinds, (kind) => layer.traffic[kind].min_bytes); }
// The least cycles of GEMM's micro-ops, of which a core with pixel pairs does two in a cycle.
function multiplying_cycles(counters) { return Math.ceil(counters.gemm_counter / (report.core_config.pixels || 1)); }
// Products of the operator, without those with padding that the array leaves out.
function array_macs(layer) { return Math.min(layer.macs * report.batch, multiplying_cycles(layer) * report.peak_macs_per_cycle); }
// Their share of what the array multiplies.
function useful_part(layer) {
  return layer.gemm_counter > 0 ? array_macs(layer) / (multiplying_cycles(layer) * report.peak_macs_per_cycle) : 0;
}

// The layer of an instruction, by the instruction's number.
const end_of_layers = report.timeline.instructions.layers;
function layer_of_instruction(index) {
  const found = d3.bisector((pair) => pair[0]).right(end_of_layers, index);
  return layers[end_of_layers[Math.min(found, end_of_layers.length - 1)][1]];
}
