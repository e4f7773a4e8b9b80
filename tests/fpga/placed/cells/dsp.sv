// SPDX-License-Identifier: Apache-2.0
//
// Model of a DSP48E1 (UG479): pre-adder, multiplier, accumulator of 48 bits. Left out, with an error:
// cascades, logic functions, SIMD, two stages of A and B, registers of the mode pins.
module DSP48E1 #(
    parameter A_INPUT = "DIRECT",
    parameter B_INPUT = "DIRECT",
    parameter USE_DPORT = "FALSE",
    parameter USE_MULT = "MULTIPLY",
    parameter USE_SIMD = "ONE48",
    parameter ACASCREG = 1,
    parameter ADREG = 1,
    parameter ALUMODEREG = 1,
    parameter AREG = 1,
    parameter BCASCREG = 1,
    parameter BREG = 1,
    parameter CARRYINREG = 1,
    parameter CARRYINSELREG = 1,
    parameter CREG = 1,
    parameter DREG = 1,
    parameter INMODEREG = 1,
    parameter MREG = 1,
    parameter OPMODEREG = 1,
    parameter PREG = 1,
    parameter [3:0] IS_ALUMODE_INVERTED = 0,
    parameter [0:0] IS_CARRYIN_INVERTED = 0,
    parameter [0:0] IS_CLK_INVERTED = 0,
    parameter [4:0] IS_INMODE_INVERTED = 0,
    parameter [6:0] IS_OPMODE_INVERTED = 0
) (
    input wire CLK,
    input wire signed [29:0] A,
    input wire [29:0] ACIN,
    input wire signed [17:0] B,
    input wire [17:0] BCIN,
    input wire signed [47:0] C,
    input wire signed [24:0] D,
    input wire [47:0] PCIN,
    input wire [3:0] ALUMODE,
    input wire [4:0] INMODE,
    input wire [6:0] OPMODE,
    input wire [2:0] CARRYINSEL,
    input wire CARRYIN,
    input wire CARRYCASCIN,
    input wire MULTSIGNIN,
    input wire CEA1,
    input wire CEA2,
    input wire CEAD,
    input wire CEALUMODE,
    input wire CEB1,
    input wire CEB2,
    input wire CEC,
    input wire CECARRYIN,
    input wire CECTRL,
    input wire CED,
    input wire CEINMODE,
    input wire CEM,
    input wire CEP,
    input wire RSTA,
    input wire RSTALLCARRYIN,
    input wire RSTALUMODE,
    input wire RSTB,
    input wire RSTC,
    input wire RSTCTRL,
    input wire RSTD,
    input wire RSTINMODE,
    input wire RSTM,
    input wire RSTP,
    output wire signed [47:0] P
);
  localparam IS_KNOWN = A_INPUT == "DIRECT" && B_INPUT == "DIRECT" && USE_MULT == "MULTIPLY" &&
      USE_SIMD == "ONE48" && AREG < 2 && BREG < 2 && INMODEREG == 0 && OPMODEREG == 0 &&
      ALUMODEREG == 0 && CARRYINREG == 0 && CARRYINSELREG == 0 && IS_CLK_INVERTED == 0;
  wire [4:0] inmode = INMODE ^ IS_INMODE_INVERTED;
  wire [6:0] opmode = OPMODE ^ IS_OPMODE_INVERTED;
  wire [3:0] alumode = ALUMODE ^ IS_ALUMODE_INVERTED;
  wire carry = CARRYIN ^ IS_CARRYIN_INVERTED;
  wire is_known_mode = alumode == 4'b0000 | alumode == 4'b0011;
  initial if (!IS_KNOWN) $fatal(1, "DSP48E1: a configuration that the model lacks");
  always_comb if (!is_known_mode | CARRYINSEL != 0) $fatal(1, "DSP48E1: a mode that the model lacks");

  reg signed [29:0] a_reg;
  reg signed [17:0] b_reg;
  reg signed [47:0] c_reg, p_reg;
  reg signed [24:0] d_reg, ad_reg;
  reg signed [42:0] m_reg;
  initial {a_reg, b_reg, c_reg, d_reg, p_reg, ad_reg, m_reg} = '0;

  wire signed [29:0] a = AREG == 0 ? A : a_reg;
  wire signed [17:0] b = BREG == 0 ? B : b_reg;
  wire signed [47:0] c = CREG == 0 ? C : c_reg;
  wire signed [24:0] d = DREG == 0 ? D : d_reg;
  wire signed [24:0] gated_a = inmode[1] ? 25'sd0 : a[24:0];
  wire signed [24:0] gated_d = inmode[2] ? d : 25'sd0;
  wire signed [24:0] sum = inmode[3] ? gated_d - gated_a : gated_d + gated_a;
  wire signed [24:0] ad = ADREG == 0 ? sum : ad_reg;
  wire signed [24:0] factor = USE_DPORT == "TRUE" ? ad : gated_a;
  wire signed [42:0] product = factor * b;
  wire signed [42:0] m = MREG == 0 ? product : m_reg;

  // The multiplier is the sum of X and Y.
  reg signed [47:0] x, y, z;
  always_comb begin
    case (opmode[1:0])
      2'b00: x = '0;
      2'b01: x = 48'(m);
      2'b10: x = p_reg;
      2'b11: x = {a, b};
    endcase
    case (opmode[3:2])
      2'b00, 2'b01: y = '0;
      2'b10: y = '1;
      2'b11: y = c;
    endcase
    case (opmode[6:4])
      3'b000: z = '0;
      3'b010: z = p_reg;
      3'b011: z = c;
      default: begin
        z = '0;
        $fatal(1, "DSP48E1: Z is a cascade");
      end
    endcase
  end
  always_comb begin
    if ((opmode[1:0] == 2'b01) != (opmode[3:2] == 2'b01)) $fatal(1, "DSP48E1: half of a product");
    if (PREG == 0 & (opmode[1:0] == 2'b10 | opmode[6:4] == 3'b010)) $fatal(1, "DSP48E1: P without register");
  end
  wire signed [47:0] addend = x + y + 48'(carry);
  wire signed [47:0] total = alumode[0] ? z - addend : z + addend;
  assign P = PREG == 0 ? total : p_reg;

  always_ff @(posedge CLK) begin
    if (RSTA) a_reg <= '0;
    else if (CEA2) a_reg <= A;
    if (RSTB) b_reg <= '0;
    else if (CEB2) b_reg <= B;
    if (RSTC) c_reg <= '0;
    else if (CEC) c_reg <= C;
    if (RSTD) d_reg <= '0;
    else if (CED) d_reg <= D;
    if (RSTD) ad_reg <= '0;
    else if (CEAD) ad_reg <= sum;
    if (RSTM) m_reg <= '0;
    else if (CEM) m_reg <= product;
    if (RSTP) p_reg <= '0;
    else if (CEP) p_reg <= total;
  end

  // Enables and resets of registers that are left out or bypassed; inputs of cascades.
  wire unused = &{1'b0, ACIN, BCIN, PCIN, CARRYCASCIN, MULTSIGNIN, CEA1, CEB1, CEINMODE, CEALUMODE,
      CECARRYIN, CECTRL, RSTALLCARRYIN, RSTALUMODE, RSTCTRL, RSTINMODE};
endmodule
