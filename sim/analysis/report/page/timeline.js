// SPDX-License-Identifier: Apache-2.0
// Stages, DRAM traffic and scratchpads over the cycles, on one canvas.

const layer_palette = d3.schemeTableau10;
const layer_color = (index) => layer_palette[core_layers.indexOf(layers[index]) % layer_palette.length];
const timeline_left = 46;

// Bands of the canvas from the top: {name, top, height, draw}.
const timeline = {bands: [], transform: d3.zoomIdentity, selected: null, height: 0, width: 0};

function timeline_bands() {
  const bands = [{name: "layer", height: 18, draw: draw_layer_band}];
  for (const track of report.timeline.tracks) {
    bands.push({name: track.name, height: 24, track, draw: draw_track});
  }
  bands.push({name: "DRAM", height: 60, draw: draw_dram});
  for (const scratchpad of report.scratchpads) {
    if (scratchpad.regions.begin.length > 0) {
      bands.push({name: scratchpad.name, height: scratchpad.name === "uop" ? 30 : 54, scratchpad, draw: draw_scratchpad});
    }
  }
  let top = 0;
  for (const band of bands) {
    band.top = top;
    top += band.height + 5;
  }
  timeline.height = top + 18;
  return bands;
}

function full_scale() { return d3.scaleLinear().domain([0, last_cycle]).range([timeline_left, timeline.width - 2]); }
function shown_scale() { return timeline.transform.rescaleX(full_scale()); }

// The first of sorted `begin` that may be visible from `cycle` on: one before the first that starts there.
function first_shown(begin, cycle) { return Math.max(0, d3.bisectLeft(begin, cycle) - 1); }

function draw_layer_band(context, x, band) {
  for (const layer of core_layers) {
    const from = x(layer.first_cycle), to = x(layer.first_cycle + layer.cycles);
    if (to < timeline_left || from > timeline.width) continue;
    context.fillStyle = layer_color(layer.index);
    context.globalAlpha = 0.55;
    context.fillRect(from, band.top, Math.max(0.5, to - from - 0.5), band.height);
    context.globalAlpha = 1;
    const text_from = Math.max(from, timeline_left);
    if (to - text_from > 8 * layer.name.length) {
      context.fillStyle = css_color("--text");
      context.fillText(layer.name, text_from + 4, band.top + band.height / 2);
    }
  }
}

// Adds the part of [from, to) in each pixel, in pixels.
function add_coverage(pixels, from, to) {
  for (let px = Math.max(timeline_left, Math.floor(from)); px < Math.min(pixels.length, to); ++px) {
    pixels[px] += Math.min(to, px + 1) - Math.max(from, px);
  }
}

// Where instructions are narrower than pixels: the share of each pixel's cycles, from the bottom.
function draw_shares(context, x, band, first, end) {
  const {begin, cycles, token, memory} = band.track;
  const busy = new Float32Array(timeline.width), dram = busy.slice(), waits = busy.slice();
  for (let i = first; i < end; ++i) {
    const from = begin[i], works = from + token[i], asks = from + cycles[i] - memory[i];
    add_coverage(waits, x(from), x(works));
    add_coverage(busy, x(works), x(asks));
    add_coverage(dram, x(asks), x(from + cycles[i]));
  }
  for (let px = timeline_left; px < timeline.width; ++px) {
    let base = band.top + band.height;
    for (const [pixels, color] of [[busy, stage_colors[band.name]], [dram, "#e69f00"], [waits, pale]]) {
      const height = band.height * Math.min(1, pixels[px]);
      context.fillStyle = color;
      context.fillRect(px, base - height, 1.05, height);
      base -= height;
    }
  }
}

function draw_track(context, x, band) {
  const {begin, cycles, token, memory, index} = band.track, [low, high] = x.domain();
  const instructions = report.timeline.instructions;
  const first = first_shown(begin, low), end = d3.bisectLeft(begin, high);
  if (end - first > timeline.width / 4) return draw_shares(context, x, band, first, end);
  for (let i = first; i < end; ++i) {
    const from = x(begin[i]), scale = x(begin[i] + 1) - from;
    const waits = token[i] * scale, dram = memory[i] * scale, all = Math.max(0.4, cycles[i] * scale);
    context.fillStyle = pale;
    context.fillRect(from, band.top + 7, waits, band.height - 14);
    context.fillStyle = stage_colors[band.name];
    context.fillRect(from + waits, band.top, Math.max(0.4, all - waits - dram), band.height);
    context.fillStyle = "#e69f00";
    context.fillRect(from + all - dram, band.top + 5, dram, band.height - 10);
    if (all > 60) draw_instruction(context, instructions.texts[instructions.text[index[i]]], from, all, waits, band);
  }
}

function draw_instruction(context, text, from, width, waits, band) {
  context.strokeStyle = "#fff";
  context.strokeRect(from, band.top, width, band.height);
  const start = Math.max(from + waits, timeline_left) + 4, space = from + width - start - 4;
  if (space < 30) return;
  context.fillStyle = "#fff";
  context.fillText(text.slice(0, Math.floor(space / 6.5)), start, band.top + band.height / 2);
}

// Stacked bytes by master, in the intervals of the data or of pixels, whichever are wider.
function draw_dram(context, x, band) {
  const {interval_cycles, bytes} = report.timeline.dram;
  const masters = ["load", "acc", "uop", "store", "fetch"];
  const colors = {load: kind_colors.wgt, acc: kind_colors.acc, uop: kind_colors.uop, store: kind_colors.out,
                  fetch: kind_colors.instructions};
  const most = report.peak_bytes_per_cycle * interval_cycles;
  const [low, high] = x.domain(), count = bytes.load.length;
  for (let i = Math.max(0, Math.floor(low / interval_cycles)); i < count && i * interval_cycles < high; ++i) {
    const from = x(i * interval_cycles), to = x((i + 1) * interval_cycles);
    let base = band.top + band.height;
    for (const master of masters) {
      const height = band.height * bytes[master][i] / most;
      context.fillStyle = colors[master];
      context.fillRect(from, base - height, to - from + 0.3, height);
      base -= height;
    }
  }
  context.strokeStyle = "#999";
  context.setLineDash([3, 3]);
  context.strokeRect(timeline_left, band.top, timeline.width - timeline_left, band.height);
  context.setLineDash([]);
}

function draw_scratchpad(context, x, band) {
  const {begin, cycles, first, count, layer} = band.scratchpad.regions, depth = band.scratchpad.depth;
  const [low, high] = x.domain();
  context.strokeStyle = "#bbb";
  context.strokeRect(timeline_left, band.top, timeline.width - timeline_left, band.height);
  for (let i = 0; i < begin.length && begin[i] < high; ++i) {
    if (begin[i] + cycles[i] < low) continue;
    const from = x(begin[i]), to = x(begin[i] + cycles[i]);
    context.fillStyle = layer_color(layer[i]);
    context.fillRect(from, band.top + band.height * first[i] / depth, Math.max(0.5, to - from),
                     Math.max(0.7, band.height * count[i] / depth));
    if (to - from > 6) {
      context.strokeStyle = "rgba(255,255,255,0.7)";
      context.strokeRect(from, band.top + band.height * first[i] / depth, to - from, band.height * count[i] / depth);
    }
  }
}

function draw_timeline_axis(context, x) {
  const y = timeline.height - 16;
  for (const tick of x.ticks(is_narrow() ? 3 : 8)) {
    context.fillStyle = css_color("--line");
    context.fillRect(x(tick), 0, 0.7, y);
    context.fillStyle = css_color("--muted");
    context.textAlign = "center";
    context.fillText(grouped(tick), Math.min(Math.max(x(tick), timeline_left + 20), timeline.width - 30), y + 9);
  }
  context.textAlign = "left";
}

function draw_timeline() {
  const canvas = d3.select("#timeline canvas").node(), ratio = Math.max(2, window.devicePixelRatio || 1);
  timeline.bands = timeline_bands();
  timeline.width = Math.max(300, d3.select("#timeline .plot").node().clientWidth);
  canvas.width = timeline.width * ratio;
  canvas.height = timeline.height * ratio;
  canvas.style.aspectRatio = `${timeline.width} / ${timeline.height}`;
  const context = canvas.getContext("2d"), x = shown_scale();
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.font = "11px sans-serif";
  context.textBaseline = "middle";
  context.clearRect(0, 0, timeline.width, timeline.height);
  context.save();
  context.beginPath();
  context.rect(timeline_left, 0, timeline.width - timeline_left, timeline.height);
  context.clip();
  draw_timeline_axis(context, x);
  for (const band of timeline.bands) {
    context.lineWidth = 0.6;
    band.draw(context, x, band);
  }
  context.restore();
  context.fillStyle = css_color("--text");
  for (const band of timeline.bands) context.fillText(band.name, 2, band.top + band.height / 2);
  timeline.drawn = true;
}

// The instruction at a point of the canvas: its text, cycles and waits.
function describe_point(px, py) {
  const cycle = shown_scale().invert(px);
  const band = timeline.bands.find((one) => py >= one.top && py <= one.top + one.height);
  if (!band || px < timeline_left) return "\u00a0";
  if (band.scratchpad) return describe_region(band, cycle, py);
  if (!band.track) return `cycle ${grouped(Math.round(cycle))}`;
  const {begin, cycles, token, memory, index} = band.track, i = d3.bisectRight(begin, cycle) - 1;
  if (i < 0 || cycle > begin[i] + cycles[i]) return `${band.name}: no instruction in cycle ${grouped(Math.round(cycle))}`;
  const instructions = report.timeline.instructions;
  return `${band.name}, ${layer_of_instruction(index[i]).name}, instruction ${grouped(index[i])}: ` +
      `${instructions.texts[instructions.text[index[i]]]} \u2014 cycles ${grouped(begin[i])} to ` +
      `${grouped(begin[i] + cycles[i])} (${grouped(cycles[i])}), waits for tokens ${grouped(token[i])}, for DRAM ${grouped(memory[i])}`;
}

function describe_region(band, cycle, py) {
  const {begin, cycles, first, count, layer} = band.scratchpad.regions;
  const element = (py - band.top) / band.height * band.scratchpad.depth;
  for (let i = begin.length - 1; i >= 0; --i) {
    if (begin[i] > cycle || begin[i] + cycles[i] < cycle || element < first[i] || element > first[i] + count[i]) continue;
    return `${band.name}[${first[i]} to ${first[i] + count[i] - 1}] of ${band.scratchpad.depth}: ${layers[layer[i]].name}, ` +
        `cycles ${grouped(begin[i])} to ${grouped(begin[i] + cycles[i])}`;
  }
  return `${band.name}: nothing needed here`;
}

// Shows the cycles [from, to).
function zoom_to(from, to) {
  const full = full_scale(), span = full(to) - full(from), all = timeline.width - timeline_left;
  const scale = Math.min(last_cycle / 20, all / Math.max(span, 1e-6));
  const canvas = d3.select("#timeline canvas");
  canvas.call(timeline.zoom.transform, d3.zoomIdentity.translate(timeline_left - full(from) * scale, 0).scale(scale));
}

function select_layer(layer) {
  d3.select("#timeline select").property("value", layer.index);
  d3.selectAll("#layers tbody tr").classed("selected", (one) => one === layer);
  d3.select("#core select").property("value", layer.index);
  draw_core();
  if (layer.cycles > 0) zoom_to(layer.first_cycle, layer.first_cycle + layer.cycles);
}

function start_timeline() {
  draw_timeline();
  draw_legend("#timeline", Object.entries(stage_colors).concat(
      [["waits for tokens", pale], ["waits for DRAM", "#e69f00"]]));
  const canvas = d3.select("#timeline canvas");
  timeline.zoom = d3.zoom().scaleExtent([1, Math.max(1, last_cycle / 20)])
      .extent(() => [[timeline_left, 0], [timeline.width, timeline.height]])
      .translateExtent([[timeline_left, 0], [timeline.width, timeline.height]])
      .filter(() => {  // one finger and the plain wheel scroll the page
        const event = d3.event;
        if (event.type === "wheel") return event.ctrlKey || event.metaKey;
        return event.type.startsWith("touch") ? event.touches.length > 1 : !event.button;
      })
      .on("zoom", () => {
        timeline.transform = d3.event.transform;
        window.cancelAnimationFrame(timeline.frame);
        timeline.frame = window.requestAnimationFrame(draw_timeline);
      });
  canvas.call(timeline.zoom).on("dblclick.zoom", null);
  canvas.on("click", function () {
    const rectangle = this.getBoundingClientRect(), scale = timeline.width / rectangle.width;
    d3.select("#timeline .details").text(describe_point((d3.event.clientX - rectangle.left) * scale,
                                                        (d3.event.clientY - rectangle.top) * scale));
  });
  d3.selectAll("#timeline button").on("click", function () {
    const factor = Number(this.dataset.zoom);
    if (factor === 0) canvas.call(timeline.zoom.transform, d3.zoomIdentity);
    else canvas.call(timeline.zoom.scaleBy, factor);
  });
  const select = d3.select("#timeline select");
  select.selectAll("option").data(core_layers).enter().append("option").attr("value", (layer) => layer.index)
      .text((layer) => layer.name);
  select.on("change", function () { select_layer(layers[this.value]); });
}
