#pragma once
// The geometry as a configuration gives it in [[surface]], [[box]], [[cell]] and [[lattice]], with
// names in place of indices. Lengths are in cm, angles in degrees.

#include <array>
#include <span>
#include <string>
#include <vector>

#include "gsim/config/section.hpp"
#include "gsim/transport/surface_kind.hpp"
#include "src/modules/transport/geometry/cells/region.hpp"

namespace gsim::transport {

inline constexpr std::string_view root_universe = "root";

/// A name in the configuration and its location, for error messages.
struct LocatedName {
  std::string name;
  SourceLocation where;
};

struct SurfaceConfig {
  std::string name;
  SurfaceShape shape;                ///< as its kind describes it
  Surface surface;                   ///< from the shape; build_geometry() sets `link`
  std::vector<double> coefficients;  ///< 10 of a quadric, 35 of a quartic
  LocatedName partner;               ///< the other plane of a periodic pair
  SourceLocation where;
};

/// A block bounded by six planes named NAME.x_min … NAME.z_max; planes at infinity are left out.
struct BoxConfig {
  std::string name;
  std::array<double, 3> lower{}, upper{};
  SurfaceBoundary boundary = SurfaceBoundary::transmission;  ///< of all sides
  std::vector<std::string> boundaries;                       ///< of each side; empty: `boundary`
  Region inside;                                             ///< the region between the planes
  SourceLocation where;
};

struct CellConfig {
  std::string name, universe{root_universe};
  std::string region_text;
  Region region;  ///< validate_geometry() parses region_text
  LocatedName fill;
  double importance = 1;
  std::array<double, 3> translation{};  ///< of the fill, cm
  std::array<double, 3> rotation{};     ///< of the fill, degrees
  bool is_transformed = false;          ///< a translation or rotation is given
  Transformation transformation;        ///< from translation and rotation
  SourceLocation where, region_where;
};

struct LatticeConfig {
  std::string name;
  Lattice lattice;                    ///< build_geometry() sets `outer` and `first_universe`
  std::vector<std::string> elements;  ///< universes in the order of the table; "": none
  LocatedName outer;                  ///< the universe outside the elements; empty: none
  SourceLocation where, elements_where;
};

struct GeometryConfig {
  std::vector<SurfaceConfig> surfaces;  ///< [[surface]], then those of boxes
  std::vector<BoxConfig> boxes;
  std::vector<CellConfig> cells;
  std::vector<LatticeConfig> lattices;
};

using SurfaceKinds = std::span<const SurfaceKind* const>;

/// Describes the tables of the geometry; `kinds` are the values of `kind` in [[surface]].
void describe_geometry(Section& top, GeometryConfig& config, SurfaceKinds kinds);
/// Parses the regions of cells, and checks names. Called once, after the tables were read;
/// ConfigError. Names in `fill` are looked up by build_geometry(), together with those of the
/// materials.
void validate_geometry(GeometryConfig& config);

/// Describe one table each; describe_geometry() calls them in this order.
void describe_surfaces(Section& top, GeometryConfig& config, SurfaceKinds kinds);
void describe_boxes(Section& top, GeometryConfig& config);
void describe_cells(Section& top, GeometryConfig& config);
void describe_lattices(Section& top, GeometryConfig& config);

}  // namespace gsim::transport
