#pragma once
// Marks state that describes the files of a run: the files that contain its frames, and their
// numbers. It differs between otherwise identical runs, depending on where they were interrupted
// and which files existed before, so comparisons of states ignore it.

#include <string>
#include <string_view>

#include "gsim/io/dataset.hpp"
#include "gsim/io/memory_datasets.hpp"

namespace gsim {

/// Marks a written dataset as specific to the run. Collective, like DatasetWriter::attribute.
inline void mark_run_specific(DatasetWriter& writer, std::string_view path) {
  writer.attribute(path, "run_specific", "yes");
}

inline bool is_run_specific(const MemoryDatasets::Contents& contents, const std::string& path) {
  return contents.attributes.contains({path, "run_specific"});
}

}  // namespace gsim
