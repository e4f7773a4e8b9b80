// SPDX-License-Identifier: Apache-2.0
//
// AXI read adapter: a stream of requests in, an AXI master, a stream of beats out. A request is one
// burst of at most 16 beats within 4 KiB (hls::burst_beats()), which is legal in AXI4 and AXI3.
//
// Credit-based: a burst is issued only when the FIFO has space for the longest burst, so rready is
// always 1. The burst takes credits for its beats when it is issued; each beat that is consumed
// returns one.
// All bursts have 8 bytes a beat and incrementing addresses.
module hls_axi_read #(
    parameter BURSTS = 8  // in flight, at most
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
  localparam CREDIT_BITS = $clog2(BEATS + 1);
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

  // What `arvalid` depends on are registers, so that neither the length of the request nor a count is
  // in the path to the memory and back.
  reg [CREDIT_BITS-1:0] credits;
  reg [COUNT_BITS-1:0] bursts;
  reg has_room, has_slot;  // for a burst of 16 beats; for one more burst
  wire [CREDIT_BITS-1:0] taken = issue ? CREDIT_BITS'(request[47:32]) : '0;
  wire [CREDIT_BITS-1:0] left = credits - taken + CREDIT_BITS'(beat_pop);
  assign arvalid = ~request_empty & has_room & has_slot;
  assign araddr  = request[31:0];
  assign arlen   = request[39:32] - 8'd1;
  assign rready  = 1'b1;

  always @(posedge clk) begin
    credits  <= left;
    has_room <= left[CREDIT_BITS-1:4] != '0;
    if (issue != last) begin
      bursts   <= issue ? bursts + 1'b1 : bursts - 1'b1;
      has_slot <= last | (bursts != COUNT_BITS'(BURSTS - 1));
    end
    if (rvalid & (rresp != 2'b00)) error <= 1'b1;
    if (rst) begin
      credits  <= CREDIT_BITS'(BEATS);
      has_room <= 1'b1;
      bursts   <= '0;
      has_slot <= 1'b1;
      error    <= 1'b0;
    end
  end

  // Credits make a push into a full FIFO impossible; only the FIFO's own check uses beats_full.
  wire unused = &{1'b0, beats_full, request[47:40]};
endmodule
