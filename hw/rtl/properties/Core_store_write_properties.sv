// SPDX-License-Identifier: Apache-2.0
//
// Rules of the emitted process Core_store_write: a store's token is sent only when every burst has
// its response, with all of its beats.
module Core_store_write_properties #(
    parameter ASSUMES = 0
) (
    input wire        clk,
    input wire        rst,
    input wire        store_port_request_push,
    input wire        store_port_request_full,
    input wire        store_port_beat_push,
    input wire        store_port_beat_full,
    input wire        store_port_idle,
    input wire        store_to_alu_push,
    input wire        store_to_alu_full
);
  wire live;
  hls_reset_seen reset (
      .clk (clk),
      .rst (rst),
      .seen(live)
  );
  // Set by requests and beats, until the adaptor is idle again.
  reg pending;
  always @(posedge clk) begin
    pending <= ~rst & (store_port_request_push | store_port_beat_push |
        (pending & ~store_port_idle));
    if (live & ~rst) begin
      assert (~(store_to_alu_push & (pending | store_port_request_push | store_port_beat_push)));
      assert (~(store_port_request_push & store_port_request_full));
      assert (~(store_port_beat_push & store_port_beat_full));
      assert (~(store_to_alu_push & store_to_alu_full));
    end
  end
  wire unused = &{1'b0, ASSUMES};
endmodule
bind Core_store_write Core_store_write_properties properties (
    .*
);
