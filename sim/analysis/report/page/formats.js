// SPDX-License-Identifier: Apache-2.0
// Formats of numbers.

const grouped = d3.format(",");
function percent(part, whole) { return whole > 0 ? (100 * part / whole).toFixed(1) + " %" : "-"; }
function megabytes(bytes) { return bytes >= 1e5 ? (bytes / 1e6).toFixed(2) + " MB" : (bytes / 1e3).toFixed(1) + " kB"; }
function milliseconds(ms) { return ms.toFixed(ms < 1 ? 3 : ms < 100 ? 2 : 1) + " ms"; }
