// SPDX-License-Identifier: Apache-2.0
// Draws everything, and again when the page changes its width.

function draw_plots() {
  draw_stalls();
  draw_roofline();
  draw_traffic();
  draw_arena();
  draw_quantization();
}

draw_summary();
draw_plots();
draw_layer_table();
draw_what_if();
draw_tiles();
start_timeline();

let drawn_width = document.body.clientWidth;
window.addEventListener("resize", () => {
  if (document.body.clientWidth === drawn_width) return;
  drawn_width = document.body.clientWidth;
  draw_plots();
  draw_timeline();
});
