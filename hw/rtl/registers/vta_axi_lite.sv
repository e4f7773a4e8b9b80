// SPDX-License-Identifier: Apache-2.0
//
// AXI4-Lite slave of the registers: turns the five channels into one access at a time. Address and
// data of a write may come in either order; one write and one read may be in flight at once, each
// until its response is accepted.
//
// `write` and `read` are 1 for one cycle; the result of an access is sampled in that cycle.
module vta_axi_lite (
    input  wire        clk,
    input  wire        rst,
    input  wire [11:0] s_axi_awaddr,
    input  wire        s_axi_awvalid,
    output wire        s_axi_awready,
    input  wire [31:0] s_axi_wdata,
    input  wire [ 3:0] s_axi_wstrb,
    input  wire        s_axi_wvalid,
    output wire        s_axi_wready,
    output wire [ 1:0] s_axi_bresp,
    output wire        s_axi_bvalid,
    input  wire        s_axi_bready,
    input  wire [11:0] s_axi_araddr,
    input  wire        s_axi_arvalid,
    output wire        s_axi_arready,
    output wire [31:0] s_axi_rdata,
    output wire [ 1:0] s_axi_rresp,
    output wire        s_axi_rvalid,
    input  wire        s_axi_rready,
    output wire        write,
    output reg  [11:0] write_address,
    output reg  [31:0] write_data,
    output reg  [ 3:0] write_strobes,  // a bit for each valid byte of write_data
    input  wire        write_mapped,
    output wire        read,
    output reg  [11:0] read_address,
    input  wire [31:0] read_data,
    input  wire        read_mapped
);
  localparam [1:0] OKAY = 2'b00, SLVERR = 2'b10;

  // A write: address and data are held until the response is accepted.
  reg has_address, has_data, answers_write;
  reg [1:0] write_response;
  assign s_axi_awready = ~has_address;
  assign s_axi_wready = ~has_data;
  assign s_axi_bvalid = answers_write;
  assign s_axi_bresp = write_response;
  assign write = has_address & has_data & ~answers_write;

  always_ff @(posedge clk) begin
    if (s_axi_awvalid & ~has_address) begin
      has_address   <= 1'b1;
      write_address <= s_axi_awaddr;
    end
    if (s_axi_wvalid & ~has_data) begin
      has_data      <= 1'b1;
      write_data    <= s_axi_wdata;
      write_strobes <= s_axi_wstrb;
    end
    if (write) begin
      answers_write  <= 1'b1;
      write_response <= write_mapped ? OKAY : SLVERR;
    end
    if (rst | (answers_write & s_axi_bready)) begin
      has_address   <= 1'b0;
      has_data      <= 1'b0;
      answers_write <= 1'b0;
    end
  end

  // A read.
  reg has_read, answers_read;
  reg [31:0] read_answer;
  reg [1:0] read_response;
  assign s_axi_arready = ~has_read;
  assign s_axi_rvalid = answers_read;
  assign s_axi_rdata = read_answer;
  assign s_axi_rresp = read_response;
  assign read = has_read & ~answers_read;

  always_ff @(posedge clk) begin
    if (s_axi_arvalid & ~has_read) begin
      has_read     <= 1'b1;
      read_address <= s_axi_araddr;
    end
    if (read) begin
      answers_read  <= 1'b1;
      read_answer   <= read_mapped ? read_data : 32'd0;
      read_response <= read_mapped ? OKAY : SLVERR;
    end
    if (rst | (answers_read & s_axi_rready)) begin
      has_read     <= 1'b0;
      answers_read <= 1'b0;
    end
  end
endmodule
