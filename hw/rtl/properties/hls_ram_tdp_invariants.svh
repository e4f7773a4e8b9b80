  // Contents of hls_ram_tdp, for proofs; appended to the module. One word is followed.
  (* anyconst *) wire [ADDRESS_BITS-1:0] followed_address;
  reg [WIDTH-1:0] followed_item, followed_a, followed_b;
  reg is_known = 1'b0, a_known = 1'b0, b_known = 1'b0;
  reg a_stays = 1'b0, b_stays = 1'b0;
  reg [WIDTH-1:0] a_before, b_before;
  always @(posedge clk) begin
    a_stays <= ~a_re;
    b_stays <= ~b_re;
    a_before <= a_rq;
    b_before <= b_rq;
    if (a_stays) assert (a_rq == a_before);
    if (b_stays) assert (b_rq == b_before);
    assume (32'(followed_address) < DEPTH);
    if (b_we & (b_a == followed_address)) begin
      is_known <= 1'b1;
      followed_item <= b_wd;
    end
    if (a_re) a_known <= is_known & (a_ra == followed_address);
    if (a_re) followed_a <= followed_item;
    if (b_re) b_known <= is_known & (b_a == followed_address);
    if (b_re) followed_b <= followed_item;
    if (is_known) assert (words[followed_address] == followed_item);
    if (a_known) assert (a_rq == followed_a);
    if (b_known) assert (b_rq == followed_b);
  end
