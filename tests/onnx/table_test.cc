// SPDX-License-Identifier: Apache-2.0
//
// The tables of docs/onnx_operators.md match the tables of the importer.
#include <gtest/gtest.h>

#include "base/files/file.h"
#include "compiler/onnx/operator_table.h"

namespace vta::onnx {
namespace {

constexpr const char* kPage = "docs/onnx_operators.md";  // tests run in the project's root

std::string versions_text(const OperatorEntry& entry) {
  std::string text = fmt::format("{}", fmt::join(entry.version_list(), ", "));
  if (entry.removed_in() > 0) text += fmt::format(" (removed in {})", entry.removed_in());
  return text;
}

TEST(OnnxTable, IsThatOfThePage) {
  const std::string page = read_text_file(kPage);
  std::string table;
  for (const OperatorEntry& entry : graph_operators()) {
    table += fmt::format("| {} | {} | {} |\n", entry.name, versions_text(entry), entry.what);
  }
  EXPECT_NE(page.find("| --- | --- | --- |\n" + table + "\n"), std::string::npos)
      << "the page should have this table:\n"
      << table;
  std::string contrib;
  for (const OperatorEntry& entry : contrib_operators())
    contrib += fmt::format("| {} | {} |\n", entry.name, entry.what);
  EXPECT_NE(page.find("| --- | --- |\n" + contrib + "\n"), std::string::npos)
      << "the page should have this table:\n"
      << contrib;
  std::string qonnx;
  for (const OperatorEntry& entry : qonnx_operators())
    qonnx += fmt::format("| {} | {} |\n", entry.name, entry.what);
  EXPECT_NE(page.find("| --- | --- |\n" + qonnx + "\n"), std::string::npos)
      << "the page should have this table:\n"
      << qonnx;
  std::string folded;
  for (const OperatorEntry& entry : folded_operators()) {
    folded += fmt::format("| {} | {} |\n", entry.name, versions_text(entry));
  }
  EXPECT_NE(page.find("| --- | --- |\n" + folded + "\n"), std::string::npos)
      << "the page should have this table:\n"
      << folded;
}

TEST(OnnxTable, NamesVersionsInOrder) {
  for (const auto* table : {&graph_operators(), &folded_operators()}) {
    for (const OperatorEntry& entry : *table) {
      const std::vector<int64_t> versions = entry.version_list();
      EXPECT_FALSE(versions.empty()) << entry.name;
      EXPECT_TRUE(std::is_sorted(versions.begin(), versions.end())) << entry.name;
      EXPECT_LE(versions.back(), kLastOpset) << entry.name;
    }
  }
}

}  // namespace
}  // namespace vta::onnx
