#pragma once
// A LAMMPS data file split into counts, box, and the rows of its sections.

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "gsim/math/vector3.hpp"
#include "src/modules/md/files/tokens.hpp"

namespace gsim::md {

struct DataRow {
  std::vector<std::string_view> words;  ///< without the comment
  Index line = 0;
};

struct DataSection {
  Index line = 0;
  std::string style;  ///< the comment after the name
  std::vector<DataRow> rows;
};

struct DataSections {
  std::map<std::string, Index, std::less<>> counts;  ///< "atoms", "bond types"
  Vector3 low, high, tilts;
  std::array<bool, 3> has_bounds{};
  std::map<std::string, DataSection, std::less<>> sections;

  Index count(std::string_view name) const {
    const auto found = counts.find(name);
    return found == counts.end() ? 0 : found->second;
  }
  const DataSection* find(std::string_view name) const {
    const auto found = sections.find(name);
    return found == sections.end() ? nullptr : &found->second;
  }
};

/// The words refer to `text`. InputError for malformed header lines and repeated sections.
DataSections split_data_file(std::string_view text, const std::string& file);

}  // namespace gsim::md
