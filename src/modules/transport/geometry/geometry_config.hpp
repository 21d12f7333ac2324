#pragma once
// The geometry as a configuration gives it: [[surface]], [[box]], [[cell]], [[lattice]], by names.
// Lengths are in cm, angles in degrees.

#include <array>
#include <span>
#include <string>
#include <vector>

#include "gsim/config/section.hpp"
#include "gsim/transport/surface_kind.hpp"
#include "src/modules/transport/geometry/cells/region.hpp"

namespace gsim::transport {

inline constexpr std::string_view root_universe = "root";

/// A name in the file, for messages about it.
struct NamedPlace {
  std::string name;
  SourceLocation where;
};

struct SurfaceConfig {
  std::string name;
  Surface surface;                   ///< link is set by the builder
  std::vector<double> coefficients;  ///< of a quadric: 10; of a quartic: 35
  NamedPlace partner;                ///< of a periodic plane
  SourceLocation where;
};

/// A block: six planes, named NAME.x_min … NAME.z_max, of which infinite ones are left out.
struct BoxConfig {
  std::string name;
  Region inside;
  SourceLocation where;
};

struct CellConfig {
  std::string name, universe{root_universe};
  Region region;
  NamedPlace fill;
  double importance = 1;
  bool is_transformed = false;
  Transformation transformation;
  SourceLocation where, region_where;
};

struct LatticeConfig {
  std::string name;
  Lattice lattice;                    ///< outer and first_universe are set by the builder
  std::vector<std::string> elements;  ///< universes in the order of the table, "" for none
  NamedPlace outer;
  SourceLocation where, elements_where;
};

struct GeometryConfig {
  std::vector<SurfaceConfig> surfaces;  ///< [[surface]], then those of boxes
  std::vector<BoxConfig> boxes;
  std::vector<CellConfig> cells;
  std::vector<LatticeConfig> lattices;
};

using SurfaceKinds = std::span<const SurfaceKind* const>;

/// Describes the tables of the geometry; `kinds` are the values of `kind` in [[surface]]. The names
/// in `fill` are looked up by build_geometry(), together with those of the materials.
void describe_geometry(Section& top, GeometryConfig& config, SurfaceKinds kinds);

/// Parts of it, one table each, in this order.
void describe_surfaces(Section& top, GeometryConfig& config, SurfaceKinds kinds);
void describe_boxes(Section& top, GeometryConfig& config);
void describe_cells(Section& top, GeometryConfig& config);
void describe_lattices(Section& top, GeometryConfig& config);

}  // namespace gsim::transport
