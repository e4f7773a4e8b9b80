  // What is always true of the state of vta_axi_write_gate, for proofs by induction; appended to
  // the module.
  (* hierconn *)wire [4:0] \lengths.count ;
  (* hierconn *)wire [5*8-1:0] \properties.needed ;
  (* hierconn *)wire [4:0] \properties.unsent ;
  reg are_ordered;
  integer k;
  always @* begin
    are_ordered = 1'b1;
    for (k = 0; k < 8; k = k + 1) begin
      if ((\properties.needed [5*k+:5] != 0) != (k < \properties.unsent )) are_ordered = 1'b0;
      if (\properties.needed [5*k+:5] > 16) are_ordered = 1'b0;
    end
  end
  always @(posedge clk) if (~rst) begin
    assert (are_ordered);
    assert (\properties.unsent == \lengths.count + 5'(wvalid & wlast));
    assert (beat == 0 | ~length_empty);
  end
