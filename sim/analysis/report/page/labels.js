// SPDX-License-Identifier: Apache-2.0
// Names of dots, which overlap neither each other nor dots; lines lead to those further away.

const label_height = 13, max_distance = 110;
const label_font = document.createElement("canvas").getContext("2d");
label_font.font = "11px " + window.getComputedStyle(document.body).fontFamily;

function overlap(a, b) { return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom; }

// Rectangles for a label around a dot, the nearest first.
function label_places({x, y, r, text}) {
  const width = label_font.measureText(text).width + 4, places = [];
  for (let distance = r + 3; distance < r + max_distance; distance += 9) {
    for (let i = 0; i < 16; ++i) {
      const angle = Math.PI * (0.5 + i / 8), dx = Math.cos(angle), dy = Math.sin(angle);
      const left = x + dx * (distance + width / 2) - width / 2, top = y + dy * (distance + label_height / 2) - label_height / 2;
      places.push({left, right: left + width, top, bottom: top + label_height, distance});
    }
  }
  return places;
}

// `labels`: {x, y, r, text}, the important ones first; `dots`: {x, y, r}, all, and other places to keep free. `area`: {left,
// right, top, bottom}. Labels without a place are left out.
function draw_labels(svg, labels, dots, area) {
  const taken = dots.map(({x, y, r}) => ({left: x - r, right: x + r, top: y - r, bottom: y + r}));
  for (const label of labels) {
    const place = label_places(label).find((one) => one.left >= area.left && one.right <= area.right && one.top >= area.top &&
                                                    one.bottom <= area.bottom && !taken.some((other) => overlap(one, other)));
    if (!place) continue;
    taken.push(place);
    const middle = (place.left + place.right) / 2, is_above = place.bottom <= label.y;
    if (place.distance > label.r + 12) {
      svg.append("path").attr("class", "leader").attr("d", `M${label.x},${label.y}L` +
          `${Math.min(Math.max(label.x, place.left), place.right)},${is_above ? place.bottom - 1 : place.top + 1}`);
    }
    svg.append("text").attr("class", "label").attr("x", middle).attr("y", place.bottom - 3).attr("text-anchor", "middle")
        .attr("font-size", 11).text(label.text);
  }
}
