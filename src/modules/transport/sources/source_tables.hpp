#pragma once
// The arrays of sources that kernels read, in the memory of an executor.

#include <functional>
#include <string>
#include <vector>

#include "gsim/exec/array.hpp"
#include "kernels/transport/sources/sources.hpp"
#include "src/modules/transport/sources/source_config.hpp"

namespace gsim::transport {

/// The arrays of SourceView on the host.
struct SourceArrays {
  std::vector<Source> sources;
  std::vector<AliasSlot> choice, groups;
  std::vector<TimeSlot> times;
  std::vector<std::int32_t> admitted;
};

/// Returns the indices (Geometry::cells) of all cells with a given name; InputError for an unknown
/// name.
using CellsOfName = std::function<std::vector<std::int32_t>(const std::string& name)>;

/// The arrays of all sources. Indices of materials are those of `materials`. InputError for an
/// unknown name.
SourceArrays make_source_arrays(const SourcesConfig& config, const MaterialSet& materials,
                                const CellsOfName& cells);

class SourceTables {
 public:
  SourceTables(const Executor& executor, const SourceArrays& arrays);
  SourceView view() const;

 private:
  Array<Source> sources_;
  Array<AliasSlot> choice_, groups_;
  Array<TimeSlot> times_;
  Array<std::int32_t> admitted_;
};

}  // namespace gsim::transport
