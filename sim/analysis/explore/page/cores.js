// SPDX-License-Identifier: Apache-2.0
// The cores that vta-sim explore measured (sim/analysis/explore/README.md): a plot of time and share, and a table.
"use strict";

const exploration = JSON.parse(document.getElementById("data").textContent);
const part = exploration.part;
const cores = exploration.cores.map((core, index) => ({...core, index}));
const measured_cores = cores.filter((core) => core.mean_ms !== null);
// By what bounds the core, as in the table.
const resource_colors = {LUT: blue, FF: purple, DSP48E1: vermillion, RAMB36: green};
const radius = (core) => core.on_front ? 6 : 4;

function run_name(run) { return `${run.network}, ${run.memory}`; }

function core_text(core) {
  const uses = core.resources;
  return `${core.name} at ${core.clock_mhz} MHz: ${core.mean_ms.toFixed(3)} ms, ${core.share_percent.toFixed(1)} % of ` +
      `${core.share_of}; ${Math.round(uses.lut)} LUT, ${Math.round(uses.ff)} FF, ${uses.dsp48e1} DSP48E1, ${uses.ramb36} RAMB36. ` +
      core.runs.map((run) => `${run_name(run)}: ${grouped(run.cycles)} cycles`).join("; ");
}

// What of a core's name differs between the cores, and its clock if the clocks do.
function core_label(core) {
  const parts = (one) => one.name.split("_");
  const differs = parts(core).filter((part, i) => cores.some((other) => parts(other)[i] !== part));
  const clocks = new Set(cores.map((one) => one.clock_mhz));
  return (differs.join(" ") || core.name) + (clocks.size > 1 ? ` ${core.clock_mhz} MHz` : "") + (core.is_default ? " (default)" : "");
}

function draw_header() {
  const runs = cores.find((core) => core.runs.length > 0);
  const fitting = cores.filter((core) => core.fits).length;
  d3.select("#title").text(`${cores.length} cores for ${part.name}`);
  d3.select("#subtitle").text((runs ? runs.runs.map(run_name).join("; ") + ". " : "") +
      `${fitting} fit; ${exploration.front.length} ${exploration.front.length === 1 ? "is" : "are"} on the Pareto front.`);
}

function draw_front() {
  const narrow = is_narrow(), {svg, width, height} = new_svg("#front", narrow ? 320 : 440);
  svg.attr("aria-label", "Time and share of the part of each core");
  if (measured_cores.length === 0) return;
  const left = 56, right = 16, top = 14, bottom = 42;
  const limit = exploration.max_share_percent;
  const x = d3.scaleLinear().domain([0, Math.max(limit, d3.max(measured_cores, (core) => core.share_percent)) * 1.04])
      .range([left, width - right]);
  const times = d3.extent(measured_cores, (core) => core.mean_ms);
  const y = d3.scaleLog().domain([times[0] / 1.15, times[1] * 1.15]).range([height - bottom, top]);
  draw_axis(svg, d3.axisBottom(x).ticks(narrow ? 5 : 10).tickFormat((value) => value + " %").tickSizeInner(-(height - top - bottom)),
            0, height - bottom);
  draw_axis(svg, d3.axisLeft(y).ticks(6, "~g").tickSizeInner(-(width - left - right)), left, 0);
  svg.append("text").attr("x", (left + width - right) / 2).attr("y", height - 6).attr("text-anchor", "middle")
      .attr("font-size", 12).text(`share of ${part.name}`);
  svg.append("text").attr("transform", `translate(12,${(height - bottom + top) / 2}) rotate(-90)`)
      .attr("text-anchor", "middle").attr("font-size", 12).text("ms for an image");
  svg.append("path").attr("class", "limit").attr("d", `M${x(limit)},${top}V${height - bottom}`);
  const front = exploration.front.map((index) => cores[index]);
  svg.append("path").attr("class", "front").attr("d", d3.line().curve(d3.curveStepBefore)(front.map((core) => [x(core.share_percent), y(core.mean_ms)])));
  const dots = svg.selectAll("circle").data(measured_cores).enter().append("circle")
      .attr("cx", (core) => x(core.share_percent)).attr("cy", (core) => y(core.mean_ms))
      .attr("r", radius).attr("stroke", (core) => resource_colors[core.share_of])
      .attr("fill", (core) => core.fits ? resource_colors[core.share_of] : "transparent")
      .attr("fill-opacity", (core) => core.on_front ? 0.9 : 0.4);
  dots.append("title").text(core_text);
  svg.selectAll("circle.default").data(measured_cores.filter((core) => core.is_default)).enter().append("circle")
      .attr("class", "default").attr("cx", (core) => x(core.share_percent)).attr("cy", (core) => y(core.mean_ms)).attr("r", 10);
  const rank = (core) => (core.is_default ? 0 : 2) + (core.on_front ? 0 : 1);
  const dot = (core) => ({x: x(core.share_percent), y: y(core.mean_ms), r: radius(core), text: core_label(core)});
  draw_labels(svg, measured_cores.slice().sort((a, b) => rank(a) - rank(b)).map(dot), measured_cores.map(dot),
              {left, right: width - right, top, bottom: height - bottom});
  const shown = Object.keys(resource_colors).filter((name) => measured_cores.some((core) => core.share_of === name));
  draw_legend("#front", shown.map((name) => [`most of ${name}`, resource_colors[name]])
      .concat(measured_cores.some((core) => core.is_default) ? [["ring: the default core", "transparent"]] : []));
}

function draw_core_table() {
  const uses = (name) => (core) => core.resources ? core.resources[name] : 0;
  const number = (name, head) => ({head, value: uses(name), text: (core) => grouped(Math.round(uses(name)(core)))});
  const columns = [
    {head: "core", value: (core) => core.index, text: (core) => core.name, is_text: true},
    {head: "on the front", value: (core) => core.on_front ? 1 : 0, text: (core) => core.on_front ? "yes" : ""},
    {head: "fits", value: (core) => core.fits ? 1 : 0, text: (core) => core.fits ? "yes" : "no"},
    {head: "MHz", value: (core) => core.clock_mhz,
     text: (core) => core.schedule_refusal ? `${core.clock_mhz}, scheduled for ${core.scheduled_mhz}` : `${core.clock_mhz}`},
    {head: "estimated MHz", value: (core) => core.estimated_mhz || 0,
     text: (core) => core.estimated_mhz ? core.estimated_mhz.toFixed(0) : "-"},
    {head: "routed MHz", value: (core) => core.routed_mhz || 0,
     text: (core) => core.routed_mhz ? core.routed_mhz.toFixed(1) : "-"},
    number("lut", "LUT"), number("ff", "FF"), number("dsp48e1", "DSP48E1"),
    {head: "RAMB36", value: uses("ramb36")},
    {head: `of ${part.name}`, value: (core) => core.share_percent || 0,
     text: (core) => core.error ? core.error : `${core.share_percent.toFixed(1)} % ${core.share_of}`},
  ];
  const runs = (cores.find((core) => core.runs.length > 0) || {runs: []}).runs;
  runs.forEach((run, i) => {
    const cycles = (core) => core.runs[i] && !core.runs[i].error ? core.runs[i].cycles : Infinity;
    columns.push({head: `${run_name(run)}: cycles`, value: cycles,
                  text: (core) => Number.isFinite(cycles(core)) ? grouped(cycles(core)) : "fails"});
  });
  columns.push({head: "ms for an image", value: (core) => core.mean_ms === null ? Infinity : core.mean_ms,
                text: (core) => core.mean_ms === null ? "-" : core.mean_ms.toFixed(3)});
  const rows = cores.slice().sort((a, b) => (b.fits - a.fits) || (a.mean_ms || 0) - (b.mean_ms || 0));
  draw_table("#cores", columns, rows, null);
}

draw_header();
draw_front();
draw_core_table();
draw_contents();
window.addEventListener("resize", draw_front);
