// SPDX-License-Identifier: Apache-2.0
//
// For small_zynq_top: a processing system that writes and reads random words at GP0, and prints what
// it reads. The clock starts at 0, the reset ends after some cycles. Also a global buffer.
`timescale 1ns / 1ns
module PS7 (
    output wire [3:0] FCLKCLK,
    output wire [3:0] FCLKRESETN,
    input wire [3:0] DDRARB,
    input wire MAXIGP0ACLK,
    output wire [11:0] MAXIGP0AWID,
    output reg [31:0] MAXIGP0AWADDR,
    output wire [3:0] MAXIGP0AWLEN,
    output reg MAXIGP0AWVALID,
    input wire MAXIGP0AWREADY,
    output reg [31:0] MAXIGP0WDATA,
    output wire [3:0] MAXIGP0WSTRB,
    output wire MAXIGP0WLAST,
    output reg MAXIGP0WVALID,
    input wire MAXIGP0WREADY,
    input wire [11:0] MAXIGP0BID,
    input wire [1:0] MAXIGP0BRESP,
    input wire MAXIGP0BVALID,
    output wire MAXIGP0BREADY,
    output wire [11:0] MAXIGP0ARID,
    output reg [31:0] MAXIGP0ARADDR,
    output wire [3:0] MAXIGP0ARLEN,
    output reg MAXIGP0ARVALID,
    input wire MAXIGP0ARREADY,
    input wire [11:0] MAXIGP0RID,
    input wire [31:0] MAXIGP0RDATA,
    input wire [1:0] MAXIGP0RRESP,
    input wire MAXIGP0RLAST,
    input wire MAXIGP0RVALID,
    output wire MAXIGP0RREADY
);
  localparam ACCESSES = 3000;
  reg clk = 0, resetn = 0;
  always #5 clk = ~clk;
  assign FCLKCLK = {3'd0, clk};
  assign FCLKRESETN = {3'd0, resetn};
  assign MAXIGP0AWID = 12'h123;
  assign MAXIGP0ARID = 12'h456;
  assign MAXIGP0AWLEN = 4'd0;
  assign MAXIGP0ARLEN = 4'd0;
  assign MAXIGP0WSTRB = 4'hF;
  assign MAXIGP0WLAST = 1'b1;
  assign MAXIGP0BREADY = 1'b1;
  assign MAXIGP0RREADY = 1'b1;

  reg [63:0] state = 64'h9E37_79B9_7F4A_7C15;  // xorshift
  task automatic advance;
    state = state ^ (state << 13);
    state = state ^ (state >> 7);
    state = state ^ (state << 17);
  endtask

  // Few different addresses, so that reads find what was written.
  function automatic [31:0] address;
    address = 32'h43c0_0000 | {20'd0, state[40], 5'd0, state[44:41], 2'd0};
  endfunction

  // Pins change at the falling edge, and are sampled shortly before the rising one.
  task automatic write;
    @(negedge clk);
    MAXIGP0AWADDR = address();
    MAXIGP0WDATA = state[31:0];
    MAXIGP0AWVALID = 1;
    MAXIGP0WVALID = 1;
    forever begin
      bit took_address, took_data, done;
      #4 took_address = MAXIGP0AWREADY;
      took_data = MAXIGP0WREADY;
      done = MAXIGP0BVALID;
      @(negedge clk);
      if (took_address) MAXIGP0AWVALID = 0;
      if (took_data) MAXIGP0WVALID = 0;
      if (done) break;
    end
  endtask

  task automatic read;
    @(negedge clk);
    MAXIGP0ARADDR  = address();
    MAXIGP0ARVALID = 1;
    forever begin
      bit took_address, done;
      #4 took_address = MAXIGP0ARREADY;
      done = MAXIGP0RVALID;
      if (done) $display("%h %h %h", MAXIGP0ARADDR, MAXIGP0RDATA, {MAXIGP0RID, MAXIGP0RRESP, MAXIGP0RLAST});
      @(negedge clk);
      if (took_address) MAXIGP0ARVALID = 0;
      if (done) break;
    end
  endtask

  initial begin
    MAXIGP0AWVALID = 0;
    MAXIGP0WVALID  = 0;
    MAXIGP0ARVALID = 0;
    repeat (8) @(negedge clk);
    resetn = 1;
    repeat (8) @(negedge clk);
    repeat (ACCESSES) begin
      advance();
      if (state[50]) write();
      else read();
    end
    $finish;
  end
  // A netlist that does not answer.
  initial begin
    #(ACCESSES * 500) $display("no answer");
    $finish;
  end

  wire unused = &{1'b0, MAXIGP0ACLK, MAXIGP0BID, MAXIGP0BRESP};
endmodule

module BUFG (
    input  wire I,
    output wire O
);
  assign O = I;
endmodule
