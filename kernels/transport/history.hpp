#pragma once
// One neutron from its birth to its end, by surface or delta tracking.
//
// Free paths are drawn once a flight: what is left of them at a boundary goes on behind it, without
// a draw. A sink takes the sites of fission neutrons: sink.add(site).

#include "kernels/transport/collision.hpp"
#include "kernels/transport/exact_score.hpp"
#include "kernels/transport/generation.hpp"
#include "kernels/transport/geometry/geometry.hpp"

GSIM_TARGET_BEGIN
namespace transport_kernels {

using transport::Capture;
using transport::GenerationArgs;
using transport::HistoryScores;
using transport::LostParticle;
using transport::Site;
using transport::Tracking;

template <class Sink>
class History {
 public:
  GSIM_HD History(const GenerationArgs& args, Index i, Sink& sink, HistoryScores& scores)
      : args_(args),
        sink_(sink),
        scores_(scores),
        random_(args.key, static_cast<std::uint64_t>(args.first_history + i)),
        history_(args.first_history + i),
        parent_(args.first_parent + i),
        group_(args.source[i].group) {
    direction_ = isotropic_direction(random_);
    begin_flight(at_, args.source[i].position, direction_);
  }

  GSIM_HD void run() {
    if (args_.rules.tracking == Tracking::surface)
      fly_by_surfaces();
    else
      fly_by_majorant();
  }

 private:
  GSIM_HD void fly_by_surfaces() {
    const GeometryView& g = args_.geometry;
    if (!locate(g, at_)) return lose(LostParticle::Reason::no_cell);
    double paths = sample_free_paths(random_);
    for (std::int64_t flight = 0; flight < args_.rules.most_flights; ++flight) {
      const std::int32_t material = g.cells[at_.level[at_.depth - 1].cell].fill;
      const transport::GroupData* const data = data_of(material);
      const double total = data != nullptr ? data->total : 0.0;
      const Boundary ahead = next_boundary(g, at_);
      const double way = ahead.path - at_.path;
      ++scores_.flights;
      if (total > 0 && paths < total * way) {
        const double flown = paths / total;
        at_.path += flown;
        score_track(*data, flown);
        if (!collide(material, *data)) return;
        turn(g, at_, direction_);
        paths = sample_free_paths(random_);
        continue;
      }
      if (ahead.side == Boundary::none) return lose(LostParticle::Reason::no_cell);
      if (data != nullptr) score_track(*data, way);
      paths -= total * way;
      const Crossing crossing = cross(g, at_, ahead, random_);
      if (!goes_on(crossing)) return;
    }
    lose(LostParticle::Reason::endless);
  }

  /// E. R. Woodcock et al., ANL-7050 (1965) 557: flights are drawn from the largest cross section
  /// anywhere, and a collision is real with the probability total / majorant.
  GSIM_HD void fly_by_majorant() {
    const GeometryView& g = args_.geometry;
    double paths = sample_free_paths(random_);
    Boundary outer = next_outer_surface(g, at_);
    for (std::int64_t flight = 0; flight < args_.rules.most_flights; ++flight) {
      const double majorant = args_.materials.majorant[group_];
      const double way = outer.path - at_.path;
      ++scores_.flights;
      if (!(paths < majorant * way)) {
        paths -= majorant * way;
        const Crossing crossing = cross_outer_surface(g, at_, outer, random_);
        if (!goes_on(crossing)) return;
        outer = next_outer_surface(g, at_);
        continue;
      }
      at_.path += paths / majorant;
      paths = sample_free_paths(random_);
      const transport::CellAt here = cell_at(g, position_of(at_), direction_);
      if (here.cell < 0) return lose(LostParticle::Reason::no_cell);
      at_.known = -1;
      const transport::GroupData* const data = data_of(here.material);
      if (data == nullptr || !(random_.uniform() * majorant < data->total)) continue;
      if (!collide(here.material, *data)) return;
      begin_flight(at_, position_of(at_), direction_);
      outer = next_outer_surface(g, at_);
    }
    lose(LostParticle::Reason::endless);
  }

  GSIM_HD const transport::GroupData* data_of(std::int32_t material) const {
    return material < 0 ? nullptr : &group_data(args_.materials, material, group_);
  }

  GSIM_HD void score_track(const transport::GroupData& data, double way) {
    if (data.nu_fission > 0)
      scores_.k_track_length += in_score_quanta(weight_ * data.nu_fission * way);
  }

  /// False: the history has ended.
  GSIM_HD bool collide(std::int32_t material, const transport::GroupData& data) {
    ++scores_.collisions;
    if (data.nu_fission > 0) {
      const double yield = weight_ * data.nu_fission / data.total;
      scores_.k_collision += in_score_quanta(yield);
      leave_sites(material, yield / args_.k);
    }
    const double weight = weight_;
    if (args_.rules.capture == Capture::analog) {
      if (collide_analog(args_.materials, material, group_, direction_, weight_, random_) ==
          CollisionKind::scattered)
        return true;
      score_absorption(data, weight);
      return false;
    }
    score_absorption(data, weight * data.absorption / data.total);
    return collide_implicit(args_.materials, material, group_, direction_, weight_, random_) ==
               CollisionKind::scattered &&
           survives();
  }

  GSIM_HD void score_absorption(const transport::GroupData& data, double absorbed) {
    if (data.nu_fission > 0)
      scores_.k_absorption += in_score_quanta(absorbed * data.nu_fission / data.absorption);
  }

  GSIM_HD bool survives() {
    const transport::HistoryRules& rules = args_.rules;
    if (weight_ >= rules.cutoff) return true;
    if (!(random_.uniform() * rules.survival < weight_)) return false;
    weight_ = rules.survival;
    return true;
  }

  GSIM_HD void leave_sites(std::int32_t material, double expected) {
    const std::int32_t count = sample_count(expected, random_);
    for (std::int32_t n = 0; n < count; ++n) {
      const FissionNeutron neutron =
          sample_fission_neutron(args_.materials, material, group_, random_);
      sink_.add(Site{position_of(at_), parent_, births_++, static_cast<std::int16_t>(neutron.group),
                     static_cast<std::int16_t>(neutron.delayed_group)});
    }
  }

  GSIM_HD bool goes_on(const Crossing& crossing) {
    direction_ = at_.level[0].direction;
    if (crossing.kind == CrossingKind::leaked) {
      scores_.leakage += in_score_quanta(weight_);
      return false;
    }
    if (crossing.kind != CrossingKind::lost) return true;
    lose(LostParticle::Reason::no_cell);
    return false;
  }

  GSIM_HD void lose(LostParticle::Reason reason) {
    LostParticle& first = scores_.first_lost;
    if (scores_.lost++ != 0 && first.history < history_) return;
    const std::int32_t cell = at_.depth > 0 ? at_.level[at_.depth - 1].cell : -1;
    first = {reason, cell, history_, position_of(at_), direction_};
  }

  const GenerationArgs& args_;
  Sink& sink_;
  HistoryScores& scores_;
  HistoryRandom random_;
  Coordinates at_;
  Vector3 direction_;
  std::int64_t history_, parent_;
  double weight_ = 1;
  std::int32_t group_, births_ = 0;
};

}  // namespace transport_kernels
GSIM_TARGET_END
