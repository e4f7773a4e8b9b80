// SPDX-License-Identifier: Apache-2.0
// DRAM traffic by layer and kind.

function draw_traffic() {
  const parts = traffic_kinds.map((kind) => ({name: kind_names[kind], color: kind_colors[kind],
                                              value: (layer) => layer.traffic[kind].bytes}));
  draw_legend("#traffic", parts.map((part) => [part.name, part.color]));
  draw_layer_bars("#traffic", {
    rows: core_layers, parts, mark: min_traffic_bytes, format: d3.format("~s"), label: "DRAM bytes by layer and kind",
    text: (layer) => `${megabytes(traffic_bytes(layer))} \u00b7 ${(traffic_bytes(layer) / min_traffic_bytes(layer)).toFixed(2)} x`,
  });
}
