// SPDX-License-Identifier: Apache-2.0
//
// Conductors and the switches between them, as a graph for PathFinder. Coordinates are those of
// tiles, 0 to 255.
#ifndef VTA_HW_FPGA_ROUTER_ROUTING_GRAPH_H_
#define VTA_HW_FPGA_ROUTER_ROUTING_GRAPH_H_

#include <cstdint>
#include <cstdlib>
#include <ranges>
#include <span>
#include <vector>

namespace vta::router {

// A number, but not one of a tile, a wire or a branch.
enum class Node : int32_t {};
inline constexpr Node kNoNode{-1};

// The nodes 0 to count - 1.
inline auto first_nodes(size_t count) {
  return std::views::iota(int32_t{0}, static_cast<int32_t>(count)) |
         std::views::transform([](int32_t number) { return Node{number}; });
}

template <typename T>
class ByNode : public std::vector<T> {
 public:
  using std::vector<T>::vector;
  T& operator[](Node node) { return std::vector<T>::operator[](static_cast<size_t>(node)); }
  const T& operator[](Node node) const {
    return std::vector<T>::operator[](static_cast<size_t>(node));
  }
};

struct Point {
  int x = 0, y = 0;
  bool operator==(const Point&) const = default;
};

// Tiles from (x0, y0) to (x1, y1), both included.
struct Box {
  int x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  static Box at(Point point) { return {point.x, point.y, point.x, point.y}; }
  void include(Point point);
  Box grown_by(int tiles) const { return {x0 - tiles, y0 - tiles, x1 + tiles, y1 + tiles}; }
  bool contains(Point point) const {
    return x0 <= point.x && point.x <= x1 && y0 <= point.y && point.y <= y1;
  }
  bool meets(const Box& other) const {
    return x0 <= other.x1 && other.x0 <= x1 && y0 <= other.y1 && other.y0 <= y1;
  }
};

// Tiles in x and y from a point to the nearest tile of the box; 0, 0 in it.
Point distance(const Box& box, Point point);

// An estimate of the delay of a path over columns x and rows y of tiles, without the switches at
// its ends.
float travel_ps(Point tiles);

// What the delays of a routed tree depend on: each switch and each conductor charges what follows
// up to the next buffers (Elmore), so a branch slows down those beside it.
struct Loads {
  // `own_ps`: without what it charges. `is_buffer`: what follows loads what precedes by `input_ff`
  // only.
  struct Switch {
    float own_ps = 0, ohm = 0, input_ff = 0;
    bool is_buffer = true;
    bool operator==(const Switch&) const = default;
  };
  struct Conductor {
    float ohm = 0, ff = 0;
  };
  std::vector<Switch> switches;  // by Edge::type
  ByNode<Conductor> conductors;
};

// A switch: the node that it drives, and its delay with that node alone. `type`: of its Loads.
struct Edge {
  enum class Kind : uint8_t {
    kWithinTile,          // of a tile that is not interconnect: taken wherever it is
    kInterconnect,        // to a node of the interconnect
    kLeavesInterconnect,  // towards a pin
    kEntersSite,
  };
  Node target;
  uint16_t delay_ps;
  Kind kind;
  uint8_t type = 0;
};

struct RoutingGraph {
  // The tiles of the interconnect in which a node drives switches, or, if there are none, all tiles
  // that it touches.
  struct Reach {
    uint8_t x0, y0, x1, y1;
    Box box() const { return {x0, y0, x1, y1}; }
  };
  ByNode<Reach> reaches;
  ByNode<uint16_t> tiles;            // number of the root's tile
  std::vector<uint32_t> first_edge;  // by node, and the number of edges
  std::vector<Edge> edges;
  Loads loads;  // empty: the delay of a path is the sum of its edges

  size_t node_count() const { return reaches.size(); }
  std::span<const Edge> edges_of(Node node) const {
    const auto at = static_cast<size_t>(node);
    return std::span(edges).subspan(first_edge[at], first_edge[at + 1] - first_edge[at]);
  }
};

}  // namespace vta::router

#endif  // VTA_HW_FPGA_ROUTER_ROUTING_GRAPH_H_
