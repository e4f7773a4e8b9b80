// SPDX-License-Identifier: Apache-2.0
//
// Rules of hls_fifo. ASSUMES: the producer and the consumer are assumed to keep theirs (the FIFO
// alone, in a proof) instead of checked.
module hls_fifo_properties #(
    parameter WIDTH   = 8,
    parameter DEPTH   = 2,
    parameter ASSUMES = 0,
    parameter COUNT_BITS = $clog2(DEPTH + 1)
) (
    input wire                  clk,
    input wire                  rst,
    input wire                  push,
    input wire                  full,
    input wire                  pop,
    input wire                  empty,
    input wire [     WIDTH-1:0] dout,
    input wire [COUNT_BITS-1:0] count
);
  wire live;
  hls_reset_seen reset (
      .clk (clk),
      .rst (rst),
      .seen(live)
  );
  reg waited = 1'b0;
  reg [WIDTH-1:0] waiting;
  always @(posedge clk) begin
    waited  <= live & ~rst & ~empty & ~pop;
    waiting <= dout;
    if (live & ~rst) begin
      if (ASSUMES) begin
        assume (~(push & full));
        assume (~(pop & empty));
      end else begin
        assert (~(push & full));
        assert (~(pop & empty));
      end
      assert (32'(count) <= DEPTH);
      assert (full == (32'(count) == DEPTH));
      assert (empty | (count != '0));
      // The oldest item stays until it is taken.
      if (waited) assert (~empty & (dout == waiting));
    end
  end
endmodule
bind hls_fifo hls_fifo_properties #(
    .WIDTH(WIDTH),
    .DEPTH(DEPTH)
) properties (
    .*
);
