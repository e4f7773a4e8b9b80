// SPDX-License-Identifier: Apache-2.0
// Tables with sortable columns.

// Columns: {head, value(row), text(row), draw(cell, row), is_text, is_long}. `value` is what the column is sorted by. Of a
// long table the first rows are shown, until all are asked for.
function draw_table(section, columns, rows, on_row) {
  const table = d3.select(section).select("table");
  table.html("");
  const heads = table.append("thead").append("tr").selectAll("th").data(columns).enter().append("th")
      .attr("class", (column) => "sortable" + (column.is_text ? " text" : "")).attr("scope", "col").attr("tabindex", 0)
      .text((column) => column.head);
  const body = table.append("tbody");
  let sorted = rows;
  const fill = () => {
    body.selectAll("tr").remove();
    const lines = body.selectAll("tr").data(collapsed(section, sorted, (all, count) => all.slice(0, count), fill)).enter().append("tr");
    lines.selectAll("td").data((row) => columns.map((column) => [column, row])).enter().append("td")
        .attr("class", ([column]) => column.is_long ? "text why" : column.is_text ? "text" : null)
        .each(function ([column, row]) {
          if (column.draw) column.draw(d3.select(this), row);
          else d3.select(this).text(column.text ? column.text(row) : column.value(row));
        });
    if (on_row) lines.on("click", on_row);
  };
  const sort = function (column) {
    const descending = this.getAttribute("aria-sort") !== "descending";
    heads.attr("aria-sort", null);
    this.setAttribute("aria-sort", descending ? "descending" : "ascending");
    sorted = rows.slice().sort((a, b) => (descending ? d3.descending : d3.ascending)(column.value(a), column.value(b)));
    fill();
  };
  heads.on("click", sort).on("keydown", function (column) { if (d3.event.key === "Enter") sort.call(this, column); });
  fill();
}
