#pragma once
// A source of particles as kernels sample it: distributions of position, direction, group and time.
// Set-up code fills it (source_distribution.hpp), the history kernel reads it
// (kernels/transport/sources).
//
// The forms below are enumerations with a switch in that kernel, and not parts in files of their
// own: the kernel that transports histories samples the source, too, and is compiled once for all
// configurations. A separate part would need a call through a pointer for each sampled particle,
// which devices cannot inline. Distributions that the forms cannot express are
// samplers (source_kind.hpp), with kernels of their own.

#include <cstdint>

#include "gsim/math/vector3.hpp"

namespace gsim::transport {

enum class SourceSpace : std::int32_t {
  edges,          ///< origin and up to three edges: points, lines, parallelograms, boxes
  ball,           ///< between two concentric spheres
  cylinder,       ///< between two coaxial cylinders; of length 0: a disk or ring
  sphere_surface  ///< on a sphere
};
enum class SourceAngle : std::int32_t {
  isotropic,
  beam,    ///< along the axis
  cosine,  ///< density proportional to the cosine with the axis: isotropic flux through a surface
  cone     ///< isotropic within a cone about the axis
};
enum class SourceTime : std::int32_t { pulses, gaussian, exponential, table };

struct Source {
  SourceSpace space = SourceSpace::edges;
  SourceAngle angle = SourceAngle::isotropic;
  SourceTime time = SourceTime::pulses;
  std::int32_t pulses = 1;
  Vector3 origin;                 ///< corner, centre, or centre of the base, cm
  Vector3 edge[3];                ///< of SourceSpace::edges, cm
  Vector3 normal{0, 0, 1};        ///< axis of the cylinder; normal of the surface, 0 for volumes
  double length = 0;              ///< of a cylinder, cm
  double inner = 0, outer = 0;    ///< radii (cm); their cubes for a ball, squares for a cylinder
  Vector3 axis{0, 0, 1};          ///< of the directions
  double smallest_cosine = -1;    ///< of a cone
  std::int32_t about_normal = 0;  ///< 1: the axis of directions is the normal at the sampled
                                  ///< position; -1: the opposite of that normal
  std::int32_t group_slots = 0;   ///< size of the alias table; 1: all particles are in one group
  std::int32_t first_group = 0;   ///< index into SourceView::groups
  std::int32_t time_slots = 0, first_time = 0;     ///< index into SourceView::times
  std::int32_t cells = 0, first_cell = 0;          ///< part of SourceView::admitted; 0: any
  std::int32_t materials = 0, first_material = 0;  ///< as for cells
  std::int32_t padding = 0;
  /// s. pulses: start, width, period; gaussian: mean, standard deviation; exponential: start, mean.
  double t[3] = {};
};

}  // namespace gsim::transport
