#pragma once
// Next-event estimators of the flux at point detectors: each emission of a source particle or a
// fission neutron, and each scattering, contributes the expected uncollided flux at the detector,
//
//   w q exp(-tau) / R^2,
//
// w the weight, q the density of its direction per steradian, R the distance and tau the optical
// distance to the detector (I. Lux, L. Koblinger, Monte Carlo Particle Transport Methods (1991),
// chapter 6; MCNP6 manual, LA-UR-13-22934, section 2.5.6). An emission within the exclusion sphere,
// of radius R0 about the detector, contributes the mean of this expression over the sphere,
// 3 w q (1 - exp(-S R0)) / (S R0^3) with the total cross section S: this keeps the variance finite.
//
// Rays are traced through the geometry. The image of a detector in reflective planes is reached by
// the ray that these planes reflect to the detector.
//
// Russian roulette uses a random number stream of its own (ray_stream), so that histories are the
// same with and without detectors.

#include "gsim/math/exp.hpp"
#include "gsim/math/log.hpp"
#include "gsim/transport/noinline.hpp"
#include "kernels/transport/collisions/collision.hpp"
#include "kernels/transport/geometry/geometry.hpp"
#include "kernels/transport/tallies/tallies.hpp"
#include "kernels/transport/tracking/lost_particles.hpp"

GSIM_TARGET_BEGIN
namespace transport_kernels {

using transport::GroupData;
using transport::HistoriesArgs;
using transport::HistoryScores;
using transport::LostParticle;
using transport::PointDetector;
using transport::RandomState;

/// The distribution of directions of an emission.
struct EmissionLaw {
  enum class Kind : std::int32_t {
    isotropic,
    cosine,  ///< cosine / pi about an axis
    cone,    ///< isotropic within a cone about the axis
    beam,    ///< a beam, whose direction does not lead to a detector
    scattered
  };
  Kind kind = Kind::isotropic;
  Vector3 axis{0, 0, 1};                          ///< of scattering: the incoming direction
  double smallest_cosine = -1;                    ///< of a cone
  const transport::Transfer* transfer = nullptr;  ///< of scattering
};

/// A particle at its emission; its sampled direction is not used.
struct Emission {
  Vector3 position;  ///< cm
  double weight = 1;
  double time = 0;                        ///< s
  const HistoryRandom* random = nullptr;  ///< the particle's stream, which is not advanced
  std::int32_t group = 0;
  std::int32_t is_collided = 0;  ///< 0: a source particle
  EmissionLaw law;
};

/// The density of direction `d` per steradian.
GSIM_HD double emission_density(const MaterialView& m, const EmissionLaw& law, const Vector3& d) {
  constexpr double per_pi = 0x1.45f306dc9c883p-2;  // 1 / pi
  if (law.kind == EmissionLaw::Kind::isotropic) return per_pi / 4;
  if (law.kind == EmissionLaw::Kind::beam) return 0.0;
  const double cosine = dot(law.axis, d);
  const double mu = cosine > 1 ? 1 : cosine < -1 ? -1 : cosine;
  if (law.kind == EmissionLaw::Kind::scattered)
    return per_pi / 2 * scattering_density(m, *law.transfer, mu);
  if (law.kind == EmissionLaw::Kind::cosine) return mu > 0 ? per_pi * mu : 0.0;
  return mu >= law.smallest_cosine ? per_pi / (2 * (1 - law.smallest_cosine)) : 0.0;
}

/// The distribution that sample_direction() samples for a source particle that starts at x.
GSIM_HD EmissionLaw law_of_source(const transport::Source& s, const Vector3& x) {
  EmissionLaw law;
  if (s.angle == transport::SourceAngle::isotropic) return law;
  law.kind = s.angle == transport::SourceAngle::cosine ? EmissionLaw::Kind::cosine
             : s.angle == transport::SourceAngle::cone ? EmissionLaw::Kind::cone
                                                       : EmissionLaw::Kind::beam;
  law.smallest_cosine = s.smallest_cosine;
  law.axis = s.axis;
  if (s.about_normal == 0) return law;
  const bool is_round =
      s.space == transport::SourceSpace::sphere_surface || s.space == transport::SourceSpace::ball;
  law.axis = (is_round ? unit(x - s.origin) : s.normal) * s.about_normal;
  return law;
}

/// The transfer from group `from` to group `to`, which exists.
GSIM_HD const transport::Transfer* transfer_between(const MaterialView& m, const GroupData& from,
                                                    std::int32_t to) {
  const transport::Transfer* row = m.transfers.data + from.first_transfer;
  while (row->group != to) ++row;
  return row;
}

/// The result of tracing a ray.
struct RayEnd {
  enum class Kind : std::int32_t { arrived, stopped, lost };
  Kind kind = Kind::arrived;
  double optical = 0;                                      ///< mean free paths
  double time = 0;                                         ///< s
  std::int32_t material = transport::Cell::void_material;  ///< at its end
  Vector3 direction;                                       ///< at its end
};

/// A random number generator for rays, whose boundary conditions use no random numbers.
struct NoRandom {
  GSIM_HD double uniform() const { return 0.5; }
};

/// Traces a ray of `group` from `c`, whose cells are located, over `length` cm. It stops where
/// particles would end (vacuum boundary, importance 0), and beyond `max_optical` mean free paths.
GSIM_TRANSPORT_NOINLINE RayEnd trace_ray(const HistoriesArgs& args, Coordinates& c,
                                         std::int32_t group, double length, double max_optical) {
  const GeometryView& g = args.geometry;
  const View<const double>& importance = args.variance_reduction.importance;
  const double margin = 8 * g.tolerance;
  RayEnd ray;
  for (;;) {
    const std::int32_t cell = c.level[c.depth - 1].cell;
    const bool has_no_importance = importance.size != 0 && !(importance[cell] > 0);
    ray.material = g.cells[cell].fill;
    const Boundary ahead = next_boundary(g, c);
    const bool is_end = !(ahead.path < length - margin);
    const double step = (is_end ? length : ahead.path) - c.path;
    const GroupData* const data =
        ray.material < 0 ? nullptr : &group_data(args.materials, ray.material, group);
    if (step > 0) {
      if (data != nullptr) ray.optical += data->total * step;
      if (args.rules.is_timed != 0)
        ray.time += step / (data != nullptr ? data->speed : args.materials.void_speed[group]);
    }
    ray.direction = c.level[0].direction;
    if (has_no_importance || ray.optical > max_optical) {
      ray.kind = RayEnd::Kind::stopped;
      return ray;
    }
    if (is_end) return ray;
    const Crossing crossing = cross(g, c, ahead, NoRandom{});
    if (crossing.kind == CrossingKind::reflected) length -= ahead.path;
    if (crossing.kind == CrossingKind::leaked || crossing.kind == CrossingKind::lost) {
      ray.kind = crossing.kind == CrossingKind::leaked ? RayEnd::Kind::stopped : RayEnd::Kind::lost;
      return ray;
    }
  }
}

/// The contributions of one emission to all detectors; see score_emission().
class NextEvent {
 public:
  GSIM_HD NextEvent(const HistoriesArgs& args, const TallySink* sink, HistoryScores& scores,
                    const Emission& emission, const Coordinates* at)
      : args_(args), sink_(sink), scores_(scores), e_(emission), at_(at) {}

  GSIM_HD void run() const {
    if (e_.law.kind == EmissionLaw::Kind::beam || e_.weight == 0) return;
    // Number of the random number stream of rays; those of secondaries are numbered from 0.
    constexpr std::uint32_t ray_stream = 0x40000000;
    HistoryRandom random(args_.key, e_.random->child(ray_stream));
    for (Index n = 0; n < args_.tallies.detectors.size; ++n)
      score_at(args_.tallies.detectors[n], random.uniform());
  }

 private:
  /// Scores at one detector. A contribution below the detector's `roulette` survives if it exceeds
  /// `u` times `roulette`, where u is uniform in (0, 1), and then scores as `roulette`.
  GSIM_HD void score_at(const PointDetector& detector, double u) const {
    const Vector3 to_detector = detector.position - e_.position;
    const double square = dot(to_detector, to_detector);
    const bool is_near = square < detector.radius * detector.radius;
    if (!is_near && !(square > 0)) return;
    const double distance = sqrt(square);
    // At the centre of the sphere any direction can be used.
    const Vector3 d = square > 0 ? to_detector * (1 / distance) : Vector3{0, 0, 1};
    const double density = e_.weight * emission_density(args_.materials, e_.law, d);
    if (density == 0) return;
    // The contribution without attenuation, divided by the smallest one that survives.
    const double ratio = abs(density) / (square * u * detector.roulette);
    if (!is_near && !(ratio > 1)) return;
    const double max_optical = is_near ? infinite_path : gsim::log<Strict>(ratio);
    Coordinates c;
    if (!begin(c, d)) return count_lost(d);
    double flux = density * (is_near ? mean_in_sphere(c, detector.radius) : 1 / square);
    const RayEnd ray = trace_ray(args_, c, e_.group, distance, max_optical);
    if (ray.kind == RayEnd::Kind::lost) return count_lost(d);
    if (ray.kind != RayEnd::Kind::arrived || !is_reflected_as(ray.direction, d, detector.mirrored))
      return;
    if (!is_near) flux *= gsim::exp<Strict>(-ray.optical);
    const double size = abs(flux);
    if (size < detector.roulette) {
      if (!(u * detector.roulette < size)) return;
      flux = copysign(detector.roulette, flux);
    }
    score(detector, ray, flux);
  }

  /// Starts a flight along d and locates its cells. False: no cell contains the position.
  GSIM_HD bool begin(Coordinates& c, const Vector3& d) const {
    if (at_ == nullptr) {
      begin_flight(c, e_.position, d);
      return locate(args_.geometry, c);
    }
    copy_levels(c, *at_);
    turn(args_.geometry, c, d);
    return true;
  }

  /// The mean of exp(-tau) / r^2 over a sphere in the current material, r the distance from its
  /// centre.
  GSIM_HD double mean_in_sphere(const Coordinates& c, double radius) const {
    const std::int32_t material = args_.geometry.cells[c.level[c.depth - 1].cell].fill;
    const double total = material < 0 ? 0.0 : group_data(args_.materials, material, e_.group).total;
    const double optical = total * radius;
    const double square = radius * radius;
    if (!(optical > 0)) return 3 / square;
    return -3 * gsim::expm1<Strict>(-optical) / (optical * square);
  }

  /// Whether a ray along `d` that ends in direction `end` was reflected by exactly the planes of
  /// the image: bit a of `mirrored` stands for a plane across axis a.
  static GSIM_HD bool is_reflected_as(const Vector3& end, const Vector3& d, std::int32_t mirrored) {
    for (std::int32_t a = 0; a < 3; ++a) {
      const double expected = (mirrored >> a & 1) != 0 ? -component(d, a) : component(d, a);
      if (component(end, a) != expected) return false;
    }
    return true;
  }

  GSIM_HD void score(const PointDetector& detector, const RayEnd& ray, double flux) const {
    if (sink_ == nullptr) return;
    TallyState state;
    state.origin = detector.position;
    state.direction = ray.direction;
    state.weight = e_.weight;
    state.group = e_.group;
    state.material = ray.material;
    state.time = e_.time + ray.time;
    if (args_.rules.is_timed != 0 && !(state.time < args_.rules.time_cutoff)) return;
    state.detector = detector.detector;
    state.is_collided = e_.is_collided;
    score_detector(args_.tallies, *sink_, state, flux);
  }

  /// Counts a ray that found no cell as a lost particle: the geometry is wrong.
  GSIM_HD void count_lost(const Vector3& d) const {
    LostParticle lost;
    lost.reason = LostParticle::Reason::no_cell;
    lost.history = static_cast<std::int64_t>(e_.random->state().history);
    lost.stream = e_.random->state().position;
    lost.position = e_.position;
    lost.direction = d;
    transport_kernels::count_lost(args_, scores_, lost);
  }

  const HistoriesArgs& args_;
  const TallySink* sink_;
  HistoryScores& scores_;
  const Emission& e_;
  const Coordinates* at_;
};

/// Adds the contributions of an emission to all detectors. `at`: its coordinates with located
/// cells; null: they are located here.
GSIM_TRANSPORT_NOINLINE void score_emission(const HistoriesArgs& args, const TallySink* sink,
                                            HistoryScores& scores, const Emission& emission,
                                            const Coordinates* at) {
  NextEvent(args, sink, scores, emission, at).run();
}

}  // namespace transport_kernels
GSIM_TARGET_END
