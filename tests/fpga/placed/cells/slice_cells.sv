// SPDX-License-Identifier: Apache-2.0
//
// Models of the cells of a slice, and of global buffers. LUTs are expressions in the netlist. A
// simulation stops at a configuration that no model has.
module FDRE #(
    parameter INIT = 1'b0
) (
    input  wire C,
    input  wire CE,
    input  wire R,
    input  wire D,
    output reg  Q
);
  initial Q = INIT;
  always_ff @(posedge C) begin
    if (R) Q <= 1'b0;
    else if (CE) Q <= D;
  end
endmodule

module FDSE #(
    parameter INIT = 1'b1
) (
    input  wire C,
    input  wire CE,
    input  wire S,
    input  wire D,
    output reg  Q
);
  initial Q = INIT;
  always_ff @(posedge C) begin
    if (S) Q <= 1'b1;
    else if (CE) Q <= D;
  end
endmodule

// Each bit is a port: S of a bit may depend on O of a lower one.
module CARRY4 (
    input  wire CI,
    input  wire CYINIT,
    input  wire DI0,
    input  wire DI1,
    input  wire DI2,
    input  wire DI3,
    input  wire S0,
    input  wire S1,
    input  wire S2,
    input  wire S3,
    output wire CO0,
    output wire CO1,
    output wire CO2,
    output wire CO3,
    output wire O0,
    output wire O1,
    output wire O2,
    output wire O3
);
  wire in = CI | CYINIT;
  assign CO0 = S0 ? in : DI0;
  assign O0  = S0 ^ in;
  assign CO1 = S1 ? CO0 : DI1;
  assign O1  = S1 ^ CO0;
  assign CO2 = S2 ? CO1 : DI2;
  assign O2  = S2 ^ CO1;
  assign CO3 = S3 ? CO2 : DI3;
  assign O3  = S3 ^ CO2;
endmodule

module MUXF7 (
    input  wire I0,
    input  wire I1,
    input  wire S,
    output wire O
);
  assign O = S ? I1 : I0;
endmodule

module MUXF8 (
    input  wire I0,
    input  wire I1,
    input  wire S,
    output wire O
);
  assign O = S ? I1 : I0;
endmodule

// A LUT as a RAM of 32 or 64 bits: a write port, and a read port without clock.
module RAMD32 #(
    parameter IS_WCLK_INVERTED = 0
) (
    input  wire CLK,
    input  wire WE,
    input  wire I,
    input  wire WADR0,
    input  wire WADR1,
    input  wire WADR2,
    input  wire WADR3,
    input  wire WADR4,
    input  wire RADR0,
    input  wire RADR1,
    input  wire RADR2,
    input  wire RADR3,
    input  wire RADR4,
    output wire O
);
  initial if (IS_WCLK_INVERTED != 0) $fatal(1, "RAMD32: the clock is inverted");
  reg [31:0] bits;
  initial bits = '0;
  always_ff @(posedge CLK) if (WE) bits[{WADR4, WADR3, WADR2, WADR1, WADR0}] <= I;
  assign O = bits[{RADR4, RADR3, RADR2, RADR1, RADR0}];
endmodule

module RAMD64E #(
    parameter IS_WCLK_INVERTED = 0
) (
    input  wire CLK,
    input  wire WE,
    input  wire I,
    input  wire WADR0,
    input  wire WADR1,
    input  wire WADR2,
    input  wire WADR3,
    input  wire WADR4,
    input  wire WADR5,
    input  wire WADR6,
    input  wire WADR7,
    input  wire RADR0,
    input  wire RADR1,
    input  wire RADR2,
    input  wire RADR3,
    input  wire RADR4,
    input  wire RADR5,
    output wire O
);
  initial if (IS_WCLK_INVERTED != 0) $fatal(1, "RAMD64E: the clock is inverted");
  reg [63:0] bits;
  initial bits = '0;
  // Address bits 6 and 7 select one of several LUTs of a deeper RAM.
  always_ff @(posedge CLK) begin
    if (WE) begin
      bits[{WADR5, WADR4, WADR3, WADR2, WADR1, WADR0}] <= I;
      if (WADR6 | WADR7) $fatal(1, "RAMD64E: an address of more than 6 bits");
    end
  end
  assign O = bits[{RADR5, RADR4, RADR3, RADR2, RADR1, RADR0}];
endmodule

// Without selection: the clock is I0.
module BUFGCTRL #(
    parameter IS_IGNORE1_INVERTED = 0,
    parameter IS_CE1_INVERTED = 0,
    parameter IS_S1_INVERTED = 0
) (
    input  wire I0,
    input  wire S0,
    input  wire S1,
    input  wire CE0,
    input  wire CE1,
    input  wire IGNORE0,
    input  wire IGNORE1,
    output wire O
);
  wire passes = S0 & CE0 & IGNORE0 & (S1 == (IS_S1_INVERTED != 0)) & (CE1 == (IS_CE1_INVERTED != 0)) &
      (IGNORE1 == (IS_IGNORE1_INVERTED != 0));
  assign O = I0;
  always_comb if (!passes) $fatal(1, "BUFGCTRL: not a plain buffer of I0");
endmodule
