// SPDX-License-Identifier: Apache-2.0
//
// A first-word-fall-through FIFO of DEPTH items: dout is the oldest item while empty is 0. Up to
// SMALL items are in registers or distributed RAM, and an item is available in the cycle after its
// push. Deeper FIFOs use block RAM with an output register: an item is available two cycles after a
// push into an empty FIFO.
module hls_fifo #(
    parameter WIDTH = 8,
    parameter DEPTH = 2
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             push,
    input  wire [WIDTH-1:0] din,
    output wire             full,
    input  wire             pop,
    output wire [WIDTH-1:0] dout,
    output wire             empty
);
  localparam SMALL = 32;
  localparam INDEX_BITS = DEPTH <= 2 ? 1 : $clog2(DEPTH);
  localparam COUNT_BITS = $clog2(DEPTH + 1);
  localparam [INDEX_BITS-1:0] LAST = INDEX_BITS'(DEPTH - 1);

  reg [WIDTH-1:0] items[0:DEPTH-1];
  reg [INDEX_BITS-1:0] head, tail;
  reg [COUNT_BITS-1:0] count;  // items pushed and not popped
  reg is_full;                 // flags are registers: processes stall on them

  assign full = is_full;

  always @(posedge clk) begin
    if (push) begin
      items[tail] <= din;
      tail <= tail == LAST ? '0 : tail + 1'b1;
    end
    if (push != pop) begin
      count   <= push ? count + 1'b1 : count - 1'b1;
      is_full <= push & (count == COUNT_BITS'(DEPTH - 1));
    end
    if (rst) begin
      tail    <= '0;
      count   <= '0;
      is_full <= 1'b0;
    end
  end

  generate
    if (DEPTH <= SMALL) begin : g_small
      reg has_items;
      assign dout  = items[head];
      assign empty = ~has_items;
      always @(posedge clk) begin
        if (pop) head <= head == LAST ? '0 : head + 1'b1;
        if (push != pop) has_items <= push | (count != COUNT_BITS'(1));
        if (rst) begin
          head <= '0;
          has_items <= 1'b0;
        end
      end
    end else begin : g_large
      // The oldest item moves to `front` as soon as that is free; `head` is the index of the next
      // one.
      reg [WIDTH-1:0] front;
      reg front_valid;
      reg [COUNT_BITS-1:0] stored;  // items in the memory that can be read
      reg has_stored;
      wire fetch = has_stored & (~front_valid | pop);
      assign dout  = front;
      assign empty = ~front_valid;
      always @(posedge clk) begin
        if (fetch) begin
          front <= items[head];
          head  <= head == LAST ? '0 : head + 1'b1;
        end
        if (fetch | pop) front_valid <= fetch;
        if (push != fetch) begin
          stored <= push ? stored + 1'b1 : stored - 1'b1;
          has_stored <= push | (stored != COUNT_BITS'(1));
        end
        if (rst) begin
          head <= '0;
          front_valid <= 1'b0;
          stored <= '0;
          has_stored <= 1'b0;
        end
      end
    end
  endgenerate

`ifdef VERILATOR
  always @(posedge clk) begin
    if (push) if (full & ~rst) $fatal(1, "%m: a push into a full FIFO");
    if (pop) if (empty & ~rst) $fatal(1, "%m: a pop from an empty FIFO");
  end
`endif
endmodule
