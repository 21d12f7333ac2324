#pragma once
#include <vector>

#include "gsim/comm/communicator.hpp"
#include "gsim/io/segmented_file.hpp"
#include "src/io/hdf5/stored_type.hpp"

namespace gsim::io {

/// A series of a SegmentedFile with what follows from it, and its frames that wait to be written.
struct Series {
  FrameSeries info;
  StoredType type;
  std::vector<IndexRange> ranges;  ///< all ranks' rows
  IndexRange mine;
  std::size_t row_bytes = 0;
  std::size_t frame_bytes = 0;  ///< of this rank
  std::vector<char> buffer = {};
};

/// Agrees on who brings which rows. Collective; Error when they do not tile the series.
Series prepare_series(const Communicator& communicator, FrameSeries info);

}  // namespace gsim::io
