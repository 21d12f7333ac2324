#pragma once
// Scoring: adds the contributions of tracks, collisions, analog events and surface crossings to the
// tallies. Without tallies of its estimator an event costs one branch.
//
// Estimators (E. E. Lewis, W. F. Miller, Computational Methods of Neutron Transport (1984), section
// 7-5), with w the weight and S the cross section of the score (1 for the flux), both before the
// event:
//   track_length  w S times the track length
//   collision     w S / T at collisions sampled from the cross section T: the total one or, at real
//                 and virtual collisions of delta tracking, the majorant
//   analog        w at the event itself; fission, and scores that follow from it, are a fraction of
//                 the absorbed weight
//   crossing      w with the sign of the crossing (current), w / |mu| (flux), mu the cosine with
//                 the normal of the surface
//   next_event    the contribution of an emission to the flux at a point detector, times S
//                 (next_event.hpp)
//
// A track from path a to path b adds Q(f b) - Q(f a), where f is the contribution per unit length
// and Q converts to fixed point: the sum has the same bits wherever the track is divided.

#include "gsim/transport/noinline.hpp"
#include "kernels/transport/geometry/surfaces.hpp"
#include "kernels/transport/tallies/filters.hpp"
#include "kernels/transport/tallies/plane_track.hpp"
#include "kernels/transport/tallies/sink.hpp"

GSIM_TARGET_BEGIN
namespace transport_kernels {

using transport::TallyEstimator;
using transport::TallyScore;

/// The index of the first tally of an estimator; TallyView::tallies_of_estimator gives their
/// number.
GSIM_HD std::int32_t first_of(const TallyView& t, TallyEstimator estimator) {
  std::int32_t first = 0;
  for (int e = 0; e < static_cast<int>(estimator); ++e) first += t.tallies_of_estimator[e];
  return first;
}

/// The contribution of a flux of 1 to a score in the current material and group.
GSIM_HD double response_of(const TallyView& t, const TallyScore& score, const TallyState& s) {
  return t.responses[score.first_response + Index{s.material + 1} * t.groups + s.group];
}

/// The contributions of one event or track to a tally, by score; of a track, per unit length.
struct Contributions {
  const TallySink& sink;
  std::int32_t number;  ///< index of the tally
  std::int32_t scores;  ///< number of its scores
  Index first_value;    ///< index of its first value
  double factor[transport::max_tally_scores];
  FixedPointScore before[transport::max_tally_scores];  ///< at the end of the previous part

  // Only the elements of the tally's scores are initialised and used.
  GSIM_HD Contributions(const TallySink& to, std::int32_t n, const Tally& tally)
      : sink(to), number(n), scores(tally.scores), first_value(tally.first_value) {}
  GSIM_HD void start(double path) {
    for (std::int32_t i = 0; i < scores; ++i)
      before[i] = contribution(sink, number, factor[i] * path);
  }
  /// Adds the part of the track from the end of the previous part to `path`.
  GSIM_HD void add_piece(Index row, double path) {
    for (std::int32_t i = 0; i < scores; ++i) {
      const FixedPointScore to = contribution(sink, number, factor[i] * path);
      if (to != before[i]) add_to_sum(sink, number, first_value + row * scores + i, to - before[i]);
      before[i] = to;
    }
  }
  GSIM_HD void add(Index row) {
    for (std::int32_t i = 0; i < scores; ++i)
      if (factor[i] != 0)
        add_to_sum(sink, number, first_value + row * scores + i,
                   contribution(sink, number, factor[i]));
  }
};

/// Adds the parts of a track into which the bounds of bins divide it.
template <class Track>
GSIM_HD void add_pieces(Track& track, const TallyState& s, double from, double to, Index row,
                        Contributions& c) {
  follow(
      track, from, to, [&](double path) { c.start(weighted_path(s, path)); },
      [&](Index bin, double end) { c.add_piece(row + bin, weighted_path(s, end)); });
}
/// Divides the track at the bounds of a cylindrical mesh and at those of `planes`.
GSIM_TRANSPORT_NOINLINE void add_cylinder_track(const TallyView& t, const TallyFilter& mesh,
                                                const TallyState& s, const LinearTrack& planes,
                                                double from, double to, Index row,
                                                Contributions& c) {
  CylinderTrack track(t, t.meshes[mesh.mesh], s, mesh.stride, planes);
  if (begin_inside(track, from, to)) add_pieces(track, s, from, to, row, c);
}

/// Divides the track at the bounds of the tally's mesh and times.
GSIM_HD void add_divided_track(const TallyView& t, const Tally& tally, const TallyState& s,
                               double from, double to, Index row, Contributions& c) {
  const TallyFilter* const filters =
      t.filters.data + tally.first_filter + tally.track_filters + tally.level_filters;
  LinearTrack planes;
  const TallyFilter* cylinders = nullptr;
  for (std::int32_t i = 0; i < tally.dividing_filters; ++i) {
    const TallyFilter& f = filters[i];
    if (is_cylindrical(f))
      cylinders = &f;
    else
      for_planes(t, f, s, [&](auto... plane) { planes.add(plane...); });
  }
  if (cylinders != nullptr)
    add_cylinder_track(t, *cylinders, s, planes, from, to, row, c);
  else if (begin_inside(planes, from, to))
    add_pieces(planes, s, from, to, row, c);
}

/// The fast path of most meshes: one score of a track that only planes divide.
template <int dimensions>
GSIM_HD void add_plane_track(const TallyView& t, std::int32_t number, const Tally& tally,
                             const TallySink& sink, const TallyState& s, double from, double to,
                             Index row, double factor) {
  PlaneTrack<dimensions> track(t, t.filters[tally.first_filter + tally.track_filters], s);
  if (!begin_inside(track, from, to)) return;
  row += tally.first_value;
  FixedPointScore before = contribution(sink, number, factor * weighted_path(s, from));
  track.follow(from, to, [&](Index bin, double end) {
    const FixedPointScore after = contribution(sink, number, factor * weighted_path(s, end));
    add_to_sum(sink, number, row + bin, after - before);
    before = after;
  });
}
/// The same, with the number of dimensions in Tally::only_planes.
GSIM_HD void add_plane_track(const TallyView& t, std::int32_t number, const TallySink& sink,
                             const TallyState& s, double from, double to, Index row) {
  const Tally& tally = t.tallies[number];
  const double factor = s.weight * response_of(t, t.scores[tally.first_score], s);
  if (factor == 0) return;
  if (tally.only_planes == 1) add_plane_track<1>(t, number, tally, sink, s, from, to, row, factor);
  if (tally.only_planes == 2) add_plane_track<2>(t, number, tally, sink, s, from, to, row, factor);
  if (tally.only_planes == 3) add_plane_track<3>(t, number, tally, sink, s, from, to, row, factor);
}

/// Sets the factors of an event or track of weight `weight`. False: all are 0.
GSIM_HD bool set_factors(const TallyView& t, const Tally& tally, const TallyState& s, double weight,
                         Contributions& c) {
  bool has_contribution = false;
  for (std::int32_t i = 0; i < tally.scores; ++i) {
    c.factor[i] = weight * response_of(t, t.scores[tally.first_score + i], s);
    has_contribution = has_contribution || c.factor[i] != 0;
  }
  return has_contribution;
}

/// Adds a track to the tallies numbered from `first` to `last` - 1.
GSIM_TRANSPORT_NOINLINE void add_track(const TallyView& t, std::int32_t first, std::int32_t last,
                                       const TallySink& sink, const TallyState& s, double from,
                                       double to) {
  for (std::int32_t n = first; n < last; ++n) {
    const Tally& tally = t.tallies[n];
    Index row = 0;
    if (!add_track_bins(t, tally, s, {}, row)) continue;
    if (tally.only_planes != 0) {
      add_plane_track(t, n, sink, s, from, to, row);
      continue;
    }
    Contributions c(sink, n, tally);
    if (!set_factors(t, tally, s, s.weight, c)) continue;
    for_matching_levels(t, tally, s, row, [&](Index matching) {
      if (tally.dividing_filters == 0) {
        c.start(weighted_path(s, from));
        c.add_piece(matching, weighted_path(s, to));
      } else {
        add_divided_track(t, tally, s, from, to, matching, c);
      }
    });
  }
}

/// Adds the factors of an event, which are set, to the bins at path p.
GSIM_TRANSPORT_NOINLINE void add_event(const TallyView& t, const Tally& tally, const TallyState& s,
                                       double p, const CrossedSurface& crossed, Contributions& c) {
  Index row = 0;
  if (!add_track_bins(t, tally, s, crossed, row) || !add_dividing_bins(t, tally, s, p, row)) return;
  for_matching_levels(t, tally, s, row, [&](Index matching) { c.add(matching); });
}

GSIM_TRANSPORT_NOINLINE void add_collision(const TallyView& t, const TallySink& sink,
                                           const TallyState& s, double path, double cross_section) {
  const std::int32_t first = first_of(t, TallyEstimator::collision);
  const std::int32_t last =
      first + t.tallies_of_estimator[static_cast<int>(TallyEstimator::collision)];
  for (std::int32_t n = first; n < last; ++n) {
    const Tally& tally = t.tallies[n];
    Contributions c(sink, n, tally);
    if (set_factors(t, tally, s, s.weight / cross_section, c)) add_event(t, tally, s, path, {}, c);
  }
}

/// The factor of a score at analog events (bits of TallyScore); `gain`: weight added by scattering.
GSIM_HD double analog_factor(const TallyView& t, const TallyScore& score, const TallyState& s,
                             std::int32_t events, double weight, double gain) {
  const std::int32_t matching = score.events & events;
  if ((matching & TallyScore::at_collision) != 0)
    return weight * response_of(t, score, s) / s.data->total;
  if ((matching & TallyScore::at_absorption) != 0)
    return s.data->absorption > 0 ? weight * response_of(t, score, s) / s.data->absorption : 0.0;
  return (matching & TallyScore::at_scatter) != 0 ? weight
         : (matching & TallyScore::at_nxn) != 0   ? gain
                                                  : 0.0;
}

GSIM_TRANSPORT_NOINLINE void add_analog(const TallyView& t, const TallySink& sink,
                                        const TallyState& s, double path, std::int32_t events,
                                        double weight, double gain) {
  const std::int32_t first = first_of(t, TallyEstimator::analog);
  const std::int32_t last =
      first + t.tallies_of_estimator[static_cast<int>(TallyEstimator::analog)];
  for (std::int32_t n = first; n < last; ++n) {
    const Tally& tally = t.tallies[n];
    Contributions c(sink, n, tally);
    bool has_contribution = false;
    for (std::int32_t i = 0; i < tally.scores; ++i) {
      c.factor[i] = analog_factor(t, t.scores[tally.first_score + i], s, events, weight, gain);
      has_contribution = has_contribution || c.factor[i] != 0;
    }
    if (has_contribution) add_event(t, tally, s, path, {}, c);
  }
}

/// Crossings with a smaller |cosine| score as if it were half of this: the mean over such crossings
/// in an isotropic flux, which keeps the variance finite.
inline constexpr double grazing_cosine = 0.01;

GSIM_TRANSPORT_NOINLINE void add_crossing(const TallyView& t, const TallySink& sink,
                                          const TallyState& s, double path,
                                          const CrossedSurface& crossed) {
  const double slant = abs(crossed.cosine);
  const double flux = s.weight / (slant < grazing_cosine ? grazing_cosine / 2 : slant);
  const double current = crossed.cosine < 0 ? -s.weight : s.weight;
  const std::int32_t first = first_of(t, TallyEstimator::crossing);
  const std::int32_t last =
      first + t.tallies_of_estimator[static_cast<int>(TallyEstimator::crossing)];
  for (std::int32_t n = first; n < last; ++n) {
    const Tally& tally = t.tallies[n];
    Contributions c(sink, n, tally);
    for (std::int32_t i = 0; i < tally.scores; ++i) {
      const TallyScore& score = t.scores[tally.first_score + i];
      c.factor[i] = score.is_current != 0 ? current : flux * response_of(t, score, s);
    }
    add_event(t, tally, s, path, crossed, c);
  }
}

/// The surface of the half-space that a flight (x, d) enters at path p.
GSIM_HD CrossedSurface crossed_surface(const GeometryView& g, std::int32_t half_space,
                                       const Vector3& x, const Vector3& d, double p) {
  const std::int32_t surface = half_space >> 1;
  const double slant = dot(surface_normal(g, g.surfaces[surface], along(x, p, d)), d);
  return {surface, copysign(abs(slant), (half_space & 1) != 0 ? 1.0 : -1.0)};
}

GSIM_TRANSPORT_NOINLINE void add_crossings(const TallyView& t, const TallySink& sink,
                                           const GeometryView& g, TallyState s, double path,
                                           Argument<Crossing> crossing, const Coordinates& after) {
  const bool is_turned =
      crossing.kind == CrossingKind::reflected || crossing.kind == CrossingKind::translated;
  if (crossing.half_space < 0 || !(is_turned || crossing.kind == CrossingKind::next_cell ||
                                   crossing.kind == CrossingKind::leaked))
    return;
  s.at = &after;  // not located in delta tracking, whose tallies do not use them
  if (after.depth > 0) s.material = g.cells[after.level[after.depth - 1].cell].fill;
  const Level& level = after.level[crossing.level];
  add_crossing(t, sink, s, path,
               crossing.level == 0
                   ? crossed_surface(g, crossing.half_space, s.origin, s.direction, path)
                   : crossed_surface(g, crossing.half_space, level.origin, level.direction, path));
}

// --- Functions that histories call ---

/// Number of the tallies, numbered from 0, that score a track in one material.
GSIM_HD std::int32_t single_track_tallies(const TallyView& t) {
  return t.tallies_of_estimator[static_cast<int>(TallyEstimator::track_length)] -
         t.whole_track_tallies;
}
/// Scores a track in one material from path `from` to path `to` of the flight; in delta tracking it
/// may pass through several materials.
GSIM_HD void score_track(const TallyView& t, const TallySink& sink, const TallyState& s,
                         double from, double to) {
  add_track(t, 0, single_track_tallies(t), sink, s, from, to);
}

/// Scores a track of constant weight, direction and group, through any number of cells, at the
/// whole-track tallies, which score_track() leaves out.
GSIM_HD void score_whole_track(const TallyView& t, const TallySink& sink, const TallyState& s,
                               double from, double to) {
  if (t.whole_track_tallies == 0) return;
  const std::int32_t last = t.tallies_of_estimator[static_cast<int>(TallyEstimator::track_length)];
  add_track(t, last - t.whole_track_tallies, last, sink, s, from, to);
}

/// Scores a collision that was sampled from `cross_section` (1/cm): the total one of the material
/// or, at real and virtual collisions of delta tracking, the majorant.
GSIM_HD void score_collision(const TallyView& t, const TallySink& sink, const TallyState& s,
                             double path, double cross_section) {
  add_collision(t, sink, s, path, cross_section);
}

/// Scores a real collision: `absorbed` and `scattered` are the weights that are absorbed and that
/// scatter, `leaving` is the weight after scattering.
GSIM_HD void score_analog(const TallyView& t, const TallySink& sink, const TallyState& s,
                          double path, double absorbed, double scattered, double leaving) {
  add_analog(t, sink, s, path, TallyScore::at_collision, s.weight, 0);
  if (absorbed != 0) add_analog(t, sink, s, path, TallyScore::at_absorption, absorbed, 0);
  if (scattered != 0)
    add_analog(t, sink, s, path, TallyScore::at_scatter | TallyScore::at_nxn, scattered,
               leaving - scattered);
}

/// Scores the result of cross() at path `path` of the flight of `s`, the particle before the
/// crossing; `after` are its coordinates after it. Surfaces score where they separate cells or have
/// a boundary condition. Filters of cells use the cells behind the surface.
GSIM_HD void score_crossing(const TallyView& t, const TallySink& sink, const GeometryView& g,
                            const TallyState& s, double path, const Crossing& crossing,
                            const Coordinates& after) {
  add_crossings(t, sink, g, s, path, crossing, after);
}

GSIM_TRANSPORT_NOINLINE void add_reentry(const TallyView& t, const TallySink& sink,
                                         const GeometryView& g, TallyState s,
                                         const Coordinates& at) {
  s.at = &at;
  if (at.depth > 0) s.material = g.cells[at.level[at.depth - 1].cell].fill;
  add_crossing(t, sink, s, at.path,
               crossed_surface(g, at.entered_half_space, s.origin, s.direction, at.path));
}
/// Scores the second crossing of a particle that was reflected or translated, back into the
/// geometry: `s` and `at` are those of the new flight.
GSIM_HD void score_reentry(const TallyView& t, const TallySink& sink, const GeometryView& g,
                           const TallyState& s, const Coordinates& at) {
  if (at.entered_half_space >= 0) add_reentry(t, sink, g, s, at);
}

/// Scores a contribution `flux` to the flux at point detector s.detector, at the time, in the
/// material and with the direction of `s`.
GSIM_TRANSPORT_NOINLINE void score_detector(const TallyView& t, const TallySink& sink,
                                            const TallyState& s, double flux) {
  const std::int32_t first = first_of(t, TallyEstimator::next_event);
  const std::int32_t last =
      first + t.tallies_of_estimator[static_cast<int>(TallyEstimator::next_event)];
  for (std::int32_t n = first; n < last; ++n) {
    const Tally& tally = t.tallies[n];
    Contributions c(sink, n, tally);
    if (set_factors(t, tally, s, flux, c)) add_event(t, tally, s, 0, {}, c);
  }
}

}  // namespace transport_kernels
GSIM_TARGET_END
