#pragma once
// What a module saves of the files that it writes during a run: in which of them frames stand, and
// how these are numbered. It differs between runs that are otherwise the same, by where they were
// interrupted and by what was on the disk before. Comparisons of states leave it out.

#include <string>
#include <string_view>

#include "gsim/io/dataset.hpp"
#include "gsim/io/memory_datasets.hpp"

namespace gsim {

/// Marks a dataset that was written as such. Collective, as DatasetWriter::attribute.
inline void mark_run_specific(DatasetWriter& writer, std::string_view path) {
  writer.attribute(path, "run_specific", "yes");
}

inline bool is_run_specific(const MemoryDatasets::Contents& contents, const std::string& path) {
  return contents.attributes.contains({path, "run_specific"});
}

}  // namespace gsim
