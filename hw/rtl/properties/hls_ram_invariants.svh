  // Contents of hls_ram, for proofs; appended to the module. One lane of one word is followed.
  (* anyconst *) wire [ADDRESS_BITS-1:0] followed_address;
  (* anyconst *) wire [31:0] followed_lane;
  reg [LANE-1:0] followed_item, followed_read;
  reg is_known = 1'b0, was_read = 1'b0;  // after the first write of that lane
  wire [LANE-1:0] read_lane = rq[followed_lane*LANE+:LANE];
  wire [LANE-1:0] written_lane = wd[followed_lane*LANE+:LANE];
  wire [WIDTH-1:0] followed_word = words[followed_address];
  reg kept = 1'b0;
  reg [WIDTH-1:0] word;
  always @(posedge clk) begin
    kept <= ~re;
    word <= rq;
    if (kept) assert (rq == word);
    assume (followed_lane < LANES);
    assume (32'(followed_address) < DEPTH);
    if (we[followed_lane] & (wa == followed_address)) begin
      is_known <= 1'b1;
      followed_item <= written_lane;
    end
    if (re) was_read <= is_known & (ra == followed_address);
    if (re) followed_read <= followed_item;
    if (is_known) assert (followed_word[followed_lane*LANE+:LANE] == followed_item);
    if (was_read) assert (read_lane == followed_read);
  end
