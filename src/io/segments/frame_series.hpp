#pragma once
#include <vector>

#include "gsim/comm/communicator.hpp"
#include "gsim/io/segmented_file.hpp"
#include "src/io/hdf5/stored_type.hpp"

namespace gsim::io {

/// A series of a SegmentedFile, data derived from its FrameSeries, and its buffered frames.
struct Series {
  FrameSeries info;
  StoredType type;
  std::vector<IndexRange> ranges;  ///< row ranges of all ranks
  IndexRange mine;                 ///< row range of this rank
  std::size_t row_bytes = 0;
  std::size_t frame_bytes = 0;  ///< bytes per frame of this rank
  std::vector<char> buffer = {};
};

/// Agrees on the rows of each rank. Collective; Error if they do not tile the series.
Series prepare_series(const Communicator& communicator, FrameSeries info);

}  // namespace gsim::io
