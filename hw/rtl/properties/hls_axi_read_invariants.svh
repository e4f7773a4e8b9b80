  // What is always true of the state of hls_axi_read, for proofs by induction; appended to the
  // module.
  (* hierconn *)wire [CREDIT_BITS-1:0] \beats.count ;
  (* hierconn *)wire [5*BURSTS-1:0] \properties.owed ;
  (* hierconn *)wire [CREDIT_BITS-1:0] \properties.owed_beats ;
  reg are_ordered;
  integer k;
  always @* begin
    are_ordered = 1'b1;
    for (k = 0; k < BURSTS; k = k + 1) begin
      if ((\properties.owed [5*k+:5] != 0) != (k < bursts)) are_ordered = 1'b0;
      if (\properties.owed [5*k+:5] > 16) are_ordered = 1'b0;
    end
  end
  always @(posedge clk) if (~rst) begin
    assert (are_ordered);
    assert (32'(credits) + 32'(\properties.owed_beats ) + 32'(\beats.count ) == BEATS);
    assert (has_room == (credits >= 16));
    assert (has_slot == (bursts < BURSTS));
  end
