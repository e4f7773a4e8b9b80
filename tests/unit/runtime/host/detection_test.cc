// SPDX-License-Identifier: Apache-2.0
//
// Boxes from YOLOv3 grids, against values worked out by hand.
#include "runtime/host/detection.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/errors/error.h"
#include "tests/support/error_in.h"

namespace vta::host {
namespace {

double logit(double p) { return std::log(p / (1 - p)); }

// One output of 2 x 2 cells, one anchor of 8 x 4 pixels and two classes, for an input of 20 x 40.
class Detections : public ::testing::Test {
 protected:
  Tensor grid_{std::vector<int64_t>{1, 7, 2, 2}, std::vector<float>(28, -20.0F)};
  OutputSpec spec_ = {.kind = "yolo", .anchors = {{8, 4}}};

  // Box values, objectness and class scores (as probabilities) of a cell.
  void set(int64_t cell, double x, double y, double w, double h, double objectness,
           std::vector<double> classes) {
    const auto values = grid_.mutable_data<float>();
    std::vector<double> all = {logit(x), logit(y), w, h, logit(objectness)};
    for (double score : classes) all.push_back(logit(score));
    for (size_t i = 0; i < all.size(); ++i) {
      values[i * 4 + static_cast<size_t>(cell)] = static_cast<float>(all[i]);
    }
  }
  std::vector<Detection> found() { return detect({grid_}, spec_, 20, 40); }
};

TEST_F(Detections, AreDecodedFromTheCellAndTheAnchor) {
  set(3, 0.5, 0.25, 0, std::log(2.0), 0.9, {0.1, 0.8});
  const std::vector<Detection> detections = found();
  ASSERT_EQ(detections.size(), 1u);
  EXPECT_EQ(detections[0].class_index, 1);
  EXPECT_NEAR(detections[0].score, 0.72, 1e-6);
  // Cells are 20 wide and 10 high; the centre is (1.5 * 20, 1.25 * 10), the size 8 x 8.
  EXPECT_NEAR(detections[0].box.left, 26, 1e-5);
  EXPECT_NEAR(detections[0].box.top, 8.5, 1e-5);
  EXPECT_NEAR(detections[0].box.right, 34, 1e-5);
  EXPECT_NEAR(detections[0].box.bottom, 16.5, 1e-5);
}

TEST_F(Detections, BelowTheLeastScoreAreLeftOut) {
  set(0, 0.5, 0.5, 0, 0, 0.9, {0.5, 0.6});  // 0.45 and 0.54
  ASSERT_EQ(found().size(), 1u);
  spec_.min_score = 0.4;
  EXPECT_EQ(found().size(), 2u);
  spec_.min_score = 0.55;
  EXPECT_TRUE(found().empty());
}

TEST_F(Detections, OfAClassDoNotOverlap) {
  // Neighbours, their centres 1 pixel apart: widths 8, overlap 7 / 9.
  set(0, 0.99, 0.5, 0, 0, 0.99, {0.9, 0.01});
  set(1, 0.04, 0.5, 0, 0, 0.99, {0.95, 0.01});
  std::vector<Detection> detections = found();
  ASSERT_EQ(detections.size(), 1u);
  EXPECT_NEAR(detections[0].score, 0.99 * 0.95, 1e-5) << "the better one stays";
  spec_.max_overlap = 0.8;
  EXPECT_EQ(found().size(), 2u);
  spec_.max_overlap = 0.45;
  set(0, 0.99, 0.5, 0, 0, 0.99, {0.01, 0.9});  // another class
  detections = found();
  ASSERT_EQ(detections.size(), 2u);
  EXPECT_GT(detections[0].score, detections[1].score);
}

TEST_F(Detections, AreNotMadeOfNumbersThatAreNotFinite) {
  set(0, 0.5, 0.5, 1000, 0, 0.9, {0.9, 0.9});
  EXPECT_TRUE(found().empty());
  set(0, 0.5, 0.5, 0, 0, 0.9, {0.9, 0.9});
  grid_.mutable_data<float>()[16] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(found().empty());
}

TEST(Overlap, IsIntersectionOverUnion) {
  const Box box = {0, 0, 4, 2};
  EXPECT_EQ(overlap(box, box), 1);
  EXPECT_EQ(overlap(box, {2, 0, 6, 2}), 4.0 / 12);
  EXPECT_EQ(overlap(box, {4, 0, 6, 2}), 0);
  EXPECT_EQ(overlap({1, 1, 1, 1}, {1, 1, 1, 1}), 0);
}

TEST(ToSourceImage, UndoesThePlacementAndCutsAtTheBorders) {
  const Image image{100, 50, {}};
  const Placement placement = {.scale_x = 0.5, .scale_y = 0.5, .left = 0, .top = 12};
  const Box box = to_source_image({10, 2, 60, 22}, placement, image);
  EXPECT_EQ(box.left, 20);
  EXPECT_EQ(box.top, 0);
  EXPECT_EQ(box.right, 100);
  EXPECT_EQ(box.bottom, 20);
}

TEST(Draw, OutlinesTheBox) {
  Image image{6, 5, std::vector<uint8_t>(90, 7)};
  draw({0, 1, {1, 1, 5, 4}}, image);
  std::string map;
  for (int64_t y = 0; y < 5; ++y) {
    for (int64_t x = 0; x < 6; ++x) map += image.rgb[(y * 6 + x) * 3] == 7 ? '.' : '#';
    map += '\n';
  }
  EXPECT_EQ(map, "......\n.####.\n.#..#.\n.####.\n......\n");
  draw({1, 1, {-3, -3, 9, 9}}, image);  // nothing of it is inside
}

TEST(OutputSpec, FitsTheOutputs) {
  const TensorType grid = {DType::kFloat32, {1, 255, 13, 13}};
  const auto error_of = [&](OutputSpec spec, const std::vector<TensorType>& outputs) {
    return error_in([&] { check(spec, outputs); });
  };
  const OutputSpec yolo = {.kind = "yolo", .anchors = {{1, 2, 3, 4, 5, 6}}};
  EXPECT_EQ(error_of(yolo, {grid}), "");
  EXPECT_EQ(num_classes(yolo, {grid}), 80);
  EXPECT_EQ(error_of(yolo, {grid, grid}), "anchors of 1 output for a network with 2");
  EXPECT_NE(error_of({.kind = "yolo", .anchors = {{1, 2, 3}}}, {grid}), "");
  EXPECT_NE(error_of({.kind = "yolo", .anchors = {{1, -2}}}, {grid}), "");
  EXPECT_NE(error_of({.kind = "yolo", .anchors = {{1, 2, 3, 4}}}, {grid}), "") << "255 / 2";
  EXPECT_NE(error_of({.kind = "yolo", .anchors = {{1, 2}}, .min_score = 2}, {grid}), "");
  EXPECT_NE(error_of({.kind = "image"}, {grid}), "");
  EXPECT_EQ(error_of({.kind = "image"}, {{DType::kFloat32, {1, 3, 4, 4}}}), "");
  EXPECT_EQ(error_of({.kind = "none"}, {grid}), "");
  EXPECT_EQ(error_of({.kind = "boxes"}, {grid}),
            "kind 'boxes' is not one of classes, yolo, image, none");
  EXPECT_NE(error_of({.top = 0}, {grid}), "");
}

}  // namespace
}  // namespace vta::host
