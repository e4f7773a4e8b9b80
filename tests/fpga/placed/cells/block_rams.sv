// SPDX-License-Identifier: Apache-2.0
//
// Models of block RAMs (UG473): all ports that are used have one width, and both ports have one clock. A port that reads what it writes
// is read-first; other configurations are errors.
//
// Collisions: a port that reads a word that the other port writes returns the old word if the port that writes is READ_FIRST, and otherwise
// garbage, here the old word inverted. Two ports that write one byte leave garbage in it.
//
// Bits of an address below a word are ignored. A word of 9 bits and more has a parity bit for each
// byte, in arrays of their own.
module block_ram #(
    parameter WIDTH = 36,  // with parity, of a port
    parameter ADDRESS_BITS = 15,  // of a single bit
    parameter DATA_BITS = 32768,
    parameter [DATA_BITS-1:0] CONTENTS = '0,
    parameter [DATA_BITS/8-1:0] PARITY = '0,
    parameter [1:0] REGISTERED = 0,  // an output register
    parameter [1:0] READ_FIRST = 0,  // when it writes
    parameter BYTES = WIDTH < 9 ? 1 : WIDTH / 9,
    parameter BITS = WIDTH < 9 ? WIDTH : 8 * BYTES
) (
    input wire clk,
    input wire [1:0] enable,  // of ports A and B, as all below
    input wire [1:0] reset,
    input wire [1:0] register_enable,
    input wire [1:0] register_reset,
    input wire [BYTES-1:0] write_a,
    input wire [BYTES-1:0] write_b,
    input wire [ADDRESS_BITS-1:0] address_a,
    input wire [ADDRESS_BITS-1:0] address_b,
    input wire [BITS-1:0] data_a,
    input wire [BITS-1:0] data_b,
    input wire [BYTES-1:0] parity_a,
    input wire [BYTES-1:0] parity_b,
    output wire [BITS-1:0] read_a,
    output wire [BITS-1:0] read_b,
    output wire [BYTES-1:0] read_parity_a,
    output wire [BYTES-1:0] read_parity_b
);
  localparam LOW = $clog2(BITS), DEPTH = DATA_BITS / BITS;
  reg [BITS-1:0] data[0:DEPTH-1];
  reg [BYTES-1:0] parity[0:DEPTH-1];
  reg [BYTES+BITS-1:0] latch_a, latch_b, register_a, register_b;  // with parity
  assign {read_parity_a, read_a} = REGISTERED[0] ? register_a : latch_a;
  assign {read_parity_b, read_b} = REGISTERED[1] ? register_b : latch_b;
  initial begin
    for (int i = 0; i < DEPTH; ++i) begin
      data[i] = CONTENTS[i*BITS+:BITS];
      parity[i] = WIDTH < 9 ? '0 : PARITY[(i*BITS/8)+:BYTES];
    end
    {latch_a, latch_b, register_a, register_b} = '0;
  end

  localparam LANE = WIDTH < 9 ? BITS : 8;
  wire [ADDRESS_BITS-LOW-1:0] word_a = address_a[ADDRESS_BITS-1:LOW];
  wire [ADDRESS_BITS-LOW-1:0] word_b = address_b[ADDRESS_BITS-1:LOW];
  // Whether each port reads what the other one changes without being READ_FIRST.
  wire is_same = &enable && word_a == word_b;
  wire collides_a = is_same && |write_b && !READ_FIRST[1], collides_b = is_same && |write_a && !READ_FIRST[0];
  always_ff @(posedge clk) begin
    if (register_reset[0]) register_a <= '0;
    else if (register_enable[0]) register_a <= latch_a;
    if (register_reset[1]) register_b <= '0;
    else if (register_enable[1]) register_b <= latch_b;
    if (enable[0]) begin
      latch_a <= reset[0] ? '0 : {parity[word_a], data[word_a]} ^ {(BYTES + BITS) {collides_a}};
      for (int i = 0; i < BYTES; ++i)
        if (write_a[i]) begin
          data[word_a][i*LANE+:LANE] <= data_a[i*LANE+:LANE];
          parity[word_a][i] <= parity_a[i];
        end
    end
    if (enable[1]) begin
      latch_b <= reset[1] ? '0 : {parity[word_b], data[word_b]} ^ {(BYTES + BITS) {collides_b}};
      for (int i = 0; i < BYTES; ++i)
        if (write_b[i]) begin  // after port A's write
          data[word_b][i*LANE+:LANE] <= data_b[i*LANE+:LANE] ^ {LANE{is_same && write_a[i]}};
          parity[word_b][i] <= parity_b[i] ^ (is_same && write_a[i]);
        end
    end
  end
endmodule

`define BLOCK_RAM_PORTS(HALF, ADDRESS, WEA_BITS, WEB_BITS) \
    input wire CLKARDCLK, \
    input wire CLKBWRCLK, \
    input wire ENARDEN, \
    input wire ENBWREN, \
    input wire REGCEAREGCE, \
    input wire REGCEB, \
    input wire RSTRAMARSTRAM, \
    input wire RSTRAMB, \
    input wire RSTREGARSTREG, \
    input wire RSTREGB, \
    input wire [ADDRESS-1:0] ADDRARDADDR, \
    input wire [ADDRESS-1:0] ADDRBWRADDR, \
    input wire [8*HALF-1:0] DIADI, \
    input wire [8*HALF-1:0] DIBDI, \
    input wire [HALF-1:0] DIPADIP, \
    input wire [HALF-1:0] DIPBDIP, \
    input wire [WEA_BITS-1:0] WEA, \
    input wire [WEB_BITS-1:0] WEBWE, \
    output wire [8*HALF-1:0] DOADO, \
    output wire [8*HALF-1:0] DOBDO, \
    output wire [HALF-1:0] DOPADOP, \
    output wire [HALF-1:0] DOPBDOP

`define BLOCK_RAM_PARAMETERS \
    parameter RAM_MODE = "TDP", \
    parameter WRITE_MODE_A = "WRITE_FIRST", \
    parameter WRITE_MODE_B = "WRITE_FIRST", \
    parameter RAM_EXTENSION_A = "NONE", \
    parameter RAM_EXTENSION_B = "NONE", \
    parameter READ_WIDTH_A = 0, \
    parameter READ_WIDTH_B = 0, \
    parameter WRITE_WIDTH_A = 0, \
    parameter WRITE_WIDTH_B = 0, \
    parameter DOA_REG = 0, \
    parameter DOB_REG = 0, \
    parameter SRVAL_A = 0, \
    parameter SRVAL_B = 0, \
    parameter INIT_A = 0, \
    parameter INIT_B = 0, \
    parameter IS_CLKARDCLK_INVERTED = 0, \
    parameter IS_CLKBWRCLK_INVERTED = 0, \
    parameter IS_ENARDEN_INVERTED = 0, \
    parameter IS_ENBWREN_INVERTED = 0, \
    parameter IS_RSTRAMARSTRAM_INVERTED = 0, \
    parameter IS_RSTRAMB_INVERTED = 0, \
    parameter IS_RSTREGARSTREG_INVERTED = 0, \
    parameter IS_RSTREGB_INVERTED = 0

// The body of both. A port that does not read itself has any write mode. FULL: width of a port of simple dual port, which has data and parity of both ports.
`define BLOCK_RAM_BODY(FULL, ADDRESS, SIZE, HALF) \
  localparam WIDTH = READ_WIDTH_A > 0 ? READ_WIDTH_A : READ_WIDTH_B > 0 ? READ_WIDTH_B : \
      WRITE_WIDTH_A > 0 ? WRITE_WIDTH_A : WRITE_WIDTH_B; \
  localparam BYTES = WIDTH < 9 ? 1 : WIDTH / 9, BITS = WIDTH < 9 ? WIDTH : 8 * BYTES; \
  localparam IS_WIDE = WIDTH == FULL; \
  localparam IS_READ_FIRST_A = WRITE_MODE_A == "READ_FIRST" || READ_WIDTH_A == 0; \
  localparam IS_READ_FIRST_B = WRITE_MODE_B == "READ_FIRST" || READ_WIDTH_B == 0; \
  localparam IS_KNOWN = (WRITE_WIDTH_A == 0 || (WRITE_WIDTH_A == WIDTH && IS_READ_FIRST_A)) && \
      (WRITE_WIDTH_B == 0 || (WRITE_WIDTH_B == WIDTH && IS_READ_FIRST_B)) && \
      (READ_WIDTH_B == 0 || READ_WIDTH_B == WIDTH) && WIDTH > 0 && IS_WIDE == (RAM_MODE == "SDP") && \
      !(IS_WIDE && (WRITE_WIDTH_A != 0 || READ_WIDTH_B != 0)) && RAM_EXTENSION_A == "NONE" && \
      RAM_EXTENSION_B == "NONE" && SRVAL_A == 0 && SRVAL_B == 0 && \
      INIT_A == 0 && INIT_B == 0 && IS_CLKARDCLK_INVERTED == 0 && IS_CLKBWRCLK_INVERTED == 0 && \
      IS_ENARDEN_INVERTED == 0 && IS_ENBWREN_INVERTED == 0 && IS_RSTREGARSTREG_INVERTED == 0 && IS_RSTREGB_INVERTED == 0; \
  initial if (!IS_KNOWN) $fatal(1, "block RAM: a configuration that the model lacks"); \
  wire [1:0] resets = {RSTRAMB ^ (IS_RSTRAMB_INVERTED != 0), RSTRAMARSTRAM ^ (IS_RSTRAMARSTRAM_INVERTED != 0)}; \
  if (IS_WIDE) begin : wide \
    wire [BITS-1:0] unused_data; \
    wire [BYTES-1:0] unused_parity; \
    block_ram #(.WIDTH(WIDTH), .ADDRESS_BITS(ADDRESS), .DATA_BITS(SIZE), .CONTENTS(CONTENTS), \
                .PARITY(PARITY), .REGISTERED({DOB_REG != 0, DOA_REG != 0}), \
                .READ_FIRST({WRITE_MODE_B == "READ_FIRST", WRITE_MODE_A == "READ_FIRST"})) ram ( \
        .clk(CLKARDCLK), .enable({ENBWREN, ENARDEN}), .reset({1'b0, resets[0]}), \
        .register_enable({1'b0, REGCEAREGCE}), .register_reset({1'b0, RSTREGARSTREG}), .write_a('0), .write_b(WEBWE[BYTES-1:0]), \
        .address_a(ADDRARDADDR[ADDRESS-1:0]), .address_b(ADDRBWRADDR[ADDRESS-1:0]), .data_a('0), .data_b({DIBDI, DIADI}), \
        .parity_a('0), .parity_b({DIPBDIP, DIPADIP}), .read_a({DOBDO, DOADO}), .read_b(unused_data), \
        .read_parity_a({DOPBDOP, DOPADOP}), .read_parity_b(unused_parity)); \
  end else begin : narrow \
    wire [BITS-1:0] a, b; \
    wire [BYTES-1:0] pa, pb; \
    block_ram #(.WIDTH(WIDTH), .ADDRESS_BITS(ADDRESS), .DATA_BITS(SIZE), .CONTENTS(CONTENTS), \
                .PARITY(PARITY), .REGISTERED({DOB_REG != 0, DOA_REG != 0}), \
                .READ_FIRST({WRITE_MODE_B == "READ_FIRST", WRITE_MODE_A == "READ_FIRST"})) ram ( \
        .clk(CLKARDCLK), .enable({ENBWREN, ENARDEN}), .reset(resets), \
        .register_enable({REGCEB, REGCEAREGCE}), .register_reset({RSTREGB, RSTREGARSTREG}), \
        .write_a(WRITE_WIDTH_A == 0 ? '0 : WEA[BYTES-1:0]), .write_b(WRITE_WIDTH_B == 0 ? '0 : WEBWE[BYTES-1:0]), \
        .address_a(ADDRARDADDR[ADDRESS-1:0]), .address_b(ADDRBWRADDR[ADDRESS-1:0]), .data_a(DIADI[BITS-1:0]), \
        .data_b(DIBDI[BITS-1:0]), .parity_a(DIPADIP[BYTES-1:0]), .parity_b(DIPBDIP[BYTES-1:0]), .read_a(a), .read_b(b), \
        .read_parity_a(pa), .read_parity_b(pb)); \
    assign DOADO = (8*HALF)'(a); \
    assign DOBDO = (8*HALF)'(b); \
    assign DOPADOP = HALF'(pa); \
    assign DOPBDOP = HALF'(pb); \
  end

module RAMB36E1 #(
    `BLOCK_RAM_PARAMETERS,
    parameter [32767:0] CONTENTS = '0,
    parameter [4095:0] PARITY = '0
) (
    `BLOCK_RAM_PORTS(4, 16, 4, 8)
);
  `BLOCK_RAM_BODY(72, 15, 32768, 4)
endmodule

module RAMB18E1 #(
    `BLOCK_RAM_PARAMETERS,
    parameter [16383:0] CONTENTS = '0,
    parameter [2047:0] PARITY = '0
) (
    `BLOCK_RAM_PORTS(2, 14, 2, 4)
);
  `BLOCK_RAM_BODY(36, 14, 16384, 2)
endmodule
