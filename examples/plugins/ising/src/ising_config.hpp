#pragma once
// The configuration of module ising.

#include <string>
#include <vector>

#include <gsim/config/section.hpp>
#include <gsim/domain/grid.hpp>
#include <gsim/engine/field_series.hpp>

namespace ising {

using gsim::Index;

enum class StartKind { up, random };

struct IsingConfig {
  std::vector<Index> size{128, 128};  ///< the key `sites`: two or three numbers
  gsim::Cell sites{128, 128, 1};      ///< number of sites along x, y, z
  int dimensions = 2;
  double temperature = 0;  ///< k T / J
  Index sweeps = 0;
  Index discard = 0;        ///< number of sweeps before measurements begin
  Index measure_every = 1;  ///< sweeps
  StartKind start = StartKind::up;
  gsim::PictureKeys pictures;

  /// Describes the tables [ising] and [pictures] to a section, which fills these members while it
  /// reads.
  void describe(gsim::Section& top);

  Index count() const { return sites[0] * sites[1] * sites[2]; }
  /// Number of words of one colour along x: a word holds 64 sites, every second one of a line.
  gsim::Cell words() const { return {sites[0] / 128, sites[1], sites[2]}; }
};

}  // namespace ising
