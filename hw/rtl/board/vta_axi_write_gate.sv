// SPDX-License-Identifier: Apache-2.0
//
// As vta_axi_read_gate, for the core's write master. A burst that a reset has cut off is completed
// with beats whose strobes are 0; a response before the bus has a whole burst is dropped. Adds a
// cycle to beats.
module vta_axi_write_gate (
    input  wire        clk,
    input  wire        rst,
    input  wire        drop,       // the core is in reset
    output wire        idle,       // no burst is in flight
    // The core; its beats follow their address.
    input  wire        c_awvalid,
    output wire        c_awready,
    input  wire [31:0] c_awaddr,
    input  wire [ 7:0] c_awlen,
    input  wire        c_wvalid,
    output wire        c_wready,
    input  wire [63:0] c_wdata,
    input  wire        c_wlast,
    output wire        c_bvalid,
    input  wire        c_bready,
    // The bus.
    output wire        awvalid,
    input  wire        awready,
    output wire [31:0] awaddr,
    output wire [ 3:0] awlen,
    output reg         wvalid,
    input  wire        wready,
    output reg  [63:0] wdata,
    output reg  [ 7:0] wstrb,
    output reg         wlast,
    input  wire        bvalid,
    output wire        bready
);
  wire [4:0] bursts;
  reg [4:0] written;  // of these, the bursts whose last beat has left
  wire writes = wvalid & wready & wlast;
  wire takes, no_address;
  // No burst has both its address and its last beat on the bus: the response is to a design before
  // this one.
  wire stale = written == '0 | no_address;
  wire ends = bvalid & bready & ~stale;
  vta_axi_address_gate address (
      .clk, .rst, .drop, .ends, .takes, .bursts, .idle, .is_none(no_address), .c_valid(c_awvalid),
      .c_ready(c_awready), .c_addr(c_awaddr), .c_len(c_awlen), .valid(awvalid), .ready(awready),
      .addr(awaddr), .len(awlen)
  );

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

  always_ff @(posedge clk) begin
    if (wready) wvalid <= 1'b0;
    if (takes_beat | fills) begin
      wvalid <= 1'b1;
      wlast  <= is_last;
      wstrb  <= fills ? 8'h00 : 8'hFF;
      beat   <= is_last ? 4'd0 : beat + 4'd1;
    end
    if (takes_beat) wdata <= c_wdata;
    if (writes != ends) written <= writes ? written + 1'b1 : written - 1'b1;
    if (rst) begin
      wvalid  <= 1'b0;
      beat    <= '0;
      written <= '0;
    end
  end

  // The core's wlast agrees with its awlen.
  wire unused = &{1'b0, bursts, c_wlast, lengths_full};
endmodule
