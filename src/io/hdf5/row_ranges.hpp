#pragma once
// Agreement of the ranks on the shape of a dataset before it is written.

#include <string>
#include <vector>

#include "gsim/comm/communicator.hpp"
#include "gsim/io/dataset.hpp"
#include "src/io/hdf5/stored_type.hpp"

namespace gsim::io {

/// Returns the row ranges of all ranks after verifying, with the same result on all ranks, that
/// type and shape agree and that the ranges tile the rows in rank order. Error otherwise.
/// Collective.
std::vector<IndexRange> agree_on_ranges(const Communicator& communicator, const std::string& path,
                                        const StoredType& type, const DatasetShape& shape,
                                        IndexRange local);

}  // namespace gsim::io
