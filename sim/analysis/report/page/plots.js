// SPDX-License-Identifier: Apache-2.0
// What several plots share: colors (Okabe and Ito's, which color-blind readers can tell apart), legends, bars.

const is_dark = window.matchMedia("screen and (prefers-color-scheme: dark)").matches;
window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => window.location.reload());
const [blue, vermillion, purple, green, olive] = is_dark ? ["#4a9bea", "#f0803c", "#c983bd", "#2fb58c", "#c9a63c"]
                                                         : ["#0b57a4", "#d55e00", "#9a4f8a", "#007a5a", "#8a6d00"];
const pale = is_dark ? "#3a3f46" : "#e3e5e8";
function css_color(name) { return window.getComputedStyle(document.documentElement).getPropertyValue(name).trim(); }

const limit_colors = {array: blue, loads: vermillion, alu: purple, stores: green, latency: olive, none: "#777"};
const limit_names = {array: "array", loads: "loads", alu: "ALU", stores: "stores", latency: "latency"};
const stage_colors = {load: vermillion, gemm: blue, alu: purple, store: green};
const kind_colors = {inp: "#56b4e9", wgt: vermillion, acc: "#cc79a7", uop: "#f0c000", out: "#009e73", instructions: "#777"};
// What gemm waits for has the color of the stage that makes it wait.
const wait_colors = {load_to_gemm: vermillion, alu_to_gemm: purple, gemm_to_load: "#e8a27a", gemm_to_alu: "#cfa6c6",
                     uop_port: "#f0c000", uop_plan: "#f5e08a", gemm_queue: "#b9bdc2"};

// `entries`: [text, color].
function draw_legend(section, entries) {
  const legend = d3.select(section).select(".legend");
  legend.html("");
  const items = legend.selectAll("span").data(entries).enter().append("span");
  items.append("i").style("background", (entry) => entry[1]);
  items.append("span").text((entry) => entry[0]);
}

function is_narrow() { return document.body.clientWidth < 700; }

// An empty SVG in the section's plot, in pixels of the page at its present width.
function new_svg(section, height) {
  const plot = d3.select(section).select(".plot");
  plot.selectAll("svg").remove();
  const width = Math.max(260, plot.node().clientWidth);
  const svg = plot.append("svg").attr("viewBox", `0 0 ${width} ${height}`).attr("role", "img");
  return {svg, width, height};
}

function draw_axis(svg, axis, x, y) {
  svg.append("g").attr("class", "axis").attr("transform", `translate(${x},${y})`).call(axis);
}

function shortened(text, length) {
  return text.length <= length ? text : text.slice(0, length / 2 - 1) + "\u2026" + text.slice(text.length - length / 2);
}

// Sections whose rows are all shown, however many they are.
const max_rows = 40, first_rows = 16, expanded = new Set();

// `rows`, or the few of them that `choose(rows, count)` takes, with a button for all.
function collapsed(section, rows, choose, redraw) {
  d3.select(section).selectAll(".more").remove();
  if (rows.length <= max_rows) return rows;
  const is_all = expanded.has(section);
  d3.select(section).append("p").attr("class", "more screen").append("button")
      .text(is_all ? `the first ${first_rows}` : `all ${rows.length}`)
      .on("click", () => {
        if (is_all) expanded.delete(section);
        else expanded.add(section);
        redraw();
      });
  return is_all ? rows : choose(rows, first_rows);
}

// Stacked horizontal bars, a row for each layer; of many, the longest.
//   rows    the layers in order
//   parts   [{name, color, value(layer)}]
//   mark    value at which each bar has a mark, or null
//   text    what is written at the end of a bar
//   format  of the axis
function draw_layer_bars(section, options) {
  const {parts, mark, text, format, label} = options;
  const sum = (layer) => d3.sum(parts, (part) => part.value(layer));
  const longest = (all, count) => {
    const shown = new Set(all.slice().sort((a, b) => sum(b) - sum(a)).slice(0, count));
    return all.filter((layer) => shown.has(layer));
  };
  const rows = collapsed(section, options.rows, longest, () => draw_layer_bars(section, options));
  const row = rows.length > 60 ? 13 : 18, top = 20, narrow = is_narrow();
  const {svg, width, height} = new_svg(section, top + rows.length * row + 4);
  const letters = Math.min(d3.max(rows, (layer) => layer.name.length), narrow ? 13 : Math.floor(width / 25));
  const left = 12 + 6.9 * letters, right = narrow ? 96 : 190;
  const most = d3.max(rows, (layer) => Math.max(sum(layer), mark ? mark(layer) : 0)) || 1;
  const x = d3.scaleLinear().domain([0, most]).range([left, width - right]);
  svg.attr("aria-label", label);
  draw_axis(svg, d3.axisTop(x).ticks(narrow ? 3 : 6).tickFormat(format).tickSizeInner(-height), 0, top - 2);
  const groups = svg.selectAll("g.row").data(rows).enter().append("g").attr("class", "row")
      .attr("transform", (layer, i) => `translate(0,${top + i * row})`);
  groups.append("title").text((layer) => layer.name + ": " + parts.filter((part) => part.value(layer) > 0)
      .map((part) => `${part.name} ${grouped(part.value(layer))}`).join(", "));
  groups.append("text").attr("x", left - 6).attr("y", row / 2 + 4).attr("text-anchor", "end").attr("font-size", 12)
      .text((layer) => shortened(layer.name, letters));
  groups.each(function (layer) {
    let from = 0;
    for (const part of parts) {
      const value = part.value(layer);
      if (value > 0) {
        d3.select(this).append("rect").attr("x", x(from)).attr("width", Math.max(0.3, x(from + value) - x(from)))
            .attr("y", 2).attr("height", row - 4).attr("fill", part.color);
      }
      from += value;
    }
    if (mark && mark(layer) > 0) {
      d3.select(this).append("rect").attr("class", "mark").attr("x", x(mark(layer)) - 1).attr("width", 2).attr("y", 0)
          .attr("height", row);
    }
    d3.select(this).append("text").attr("x", x(Math.max(from, mark ? mark(layer) : 0)) + 5).attr("y", row / 2 + 4)
        .attr("font-size", 11).attr("class", "value").text(text(layer));
  });
}
