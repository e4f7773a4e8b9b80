// SPDX-License-Identifier: Apache-2.0
#include "sim/analysis/report/page.h"

#include <string_view>

#include "base/errors/error.h"
#include "sim/analysis/report/page_files.h"

namespace vta::sim {
namespace {

// Replaces the only occurrence of `mark`.
void insert(std::string& page, std::string_view mark, std::string_view text) {
  const size_t at = page.find(mark);
  VTA_ASSERT(at != std::string::npos, "the page's template has every mark");
  page.replace(at, mark.size(), text);
}

std::string escaped_text(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

// In JSON, '<' occurs in strings only; escaped there, no text ends the page's script element.
std::string escaped_json(std::string_view json) {
  std::string escaped;
  for (const char c : json) {
    if (c == '<') {
      escaped += "\\u003c";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

}  // namespace

std::string fill_page(std::string_view body, std::string_view script, const std::string& title,
                      const std::string& made, const std::string& json) {
  std::string page(kPageFrame);
  insert(page, "{{body}}", body);
  insert(page, "{{style}}", kPageStyle);
  insert(page, "{{d3}}", kD3);
  insert(page, "{{script}}", script);
  insert(page, "{{data}}", escaped_json(json));
  // The title and the footer after the data: their marks come first in the page, so no text of
  // theirs is taken for one.
  insert(page, "{{made}}", escaped_text(made));
  insert(page, "{{title}}", escaped_text(title));
  return page;
}

std::string report_page(const std::string& title, const std::string& made,
                        const std::string& json) {
  return fill_page(kReportBody, kPageScript, title, made, json);
}

std::string comparison_page(const std::string& made, const std::string& json) {
  return fill_page(kComparisonBody, kComparisonScript, "Comparison of two reports", made, json);
}

}  // namespace vta::sim
