#pragma once
// Sampling of source particles: position, direction, group and time. Spectra are probabilities of
// groups here; src/modules/transport/sources integrates them over the groups.
//
// Random numbers, in this order: the source (one, if there are several), the position (three, for a
// point none; repeated until it is accepted), the direction (two, for a beam none), the group (one,
// if there are several), the time (none to two).

#include <cstdint>

#include "gsim/exec/view.hpp"
#include "gsim/math/log.hpp"
#include "gsim/math/normal_inverse.hpp"
#include "gsim/math/pow.hpp"
#include "gsim/transport/noinline.hpp"
#include "gsim/transport/source.hpp"
#include "gsim/transport/source_particle.hpp"
#include "kernels/transport/collisions/scattering.hpp"
#include "kernels/transport/materials/alias_table.hpp"

namespace gsim::transport {

/// An interval of a tabulated distribution of times, in which the density is linear. It is also a
/// slot of the alias table that selects an interval (as AliasSlot, whose first outcome is the slot
/// itself).
struct TimeSlot {
  double threshold = 1;
  double middle = 0, half = 0;  ///< s
  double slope = 0;  ///< from -1 to 1: the density rises from 1 - slope to 1 + slope of its mean
  std::int32_t alias = 0;
  std::int32_t padding = 0;
};

struct SourceView {
  View<const Source> sources;
  View<const AliasSlot> choice;       ///< of sources, by their strengths
  View<const AliasSlot> groups;       ///< alias tables of the groups of all sources
  View<const TimeSlot> times;         ///< alias tables of the times of all sources
  View<const std::int32_t> admitted;  ///< indices of the cells and materials of all sources
};

}  // namespace gsim::transport

GSIM_TARGET_BEGIN
namespace transport_kernels {

using transport::Source;
using transport::SourceParticle;
using transport::SourceView;

/// Whether `source` may start particles in this cell and material (indices of the geometry).
GSIM_HD bool is_admitted(const SourceView& v, std::int32_t source, std::int32_t cell,
                         std::int32_t material) {
  const Source& s = v.sources[source];
  const auto is_in = [&](std::int32_t first, std::int32_t count, std::int32_t value) {
    for (std::int32_t i = 0; i < count; ++i)
      if (v.admitted[first + i] == value) return true;
    return count == 0;
  };
  return is_in(s.first_cell, s.cells, cell) && is_in(s.first_material, s.materials, material);
}

/// A position in a source, and the normal at that position.
struct SourcePoint {
  Vector3 position, normal;
};
template <class Random>
GSIM_TRANSPORT_DEVICE_NOINLINE SourcePoint sample_point(const Source& s, Random& random) {
  switch (s.space) {
    case transport::SourceSpace::edges: {
      Vector3 x = s.origin;
      for (const Vector3& edge : s.edge)
        if (dot(edge, edge) > 0.0) x = along(x, random.uniform(), edge);
      return {x, s.normal};
    }
    case transport::SourceSpace::ball: {
      const double cube = fma(random.uniform(), s.outer - s.inner, s.inner);
      const Vector3 n = isotropic_direction(random);
      return {along(s.origin, gsim::pow<Strict>(cube, 1.0 / 3.0), n), n};
    }
    case transport::SourceSpace::cylinder: {
      const double radius = sqrt(fma(random.uniform(), s.outer - s.inner, s.inner));
      const auto circle = gsim::sincos_2pi<Strict>(random.uniform());
      const double height = s.length > 0.0 ? s.length * random.uniform() : 0.0;
      const Vector3 local{radius * circle.cos, radius * circle.sin, height};
      return {along(s.origin, 1.0, from_frame(s.normal, local)), s.normal};
    }
    default: {
      const Vector3 n = isotropic_direction(random);
      return {along(s.origin, s.outer, n), n};
    }
  }
}

template <class Random>
GSIM_TRANSPORT_DEVICE_NOINLINE Vector3 sample_direction(const Source& s, Vector3 normal,
                                                        Random& random) {
  if (s.angle == transport::SourceAngle::isotropic) return isotropic_direction(random);
  const Vector3 axis = s.about_normal == 0 ? s.axis : normal * s.about_normal;
  if (s.angle == transport::SourceAngle::beam) return axis;
  const double u = random.uniform();
  const double mu = s.angle == transport::SourceAngle::cosine
                        ? sqrt(u)
                        : fma(u, 1.0 - s.smallest_cosine, s.smallest_cosine);
  return turned(axis, mu, random.uniform());
}

template <class Random>
GSIM_TRANSPORT_DEVICE_NOINLINE double sample_time(const SourceView& v, const Source& s,
                                                  Random& random) {
  switch (s.time) {
    case transport::SourceTime::pulses: {
      double time = s.t[0];
      if (s.pulses > 1) time += s.t[2] * alias_place(s.pulses, random.uniform()).slot;
      return s.t[1] > 0.0 ? fma(s.t[1], random.uniform(), time) : time;
    }
    case transport::SourceTime::gaussian:
      return fma(s.t[1], gsim::normal_inverse<Strict>(random.uniform()), s.t[0]);
    case transport::SourceTime::exponential:
      return fma(-s.t[1], gsim::log_unit<Strict>(random.uniform()), s.t[0]);
    default: {
      const transport::TimeSlot* const slots = v.times.data + s.first_time;
      const AliasPlace at = alias_place(s.time_slots, random.uniform());
      const transport::TimeSlot& slot =
          slots[at.fraction < slots[at.slot].threshold ? at.slot : slots[at.slot].alias];
      // linear_cosine() samples from a linear density on [-1, 1], here the interval of times.
      return fma(slot.half, linear_cosine(slot.slope, random.uniform()), slot.middle);
    }
  }
}

enum class SourceSampling : std::int32_t {
  sampled,
  no_position  ///< none of max_source_tries positions was accepted
};
inline constexpr int max_source_tries = 1000000;

/// Samples a source particle whose position `accept(source, position)` accepts.
template <class Random, class Accept>
GSIM_HD SourceSampling sample_source(const SourceView& v, Random& random, const Accept& accept,
                                     SourceParticle& particle) {
  const auto count = static_cast<std::int32_t>(v.sources.size);
  const std::int32_t number =
      count > 1 ? transport_kernels::sample_alias(v.choice.data, count, random.uniform()) : 0;
  const Source& s = v.sources[number];
  SourcePoint point = sample_point(s, random);
  for (int tries = 1; !accept(number, point.position); ++tries) {
    if (tries == max_source_tries) return SourceSampling::no_position;
    point = sample_point(s, random);
  }
  particle.position = point.position;
  particle.direction = sample_direction(s, point.normal, random);
  const transport::AliasSlot* const groups = v.groups.data + s.first_group;
  particle.group = s.group_slots > 1
                       ? transport_kernels::sample_alias(groups, s.group_slots, random.uniform())
                       : groups[0].value;
  particle.time = sample_time(v, s, random);
  particle.weight = 1.0;
  particle.source = number;
  return SourceSampling::sampled;
}

}  // namespace transport_kernels
GSIM_TARGET_END
