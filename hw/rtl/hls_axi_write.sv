// SPDX-License-Identifier: Apache-2.0
//
// AXI write adapter: streams of requests and of their beats in, an AXI master. A request is one
// burst as in hls_axi_read. Addresses run ahead of data; up to BURSTS bursts wait for their
// response.
module hls_axi_write #(
    parameter BURSTS = 8
) (
    input  wire        clk,
    input  wire        rst,
    input  wire [47:0] request_data,  // beats, address
    output wire        request_full,
    input  wire        request_push,
    input  wire [63:0] beat_data,
    output wire        beat_full,
    input  wire        beat_push,
    output wire        idle,  // every requested burst has its response, and no beat waits
    output wire        awvalid,
    input  wire        awready,
    output wire [31:0] awaddr,
    output wire [ 7:0] awlen,
    output wire        wvalid,
    input  wire        wready,
    output wire [63:0] wdata,
    output wire        wlast,
    input  wire        bvalid,
    output wire        bready,
    input  wire [ 1:0] bresp,
    output reg         error  // a response was not OKAY
);
  localparam COUNT_BITS = $clog2(BURSTS + 5);

  wire [47:0] request;
  wire [7:0] length;
  wire request_empty, lengths_full, length_empty, beats_empty;
  wire issue = awvalid & awready;
  wire sent = wvalid & wready;
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
  // Lengths of the bursts whose address is sent and whose data is not.
  hls_fifo #(
      .WIDTH(8),
      .DEPTH(BURSTS)
  ) lengths (
      .clk  (clk),
      .rst  (rst),
      .push (issue),
      .din  (awlen),
      .full (lengths_full),
      .pop  (sent & wlast),
      .dout (length),
      .empty(length_empty)
  );
  hls_fifo #(
      .WIDTH(64),
      .DEPTH(32)
  ) beats (
      .clk  (clk),
      .rst  (rst),
      .push (beat_push),
      .din  (beat_data),
      .full (beat_full),
      .pop  (sent),
      .dout (wdata),
      .empty(beats_empty)
  );

  reg [COUNT_BITS-1:0] unanswered;  // requested bursts without a response
  reg [COUNT_BITS-1:0] in_flight;
  reg [7:0] beat;
  assign awvalid = ~request_empty & ~lengths_full & (in_flight != COUNT_BITS'(BURSTS));
  assign awaddr  = request[31:0];
  assign awlen   = request[39:32] - 8'd1;
  assign wvalid  = ~length_empty & ~beats_empty;
  assign wlast   = beat == length;
  assign bready  = 1'b1;
  assign idle    = (unanswered == '0) & beats_empty;

  always @(posedge clk) begin
    if (sent) beat <= wlast ? 8'd0 : beat + 8'd1;
    if (request_push != bvalid)
      unanswered <= request_push ? unanswered + 1'b1 : unanswered - 1'b1;
    if (issue != bvalid) in_flight <= issue ? in_flight + 1'b1 : in_flight - 1'b1;
    if (bvalid & (bresp != 2'b00)) error <= 1'b1;
    if (rst) begin
      beat       <= 8'd0;
      unanswered <= '0;
      in_flight  <= '0;
      error      <= 1'b0;
    end
  end

  wire unused = &{1'b0, request[47:40]};
endmodule
