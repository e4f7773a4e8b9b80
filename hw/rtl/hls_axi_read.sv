// SPDX-License-Identifier: Apache-2.0
//
// From a stream of read requests to an AXI master, and from its data to a stream of beats. A
// request is one burst: at most 16 beats, within 4 KiB (hls::burst_beats()); it fits AXI4 and AXI3.
//
// A burst is issued when there is room for all its beats, so that data is never kept waiting: the
// room is taken when it is issued and given back when a beat is consumed. Of a burst's size and
// kind there is one for all: 8 bytes a beat, incrementing addresses.
module hls_axi_read #(
    parameter BURSTS = 8  // under way at most
) (
    input  wire        clk,
    input  wire        rst,
    input  wire [47:0] request_data,  // beats, address
    output wire        request_full,
    input  wire        request_push,
    output wire [63:0] beat_data,
    output wire        beat_empty,
    input  wire        beat_pop,
    output wire        arvalid,
    input  wire        arready,
    output wire [31:0] araddr,
    output wire [ 7:0] arlen,
    input  wire        rvalid,
    output wire        rready,
    input  wire [63:0] rdata,
    input  wire [ 1:0] rresp,
    input  wire        rlast,
    output reg         error  // a response was not OKAY
);
  localparam BEATS = BURSTS * 16;
  localparam ROOM_BITS = $clog2(BEATS + 1);
  localparam COUNT_BITS = $clog2(BURSTS + 1);

  wire [47:0] request;
  wire request_empty, beats_full;
  wire issue = arvalid & arready;
  wire last = rvalid & rlast;
  hls_fifo #(
      .WIDTH(48),
      .DEPTH(4)
  ) requests (
      .clk  (clk),
      .rst  (rst),
      .push (request_push),
      .din  (request_data),
      .full (request_full),
      .pop  (issue),
      .dout (request),
      .empty(request_empty)
  );
  hls_fifo #(
      .WIDTH(64),
      .DEPTH(BEATS)
  ) beats (
      .clk  (clk),
      .rst  (rst),
      .push (rvalid),
      .din  (rdata),
      .full (beats_full),
      .pop  (beat_pop),
      .dout (beat_data),
      .empty(beat_empty)
  );

  reg [ ROOM_BITS-1:0] room;
  reg [COUNT_BITS-1:0] bursts;
  wire [ROOM_BITS-1:0] wanted = ROOM_BITS'(request[47:32]);
  assign arvalid = ~request_empty & (room >= wanted) & (bursts != COUNT_BITS'(BURSTS));
  assign araddr  = request[31:0];
  assign arlen   = request[39:32] - 8'd1;
  assign rready  = 1'b1;

  always @(posedge clk) begin
    if (issue | beat_pop)
      room <= room - (issue ? wanted : '0) + (beat_pop ? ROOM_BITS'(1) : '0);
    if (issue != last) bursts <= issue ? bursts + 1'b1 : bursts - 1'b1;
    if (rvalid & (rresp != 2'b00)) error <= 1'b1;
    if (rst) begin
      room   <= ROOM_BITS'(BEATS);
      bursts <= '0;
      error  <= 1'b0;
    end
  end

  // Only the FIFO's own check looks at it: the room that a burst takes is always there.
  wire unused = &{1'b0, beats_full, request[47:40]};
endmodule
