// SPDX-License-Identifier: Apache-2.0
// Signal-to-noise ratio by layer.

function draw_quantization() {
  const rows = layers.filter((layer) => layer.snr_db !== undefined);
  d3.select("#quantization").style("display", rows.length > 0 ? null : "none");
  if (rows.length === 0) return;
  const least = d3.min(rows, (layer) => layer.snr_db);
  draw_layer_bars("#quantization", {
    rows, mark: null, format: (value) => value + " dB", label: "Signal-to-noise ratio by layer",
    parts: [{name: "dB", color: "#56b4e9", value: (layer) => Math.max(0, layer.snr_db)}],
    text: (layer) => layer.snr_db.toFixed(1) + " dB" + (layer.snr_db === least ? " \u00b7 noisiest" : ""),
  });
}
