// SPDX-License-Identifier: Apache-2.0
#include "sim/analysis/report/page.h"

#include <gtest/gtest.h>

namespace vta::sim {
namespace {

size_t count(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(ReportPage, IsOneFileThatLoadsNothing) {
  const std::string page = report_page("net", "by test", "{}");
  EXPECT_TRUE(page.starts_with("<!DOCTYPE html>"));
  for (const char* attribute : {"src=", "href=", "@import", "url(", "fetch("})
    EXPECT_EQ(count(page.substr(0, page.find("<script>")), attribute), 0u) << attribute;
  EXPECT_EQ(count(page, "{{"), 0u);
  EXPECT_NE(page.find("d3js.org"), std::string::npos);
  EXPECT_NE(page.find("Redistribution and use"), std::string::npos);
}

TEST(ReportPage, HasASectionForEachPlot) {
  const std::string page = report_page("net", "by test", "{}");
  for (const char* section :
       {"summary", "network", "stalls", "roofline", "layers", "what-if", "core", "fpga", "timeline",
        "traffic", "arena", "tiles", "quantization"})
    EXPECT_EQ(count(page, fmt::format("<section id=\"{}\">", section)), 1u) << section;
}

// No name of a layer ends the element of the data, or is taken for a mark of the template.
TEST(ReportPage, EscapesItsDataTitleAndFooter) {
  const std::string page =
      report_page("a<b {{data}}", "run <x> {{title}}", R"({"x": "</script>{{title}}{{made}}"})");
  EXPECT_EQ(count(page, "</script>"), 3u);
  EXPECT_NE(page.find("<title>a&lt;b {{data}}</title>"), std::string::npos);
  EXPECT_NE(page.find("<footer><p>run &lt;x> {{title}}. Plots"), std::string::npos);
  EXPECT_NE(page.find(R"({"x": "\u003c/script>{{title}}{{made}}"})"), std::string::npos);
}

TEST(ComparisonPage, HasItsDataAndNoMarks) {
  const std::string page = comparison_page("by test", R"({"regression": false})");
  EXPECT_NE(page.find(R"({"regression": false})"), std::string::npos);
  EXPECT_EQ(count(page, "{{"), 0u);
}

}  // namespace
}  // namespace vta::sim
