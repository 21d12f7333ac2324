#pragma once
// A kind of tally filter: the keys of [[tally]] that divide phase space into bins. The built-in
// filters (src/modules/transport/tallies/filters) and those of plugins are registered through this
// record. A filter is given by a quantity of the particle, which the kernel of histories provides,
// and by the bin of each value of this quantity:
//
//   by a map      cell, universe (of any level of the geometry that contains the particle),
//                 material, group, surface (that is crossed), detector, collided (0, 1; at point
//                 detectors)
//   by bounds     cosine (of the direction with an axis), surface_cosine (with the normal of the
//                 surface), azimuth (of the direction about z, degrees), time (s)
//   by a mesh     rectilinear_mesh, cylindrical_mesh
//
// For example, bins of fissile and of other materials:
//
//   void describe_fissile(gsim::Section& s, FilterConfig& c) {
//     s.optional("fissile", c.names, {.doc = "names of the fissile materials"});
//   }
//   FilterBins fissile_bins(const FilterConfig& c, const FilterSystem& system) {
//     FilterBins bins = named_bins("fissile", "material", {"fissile", "other"});
//     for (const std::string& material : system.materials)
//       bins.map.push_back(std::ranges::count(c.names, material) > 0 ? 0 : 1);
//     return bins;
//   }
//   registry.extend(FilterKind{.name = "fissile", .doc = "…", .describe = describe_fissile,
//                              .bins = fissile_bins, .columns = {"fissile"}, .example = example});
//
// Tallies of plugins' filters run in the same kernel, at the same speed. Therefore a plugin cannot
// add a quantity: its functor would have to be called indirectly at each event on each device. A
// built-in filter of a new quantity adds a functor in kernels/transport/tallies/filters, which the
// build compiles into the kernel.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gsim/config/location.hpp"
#include "gsim/core/types.hpp"
#include "gsim/math/vector3.hpp"

namespace gsim {
class Section;
}

namespace gsim::transport {

struct FilterKind;

/// The values of the keys of a filter in one [[tally]].
struct FilterConfig {
  const FilterKind* kind = nullptr;
  std::vector<std::string> names = {};  ///< of cells, materials, …
  std::vector<double> bounds = {};      ///< of bins
  std::vector<double> numbers = {};     ///< other values
  KeyLocations keys = {};               ///< of the tally, for errors in the function `bins`

  /// Whether the tally has the filter.
  bool is_given() const { return !names.empty() || !bounds.empty(); }
};

/// The parts of a run that filters may refer to. Lists are in the order of the indices of kernels.
struct FilterSystem {
  std::vector<std::string> cells, universes, surfaces;
  std::vector<std::string> materials;  ///< "void" first
  Index groups = 1;
  std::vector<double> group_bounds;  ///< of energies, descending, eV; empty: unknown
  bool is_timed = true;              ///< the time of particles is known

  struct Detector {
    std::string name;
    Vector3 position;             ///< cm
    double exclusion_radius = 0;  ///< cm
  };
  std::vector<Detector> detectors;
  struct Mesh {
    std::string name;
    bool is_cylindrical = false;
    Index bins = 1;
  };
  std::vector<Mesh> meshes;
};

/// A filter of OpenMC's statepoint file.
struct OpenmcFilter {
  std::string type = {};            ///< empty: OpenMC has no such filter
  std::vector<Index> ids = {};      ///< of cells, materials, …, from 1
  std::vector<double> bounds = {};  ///< of energies, angles, times, ascending
};

/// The bins of a filter of one tally.
struct FilterBins {
  std::string quantity;  ///< that selects the bin
  Index bins = 1;
  std::vector<std::int32_t> map = {};  ///< bin of each value of a quantity by map, -1: none
  std::vector<double> bounds = {};     ///< of the bins; ascending for quantities by bounds
  Index mesh = -1;                     ///< of quantities by a mesh: index in FilterSystem::meshes
  Vector3 direction = {};              ///< of quantity cosine: the axis, of length 1

  // Columns in tables: WORD with the names of the bins; WORD_low and WORD_high with their bounds;
  // otherwise WORD with the numbers of the bins, from 1.
  std::string word;                     ///< WORD, a noun for one bin: "cell", "energy"
  std::string plural_word;              ///< the plural of WORD: "cells", "energies"
  std::vector<std::string> names = {};  ///< of bins
  std::string unit = "1";               ///< of bounds
  bool is_energy = false;    ///< results also have the sums over the bins and their errors
  bool is_by_group = false;  ///< the bins are the groups, in descending energies
  /// Further data of the bins, such as the positions of detectors.
  struct Data {
    std::string name, unit;
    std::vector<double> values;  ///< one for each bin
  };
  std::vector<Data> data = {};
  OpenmcFilter openmc = {};
};

struct FilterKind {
  static constexpr char extends[] = "tally filter", module[] = "transport";  // Registry::extend
  /// `name`: the key of [[tally]] that selects the filter. `doc`: one line.
  std::string_view name, doc;
  /// Describes the keys of the filter in [[tally]], all of them optional, and sets the members of
  /// `config` from them.
  void (*describe)(Section& section, FilterConfig& config) = nullptr;
  /// Checks values and derives others, where that needs more than one key; null: nothing to check.
  void (*validate)(const Section& section, FilterConfig& config) = nullptr;
  /// The bins of a tally that has the filter. ConfigError (config.keys) for unknown names.
  FilterBins (*bins)(const FilterConfig& config, const FilterSystem& system) = nullptr;
  /// All columns that tables of results may have for the filter: no score may have such a name.
  std::vector<std::string_view> columns = {};
  /// A complete configuration of module transport with the filter that runs within seconds.
  std::string_view example = {};
  /// Position among the filters of a tally, in ascending order: the bins of the last one are
  /// adjacent rows of its table.
  int position = 1000;
  /// Number of a built-in kind in the definitions of tallies in results; -1: the name is used.
  int number = -1;

  /// The names of missing members (Registry::Extension); null: none.
  const char* missing() const {
    return describe != nullptr && bins != nullptr ? nullptr : "describe and bins";
  }
};

/// Describes a key with the names of bins.
void optional_names(Section& section, std::string_view key, std::vector<std::string>& names,
                    const char* doc);
/// ConfigError at `key` where a name occurs twice.
void check_names(const Section& section, std::string_view key, std::span<const std::string> names);
/// ConfigError at `key` unless the bounds ascend.
void check_bounds(const Section& section, std::string_view key, std::span<const double> bounds);

/// Bins that have names, in the column `word`. The caller sets the map.
FilterBins named_bins(std::string_view word, std::string_view quantity,
                      std::vector<std::string> names);
/// One bin for each of config.names, which are looked up among `known`, the names of the values of
/// the quantity; OpenMC has a filter of type `openmc_type`. ConfigError at the key of the kind's
/// name for unknown names.
FilterBins bins_of_names(const FilterConfig& config, std::string_view word,
                         std::string_view quantity, std::span<const std::string> known,
                         std::string_view openmc_type = {});
/// Bins between config.bounds.
FilterBins bins_between(const FilterConfig& config, std::string_view word,
                        std::string_view quantity, std::string_view unit = "1");

}  // namespace gsim::transport
