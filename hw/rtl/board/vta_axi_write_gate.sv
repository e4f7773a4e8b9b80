// SPDX-License-Identifier: Apache-2.0
//
// As vta_axi_read_gate, for the core's write master. A burst that a reset has cut off is completed
// with beats whose strobes are 0; a response before the bus has a whole burst is dropped. Adds a
// cycle to addresses and beats.
module vta_axi_write_gate #(
    parameter ID_BITS = 6
) (
    input  wire               clk,
    input  wire               rst,
    input  wire               drop,       // the core is in reset
    output wire               idle,       // no burst is in flight
    // The core; its beats follow their address.
    input  wire               c_awvalid,
    output wire               c_awready,
    input  wire [       31:0] c_awaddr,
    input  wire [        7:0] c_awlen,
    input  wire               c_wvalid,
    output wire               c_wready,
    input  wire [       63:0] c_wdata,
    input  wire               c_wlast,
    output wire               c_bvalid,
    input  wire               c_bready,
    output wire [        1:0] c_bresp,
    // The bus.
    output wire [ID_BITS-1:0] awid,
    output reg  [       31:0] awaddr,
    output reg  [        3:0] awlen,
    output wire [        2:0] awsize,
    output wire [        1:0] awburst,
    output wire [        1:0] awlock,
    output wire [        3:0] awcache,
    output wire [        2:0] awprot,
    output wire [        3:0] awqos,
    output reg                awvalid,
    input  wire               awready,
    output wire [ID_BITS-1:0] wid,
    output reg  [       63:0] wdata,
    output reg  [        7:0] wstrb,
    output reg                wlast,
    output reg                wvalid,
    input  wire               wready,
    input  wire [ID_BITS-1:0] bid,
    input  wire [        1:0] bresp,
    input  wire               bvalid,
    output wire               bready
);
  assign awid = '0;
  assign wid = '0;
  assign awsize = 3'd3;
  assign awburst = 2'b01;
  assign awlock = 2'b00;
  assign awcache = 4'b0011;
  assign awprot = 3'b000;
  assign awqos = 4'b0000;

  wire takes = c_awvalid & c_awready;
  reg [4:0] bursts;  // accepted from the core and without a response; at most eight
  reg [4:0] written;  // of these, the bursts whose last beat has left
  wire writes = wvalid & wready & wlast;
  // No burst has both its address and its last beat on the bus: the response is to a design before
  // this one.
  wire stale = written == '0 | bursts == {4'b0, awvalid};
  wire ends = bvalid & bready & ~stale;
  assign c_awready = ~drop & (~awvalid | awready);
  assign idle = bursts == '0;

  // Lengths of the bursts that still need beats.
  wire [3:0] length;
  wire length_empty, lengths_full;
  wire free = ~wvalid | wready;
  wire takes_beat = c_wvalid & c_wready;
  wire fills = drop & free & ~length_empty;
  reg [3:0] beat;
  wire is_last = beat == length;
  assign c_wready = ~drop & free;
  hls_fifo #(
      .WIDTH(4),
      .DEPTH(16)
  ) lengths (
      .clk  (clk),
      .rst  (rst),
      .push (takes),
      .din  (c_awlen[3:0]),
      .full (lengths_full),
      .pop  ((takes_beat | fills) & is_last),
      .dout (length),
      .empty(length_empty)
  );

  assign c_bvalid = bvalid & ~drop & ~stale;
  assign bready   = c_bready | drop | stale;
  assign c_bresp  = bresp;

  always_ff @(posedge clk) begin
    if (awready) awvalid <= 1'b0;
    if (takes) begin
      awvalid <= 1'b1;
      awaddr  <= c_awaddr;
      awlen   <= c_awlen[3:0];
    end
    if (wready) wvalid <= 1'b0;
    if (takes_beat | fills) begin
      wvalid <= 1'b1;
      wlast  <= is_last;
      wstrb  <= fills ? 8'h00 : 8'hFF;
      beat   <= is_last ? 4'd0 : beat + 4'd1;
    end
    if (takes_beat) wdata <= c_wdata;
    if (takes != ends) bursts <= takes ? bursts + 1'b1 : bursts - 1'b1;
    if (writes != ends) written <= writes ? written + 1'b1 : written - 1'b1;
    if (rst) begin
      awvalid <= 1'b0;
      wvalid  <= 1'b0;
      beat    <= '0;
      bursts  <= '0;
      written <= '0;
    end
  end

  // The core's wlast agrees with its awlen.
  wire unused = &{1'b0, c_awlen[7:4], c_wlast, lengths_full, bid};
endmodule
