  // What is always true of the state of hls_axi_write, for proofs by induction; appended to the
  // module.
  (* hierconn *)wire [2:0] \requests.count ;
  (* hierconn *)wire [$clog2(BURSTS + 1)-1:0] \lengths.count ;
  (* hierconn *)wire [5*BURSTS-1:0] \properties.needed ;
  (* hierconn *)wire [COUNT_BITS-1:0] \properties.unsent ;
  reg are_ordered;
  integer k;
  always @* begin
    are_ordered = 1'b1;
    for (k = 0; k < BURSTS; k = k + 1) begin
      if ((\properties.needed [5*k+:5] != 0) != (k < \properties.unsent )) are_ordered = 1'b0;
      if (\properties.needed [5*k+:5] > 16) are_ordered = 1'b0;
    end
  end
  always @(posedge clk) if (~rst) begin
    assert (are_ordered);
    assert (32'(\properties.unsent ) == 32'(\lengths.count ));
    assert (32'(unanswered) == 32'(in_flight) + 32'(\requests.count ));
    assert (beat == 0 | ~length_empty);
  end
