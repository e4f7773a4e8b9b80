// SPDX-License-Identifier: Apache-2.0
#include "hw/fpga/placer/annealer.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <unordered_map>

namespace vta::placer {
namespace {

constexpr int kPathExponent = 16;   // a power of two
constexpr int kTimings = 20;        // at each temperature
constexpr double kTenthOfNs = 100;  // in ps
constexpr int kFirstRange = 40;
constexpr int kColumnsPerRow = 4;  // slices beside each other in the width of a row's height
constexpr int kTilesPerRow = 2;    // columns of tiles in that width
constexpr int kRowsPerBlock = 5;   // of a DSP or block RAM
constexpr double kBestAcceptance = 0.44;
constexpr double kEndOfCooling = 0.002;  // temperature per cost of a net
constexpr int kTrials = 20000;
constexpr size_t kFewPins = 4;
constexpr int kMaxTemperatures = 300;

size_t index(int32_t number) { return static_cast<size_t>(number); }

// Wire length of a net for the half perimeter of its box, after Cheng, "RISA: Accurate and
// Efficient Placement Routability Modeling", ICCAD 1994.
float crossings(size_t units) {
  constexpr float kFew = 3, kSlope = 0.04F, kMany = 50, kManySlope = 0.026F;
  const auto count = static_cast<float>(units);
  const float slope = kSlope * std::clamp(count - kFew, 0.0F, kMany - kFew);
  return 1 + slope + kManySlope * std::max(count - kMany, 0.0F);
}

float half_perimeter(const router::Box& box) {
  return static_cast<float>(box.x1 - box.x0) / 2 + static_cast<float>(box.y1 - box.y0);
}

bool is_on_edge(const router::Box& box, Point point) {
  return point.x == box.x0 || point.x == box.x1 || point.y == box.y0 || point.y == box.y1;
}

// As in VPR: slowly where about half of the moves are accepted.
double cooled(double temperature, double acceptance) {
  if (acceptance > 0.96) return temperature * 0.5;
  if (acceptance > 0.8) return temperature * 0.9;
  return temperature * (acceptance > 0.15 ? 0.95 : 0.8);
}

}  // namespace

float delay_ps(Point from, Point to) {
  constexpr float kLocalPs = 430;  // out of a slice and into one, of the quickest twentieth
  return kLocalPs + router::travel_ps({std::abs(from.x - to.x), std::abs(from.y - to.y)});
}

Annealer::Annealer(Placement& placement, const AnnealingOptions& options)
    : placement_(placement), options_(options), random_(options.seed), criticality_(placement) {
  index_sites();
  index_units();
  index_nets();
}

void Annealer::index_sites() {
  std::map<std::tuple<SiteKind, int, int>, int32_t> columns;
  const auto key = [](const Site& site) { return std::tuple(site.kind, site.tile.x, site.number); };
  for (const Site& site : placement_.sites) {
    columns.emplace(key(site), 0);
    rows_ = std::max(rows_, site.tile.y + 1);
  }
  for (auto& [place, number] : columns) {
    number = static_cast<int32_t>(columns_.size());
    columns_.push_back({std::get<0>(place), std::get<1>(place), {}, {}});
    columns_.back().at_y.resize(index(rows_), -1);
  }
  for (size_t site = 0; site < placement_.sites.size(); ++site) {
    const Site& at = placement_.sites[site];
    column_of_.push_back(columns.at(key(at)));
    columns_[index(column_of_[site])].at_y[index(at.tile.y)] = static_cast<int32_t>(site);
  }
  slot_of_.resize(placement_.sites.size());
  for (Column& column : columns_) {
    for (const int32_t site : column.at_y) {
      if (site < 0) continue;
      slot_of_[index(site)] = static_cast<int32_t>(column.sites.size());
      column.sites.push_back(site);
    }
  }
}

void Annealer::index_units() {
  unit_at_.assign(placement_.sites.size(), -1);
  for (size_t unit = 0; unit < placement_.units.size(); ++unit) {
    const Unit& here = placement_.units[unit];
    points_.push_back(here.site < 0 ? here.tile : middle_of(placement_.sites[index(here.site)]));
    if (here.site < 0) continue;
    unit_at_[index(here.site)] = static_cast<int32_t>(unit);
    movable_.push_back(static_cast<int32_t>(unit));
  }
}

void Annealer::index_nets() {
  pins_of_.resize(placement_.units.size());
  marks_.resize(placement_.nets.size());
  place_of_.resize(placement_.nets.size());
  for (size_t number = 0; number < placement_.nets.size(); ++number) {
    const Net& net = placement_.nets[number];
    Pins pins;
    std::unordered_map<int32_t, int32_t> pin_of;  // by unit
    const auto add_pin = [&](int32_t cell) {
      const int32_t unit = placement_.cells[index(cell)].unit;
      const auto next = static_cast<int32_t>(pins.units.size());
      const int32_t pin = pin_of.try_emplace(unit, next).first->second;
      if (pin == next) pins.units.push_back(unit);
      return pin;
    };
    add_pin(net.driver);
    for (const Sink& sink : net.sinks) pins.of_sinks.push_back(add_pin(sink.cell));
    if (pins.units.size() == 1) pins.units.clear();
    pins.others_ps.resize(pins.units.size());
    for (size_t pin = 0; pin < pins.units.size(); ++pin)
      pins_of_[index(pins.units[pin])].push_back(
          {static_cast<int32_t>(number), static_cast<int32_t>(pin)});
    pins_.push_back(std::move(pins));
  }
  costs_.resize(pins_.size());
}

int32_t Annealer::site_at(int column, int y) const {
  if (column < 0 || index(column) >= columns_.size()) return -1;
  const auto& sites = columns_[index(column)].at_y;
  return y < 0 || index(y) >= sites.size() ? -1 : sites[index(y)];
}

void Annealer::update_paths() {
  longest_path_ps_ = criticality_.update(points_);
  for (size_t net = 0; net < pins_.size(); ++net) {
    Pins& pins = pins_[net];
    if (pins.units.empty()) continue;
    std::ranges::fill(pins.others_ps, 0.0F);
    for (size_t i = 0; i < pins.of_sinks.size(); ++i) {
      float& path = pins.others_ps[index(pins.of_sinks[i])];
      path = std::max(path, criticality_.of(net)[i] * static_cast<float>(longest_path_ps_));
    }
    const Point driver = points_[index(pins.units[0])];
    for (size_t pin = 1; pin < pins.units.size(); ++pin)
      pins.others_ps[pin] -= delay_ps(driver, points_[index(pins.units[pin])]);
  }
}

// Grows with the path through the pin, not only with the delay of the net: a move that makes
// a short path a long one costs what the long one would.
float Annealer::timing_of(const Pins& pins, size_t pin, Point driver, Point sink) const {
  const float path_ps = pins.others_ps[pin] + delay_ps(driver, sink);
  float share = std::max(path_ps, 0.0F) / static_cast<float>(longest_path_ps_);
  for (int power = 1; power < kPathExponent; power *= 2) share *= share;
  return share;
}

Annealer::Cost Annealer::cost_of(size_t net) const {
  const Pins& pins = pins_[net];
  const Point driver = points_[index(pins.units[0])];
  Cost cost{0, 0, router::Box::at(driver)};
  for (size_t i = 1; i < pins.units.size(); ++i) {
    const Point sink = points_[index(pins.units[i])];
    cost.box.include(sink);
    cost.timing += timing_of(pins, i, driver, sink);
  }
  cost.wires = crossings(pins.units.size()) * half_perimeter(cost.box);
  return cost;
}

void Annealer::update_costs() {
  double wires = 0, timing = 0;
  for (size_t net = 0; net < pins_.size(); ++net) {
    if (pins_[net].units.empty()) continue;
    costs_[net] = cost_of(net);
    wires += costs_[net].wires;
    timing += costs_[net].timing;
  }
  wire_scale_ = (1 - options_.timing_share) / std::max(wires, 1e-9);
  timing_scale_ = options_.timing_share / std::max(timing, 1e-9);
}

double Annealer::wire_length() const {
  double wires = 0;
  for (const Cost& cost : costs_) wires += cost.wires;
  return wires;
}

bool Annealer::add_move(int32_t unit, int32_t to) {
  const Unit& here = placement_.units[index(unit)];
  const Site &from = placement_.sites[index(here.site)], &there = placement_.sites[index(to)];
  if (from.kind != there.kind || (here.needs_memory && !there.has_memory)) return false;
  moves_.push_back({unit, here.site, to});
  return true;
}

// As exchange(), for a unit and a site that may be none; what is there is in no chain.
bool Annealer::add_moves(int32_t unit, int32_t to) {
  const int32_t from = placement_.units[index(unit)].site;
  if (to < 0 || to == from) return false;
  const int32_t there = unit_at_[index(to)];
  return (there < 0 || placement_.units[index(there)].chain < 0) && exchange(from, to);
}

// Fills moves_; false if the move is not possible.
bool Annealer::propose() {
  moves_.clear();
  const int32_t unit =
      movable_[static_cast<size_t>(random_.between(0, static_cast<int64_t>(movable_.size()) - 1))];
  switch (placement_.sites[index(placement_.units[index(unit)].site)].kind) {
    case SiteKind::kSlice:
      return propose_slice(unit);
    case SiteKind::kLuts:
    case SiteKind::kFlipFlops:
      return propose_slot(unit);
    default:
      return propose_block(unit);
  }
}

// What is in two sites, or in one and nothing in the other, changes places.
bool Annealer::exchange(int32_t site, int32_t other) {
  const int32_t here = unit_at_[index(site)], there = unit_at_[index(other)];
  return (here < 0 || add_move(here, other)) && (there < 0 || add_move(there, site));
}

// Whether the slot of these LUTs and its flip-flops cannot be parted.
bool Annealer::moves_whole(int32_t luts) const {
  const auto is_bound = [&](int32_t site) {
    const int32_t unit = unit_at_[index(site)];
    if (unit < 0) return false;
    return placement_.units[index(unit)].partner >= 0 || placement_.units[index(unit)].needs_slot;
  };
  return is_bound(luts) || is_bound(luts + kSlots);
}

int32_t Annealer::unit_after_moves(int32_t site) const {
  const auto to = std::ranges::find(moves_, site, &Move::to);
  if (to != moves_.end()) return to->unit;
  return std::ranges::find(moves_, site, &Move::from) != moves_.end() ? -1 : unit_at_[index(site)];
}

// Whether the flip-flops of a slice have one control after the moves. `flip_flops`: one of its
// sites.
bool Annealer::has_one_control(int32_t flip_flops) const {
  int32_t control = -1;
  const int32_t first = flip_flops - placement_.sites[index(flip_flops)].number % kSlots;
  for (int32_t site = first; site < first + kSlots; ++site) {
    const int32_t unit = unit_after_moves(site);
    if (unit < 0) continue;
    const int32_t own = placement_.units[index(unit)].control;
    if (control >= 0 && own != control) return false;
    control = own;
  }
  return true;
}

// LUTs or flip-flops change places with others, or the whole slots do.
bool Annealer::propose_slot(int32_t unit) {
  const int32_t from = placement_.units[index(unit)].site;
  const int columns = kColumnsPerRow * kSlots;
  const int column =
      column_of_[index(from)] + static_cast<int>(random_.between(-range_, range_) * columns +
                                                 random_.between(0, columns - 1));
  const int32_t to =
      site_at(column, points_[index(unit)].y + static_cast<int>(random_.between(-range_, range_)));
  const SiteKind kind = placement_.sites[index(from)].kind;
  if (to < 0 || to == from || placement_.sites[index(to)].kind != kind) return false;
  const int32_t to_luts = kind == SiteKind::kLuts ? 0 : -kSlots;
  const int32_t luts = from + to_luts, other_luts = to + to_luts;
  const bool is_whole = moves_whole(luts) || moves_whole(other_luts);
  if ((is_whole || kind == SiteKind::kLuts) && !exchange(luts, other_luts)) return false;
  if (!is_whole && kind == SiteKind::kLuts) return true;
  return exchange(luts + kSlots, other_luts + kSlots) && has_one_control(luts + kSlots) &&
         has_one_control(other_luts + kSlots);
}

// The columns of blocks are far apart, and a block is five rows high.
bool Annealer::propose_block(int32_t unit) {
  const int32_t from = placement_.units[index(unit)].site;
  const int32_t column = column_of_[index(from)];
  const auto is_near = [&](int32_t other) {
    return other >= 0 && index(other) < columns_.size() &&
           columns_[index(other)].kind == columns_[index(column)].kind &&
           std::abs(columns_[index(other)].x - columns_[index(column)].x) <= kTilesPerRow * range_;
  };
  int32_t first = column, last = column;
  while (is_near(first - 1)) --first;
  while (is_near(last + 1)) ++last;
  const auto& sites = columns_[index(static_cast<int32_t>(random_.between(first, last)))].sites;
  const int range = std::max(1, range_ / kRowsPerBlock);
  const int64_t slot = slot_of_[index(from)] + random_.between(-range, range);
  if (slot < 0 || slot >= static_cast<int64_t>(sites.size())) return false;
  return add_moves(unit, sites[static_cast<size_t>(slot)]);
}

bool Annealer::propose_slice(int32_t unit) {
  const int32_t chain = placement_.units[index(unit)].chain;
  if (chain >= 0) unit = placement_.chains[index(chain)][0];
  const int column = column_of_[index(placement_.units[index(unit)].site)] +
                     static_cast<int>(random_.between(-range_, range_) * kColumnsPerRow +
                                      random_.between(0, kColumnsPerRow - 1));
  const int first_y = points_[index(unit)].y;
  const int y = first_y + static_cast<int>(random_.between(-range_, range_));
  if (chain < 0) return add_moves(unit, site_at(column, y));
  const auto& units = placement_.chains[index(chain)];
  return std::ranges::all_of(units, [&](int32_t link) {
    return add_moves(link, site_at(column, y + points_[index(link)].y - first_y));
  });
}

void Annealer::apply(bool is_forward) {
  for (const Move& move : moves_)
    points_[index(move.unit)] =
        middle_of(placement_.sites[index(is_forward ? move.to : move.from)]);
}

// A net of many pins is not computed anew when a sink moves that is not on the edge of its box.
void Annealer::add_change(PinOfNet pin, const Move& move) {
  const size_t net = index(pin.net);
  if (marks_[net] != mark_) {
    marks_[net] = mark_;
    place_of_[net] = touched_.size();
    touched_.push_back(pin.net);
    new_costs_.push_back(costs_[net]);
    is_stale_.push_back(pins_[net].units.size() <= kFewPins);
  }
  const size_t at = place_of_[net];
  if (is_stale_[at]) return;
  Cost& cost = new_costs_[at];
  const Point before = middle_of(placement_.sites[index(move.from)]);
  is_stale_[at] = pin.pin == 0 || is_on_edge(cost.box, before);
  if (is_stale_[at]) return;
  const Point driver = points_[index(pins_[net].units[0])], now = points_[index(move.unit)];
  cost.box.include(now);
  cost.timing += timing_of(pins_[net], index(pin.pin), driver, now) -
                 timing_of(pins_[net], index(pin.pin), driver, before);
}

// The change of cost; applies the moves to points_.
double Annealer::change_by_moves() {
  ++mark_;
  touched_.clear();
  new_costs_.clear();
  is_stale_.clear();
  apply(true);
  for (const Move& move : moves_)
    for (const PinOfNet pin : pins_of_[index(move.unit)]) add_change(pin, move);
  double change = 0;
  for (size_t at = 0; at < touched_.size(); ++at) {
    const size_t net = index(touched_[at]);
    Cost& cost = new_costs_[at];
    if (is_stale_[at])
      cost = cost_of(net);
    else
      cost.wires = crossings(pins_[net].units.size()) * half_perimeter(cost.box);
    const Cost& before = costs_[net];
    change += wire_scale_ * static_cast<double>(cost.wires - before.wires) +
              timing_scale_ * static_cast<double>(cost.timing - before.timing);
  }
  return change;
}

void Annealer::accept_moves() {
  for (const Move& move : moves_) unit_at_[index(move.from)] = -1;
  for (const Move& move : moves_) {
    unit_at_[index(move.to)] = move.unit;
    placement_.units[index(move.unit)].site = move.to;
    placement_.units[index(move.unit)].tile = placement_.sites[index(move.to)].tile;
  }
  for (size_t i = 0; i < touched_.size(); ++i) costs_[index(touched_[i])] = new_costs_[i];
}

// The temperature at which the share `first_acceptance` of the moves that cost something would be
// accepted.
double Annealer::first_temperature() {
  std::vector<double> changes;
  for (int trial = 0; trial < kTrials; ++trial) {
    if (!propose()) continue;
    const double change = change_by_moves();
    if (change > 0) changes.push_back(change);
    apply(false);
  }
  double low = 0, high = 1;
  for (int step = 0; step < 60; ++step) {
    const double middle = (low + high) / 2;
    double accepted = 0;
    for (const double change : changes) accepted += std::exp(-change / middle);
    const bool is_hot = accepted >= options_.first_acceptance * static_cast<double>(changes.size());
    (is_hot ? high : low) = middle;
  }
  return high;
}

// Returns the share of possible moves that were accepted.
double Annealer::run(double temperature, int64_t moves) {
  int64_t possible = 0, accepted = 0;
  for (int64_t i = 0; i < moves; ++i) {
    if (!propose()) continue;
    ++possible;
    const double change = change_by_moves();
    if (change <= 0 || random_.unit() < std::exp(-change / temperature)) {
      accept_moves();
      ++accepted;
    } else {
      apply(false);
    }
  }
  return possible == 0 ? 0 : static_cast<double>(accepted) / static_cast<double>(possible);
}

// As run(); the paths are timed again after each part of the moves.
double Annealer::run_and_time(double temperature, int64_t moves) {
  double acceptance = 0;
  for (int part = 0; part < kTimings; ++part) {
    acceptance += run(temperature, moves / kTimings) / kTimings;
    time();
  }
  return acceptance;
}

void Annealer::time() {
  update_paths();
  update_costs();
  keep_if_best();
}

void Annealer::keep_if_best() {
  const std::pair now(std::ceil(longest_path_ps_ / kTenthOfNs), wire_length());
  if (!best_.sites.empty() && now >= std::pair(best_.tenths_of_ns, best_.wire_length)) return;
  best_ = {now.first, now.second, {}};
  for (const Unit& unit : placement_.units) best_.sites.push_back(unit.site);
}

void Annealer::restore_best() {
  std::ranges::fill(unit_at_, -1);
  for (const int32_t number : movable_) {
    Unit& unit = placement_.units[index(number)];
    unit.site = best_.sites[index(number)];
    const Site& site = placement_.sites[index(unit.site)];
    unit.tile = site.tile;
    points_[index(number)] = middle_of(site);
    unit_at_[index(unit.site)] = number;
  }
}

void Annealer::anneal(const std::function<void(const Temperature&)>& watch) {
  if (movable_.empty()) return;
  const auto moves = static_cast<int64_t>(options_.moves_per_temperature *
                                          std::pow(static_cast<double>(movable_.size()), 4.0 / 3));
  const double widest = std::min(kFirstRange, rows_);
  double range = widest;
  range_ = static_cast<int>(widest);
  time();
  watch({0, wire_length(), longest_path_ps_, 0});
  double temperature = first_temperature();
  for (int number = 1; number <= kMaxTemperatures; ++number) {
    const bool is_last = temperature < kEndOfCooling / static_cast<double>(pins_.size());
    const double acceptance = run_and_time(is_last ? 0 : temperature, moves);
    watch({number, wire_length(), longest_path_ps_, acceptance});
    if (is_last) break;
    temperature = cooled(temperature, acceptance);
    range = std::clamp(range * (1 - kBestAcceptance + acceptance), 1.0, widest);
    range_ = static_cast<int>(std::lround(range));
  }
  restore_best();
}

}  // namespace vta::placer
