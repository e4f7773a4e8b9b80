// SPDX-License-Identifier: Apache-2.0
// Draws everything, and again when the page changes its width.

function draw_plots() {
  draw_network();
  if (core_layers.length === 0) return;
  draw_stalls();
  draw_roofline();
  draw_traffic();
  draw_arena();
  draw_core();
}

draw_summary();
if (core_layers.length > 0) {
  start_core();
  draw_fpga();
  draw_layer_table();
  draw_what_if();
  draw_tiles();
  start_timeline();
} else {
  d3.selectAll("main section:not(#summary):not(#network):not(#quantization)").style("display", "none");
}
draw_plots();
draw_quantization();
draw_contents();

let drawn_width = document.body.clientWidth;
window.addEventListener("resize", () => {
  if (document.body.clientWidth === drawn_width) return;
  drawn_width = document.body.clientWidth;
  draw_plots();
  if (core_layers.length > 0) draw_timeline();
});
