// SPDX-License-Identifier: Apache-2.0
// Links to the sections that the page has, on its side where it is wide.

function draw_contents() {
  const sections = Array.from(document.querySelectorAll("main section")).filter(
      (section) => section.style.display !== "none" && section.querySelector("h2"));
  d3.select("#contents").selectAll("a").data(sections).enter().append("a").attr("href", (section) => "#" + section.id)
      .text((section) => section.querySelector("h2").textContent);
}
