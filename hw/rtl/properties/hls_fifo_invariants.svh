  // What is always true of the state of hls_fifo, for proofs by induction; appended to the module.
  wire [31:0] distance = 32'(tail) >= 32'(head) ? 32'(tail) - 32'(head)
                                                : 32'(tail) + DEPTH - 32'(head);
  generate
    if (DEPTH <= SMALL) begin : g_small_invariants
      always @(posedge clk) if (~rst) begin
        assert (g_small.has_items == (count != '0));
        assert (distance == (32'(count) == DEPTH ? 0 : 32'(count)));
      end
    end else begin : g_large_invariants
      always @(posedge clk) if (~rst) begin
        assert (32'(count) == 32'(g_large.stored) + 32'(g_large.front_valid));
        assert (g_large.has_stored == (g_large.stored != '0));
        assert (distance == (32'(g_large.stored) == DEPTH ? 0 : 32'(g_large.stored)));
      end
    end
  endgenerate
  always @(posedge clk) if (~rst) begin
    assert (32'(head) < DEPTH && 32'(tail) < DEPTH);
  end

`ifdef CONTENTS
  // One item, chosen freely when it is pushed, is followed to the output: what is true of it is
  // true of all.
  (* anyseq *) wire choose;
  reg followed;
  reg [WIDTH-1:0] followed_item;
  reg [COUNT_BITS-1:0] ahead;  // items that leave before it
  always @(posedge clk) begin
    if (followed) begin
      if (pop) ahead <= ahead - 1'b1;
      if (pop & (ahead == '0)) followed <= 1'b0;
    end else if (push & choose) begin
      followed <= 1'b1;
      followed_item <= din;
      ahead <= count - COUNT_BITS'(pop);
    end
    if (rst) followed <= 1'b0;
  end
  wire in_front = DEPTH > SMALL & ~empty & (ahead == '0);
  wire [31:0] place = 32'(head) + 32'(ahead) - 32'(DEPTH > SMALL & ~empty);
  wire [INDEX_BITS-1:0] slot = INDEX_BITS'(place >= DEPTH ? place - DEPTH : place);
  always @(posedge clk) if (~rst & followed) begin
    assert (ahead < count);
    if (~in_front) assert (items[slot] == followed_item);
    if ((ahead == '0) & ~empty) assert (dout == followed_item);
  end
`endif
