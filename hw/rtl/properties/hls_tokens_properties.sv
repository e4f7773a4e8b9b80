// SPDX-License-Identifier: Apache-2.0
//
// Rules of hls_tokens; ASSUMES as in hls_fifo_properties.
module hls_tokens_properties #(
    parameter DEPTH   = 2,
    parameter ASSUMES = 0,
    parameter BITS = $clog2(DEPTH + 1)
) (
    input wire            clk,
    input wire            rst,
    input wire            push,
    input wire            full,
    input wire            pop,
    input wire            empty,
    input wire [BITS-1:0] count
);
  wire live;
  hls_reset_seen reset (
      .clk (clk),
      .rst (rst),
      .seen(live)
  );
  // Tokens in the queue, counted apart; the wider count shows an overflow.
  reg [31:0] tokens;
  always @(posedge clk) begin
    tokens <= rst ? 0 : tokens + 32'(push) - 32'(pop);
    if (live & ~rst) begin
      if (ASSUMES) begin
        assume (~(push & full));
        assume (~(pop & empty));
      end else begin
        assert (~(push & full));
        assert (~(pop & empty));
      end
      assert (tokens <= DEPTH);
      assert (tokens == 32'(count));
      assert (full == (32'(count) == DEPTH));
      assert (empty == (count == '0));
    end
  end
endmodule
bind hls_tokens hls_tokens_properties #(
    .DEPTH(DEPTH)
) properties (
    .*
);
