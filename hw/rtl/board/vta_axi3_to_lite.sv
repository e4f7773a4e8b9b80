// SPDX-License-Identifier: Apache-2.0
//
// From an AXI3 master (M_AXI_GP0 of a Zynq-7000) to an AXI4-Lite slave. IDs are returned with the
// responses. A burst of more than one beat never reaches the slave: all of its beats are answered
// with SLVERR, its data is dropped, and reads give 0. One write and one read may be in flight at
// once.
module vta_axi3_to_lite #(
    parameter ID_BITS      = 12,
    parameter ADDRESS_BITS = 12   // of the slave; higher bits of an address are ignored
) (
    input wire clk,
    input wire rst,

    input  wire [ID_BITS-1:0] s_awid,
    input  wire [       31:0] s_awaddr,
    input  wire [        3:0] s_awlen,
    input  wire               s_awvalid,
    output wire               s_awready,
    input  wire [       31:0] s_wdata,
    input  wire [        3:0] s_wstrb,
    input  wire               s_wlast,
    input  wire               s_wvalid,
    output wire               s_wready,
    output reg  [ID_BITS-1:0] s_bid,
    output reg  [        1:0] s_bresp,
    output wire               s_bvalid,
    input  wire               s_bready,
    input  wire [ID_BITS-1:0] s_arid,
    input  wire [       31:0] s_araddr,
    input  wire [        3:0] s_arlen,
    input  wire               s_arvalid,
    output wire               s_arready,
    output reg  [ID_BITS-1:0] s_rid,
    output wire [       31:0] s_rdata,
    output wire [        1:0] s_rresp,
    output wire               s_rlast,
    output wire               s_rvalid,
    input  wire               s_rready,

    output reg  [ADDRESS_BITS-1:0] m_awaddr,
    output wire                    m_awvalid,
    input  wire                    m_awready,
    output wire [            31:0] m_wdata,
    output wire [             3:0] m_wstrb,
    output wire                    m_wvalid,
    input  wire                    m_wready,
    input  wire [             1:0] m_bresp,
    input  wire                    m_bvalid,
    output wire                    m_bready,
    output reg  [ADDRESS_BITS-1:0] m_araddr,
    output wire                    m_arvalid,
    input  wire                    m_arready,
    input  wire [            31:0] m_rdata,
    input  wire [             1:0] m_rresp,
    input  wire                    m_rvalid,
    output wire                    m_rready
);
  localparam [1:0] SLVERR = 2'b10;

  // Writes. FORWARD passes address and data on, in either order, and waits for the response; DROP
  // takes the beats of a burst.
  localparam [1:0] IDLE = 2'd0, FORWARD = 2'd1, DROP = 2'd2, RESPOND = 2'd3;
  reg [1:0] write_state;
  reg address_sent, data_sent;
  assign s_awready = write_state == IDLE;
  assign s_wready = write_state == DROP | (write_state == FORWARD & ~data_sent & m_wready);
  assign s_bvalid = write_state == RESPOND;
  assign m_awvalid = write_state == FORWARD & ~address_sent;
  assign m_wvalid = write_state == FORWARD & ~data_sent & s_wvalid;
  assign m_wdata = s_wdata;
  assign m_wstrb = s_wstrb;
  assign m_bready = write_state == FORWARD;

  always_ff @(posedge clk) begin
    if (rst) write_state <= IDLE;
    else
      case (write_state)
        IDLE:
        if (s_awvalid) begin
          s_bid <= s_awid;
          m_awaddr <= s_awaddr[ADDRESS_BITS-1:0];
          address_sent <= 1'b0;
          data_sent <= 1'b0;
          write_state <= s_awlen == 4'd0 ? FORWARD : DROP;
        end
        FORWARD: begin
          if (m_awready) address_sent <= 1'b1;
          if (s_wvalid & m_wready) data_sent <= 1'b1;
          if (m_bvalid) begin
            s_bresp <= m_bresp;
            write_state <= RESPOND;
          end
        end
        DROP:
        if (s_wvalid & s_wlast) begin
          s_bresp <= SLVERR;
          write_state <= RESPOND;
        end
        RESPOND: if (s_bready) write_state <= IDLE;
      endcase
  end

  // Reads. RESPOND waits for the slave's answer and passes it on; DROP answers the beats of a burst.
  reg [1:0] read_state;
  reg [3:0] beats_left;
  assign s_arready = read_state == IDLE;
  assign m_arvalid = read_state == FORWARD;
  assign m_rready = read_state == RESPOND & s_rready;
  assign s_rvalid = read_state == DROP | (read_state == RESPOND & m_rvalid);
  assign s_rdata = read_state == DROP ? 32'd0 : m_rdata;
  assign s_rresp = read_state == DROP ? SLVERR : m_rresp;
  assign s_rlast = read_state == RESPOND | beats_left == 4'd0;

  always_ff @(posedge clk) begin
    if (rst) read_state <= IDLE;
    else
      case (read_state)
        IDLE:
        if (s_arvalid) begin
          s_rid <= s_arid;
          m_araddr <= s_araddr[ADDRESS_BITS-1:0];
          beats_left <= s_arlen;
          read_state <= s_arlen == 4'd0 ? FORWARD : DROP;
        end
        FORWARD: if (m_arready) read_state <= RESPOND;
        DROP:
        if (s_rready) begin
          beats_left <= beats_left - 4'd1;
          if (beats_left == 4'd0) read_state <= IDLE;
        end
        RESPOND: if (m_rvalid & s_rready) read_state <= IDLE;
      endcase
  end

  // The slave sees a word of its page.
  wire unused = &{1'b0, s_awaddr, s_araddr};
endmodule
