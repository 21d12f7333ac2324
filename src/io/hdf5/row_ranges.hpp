#pragma once
// What the ranks agree on before a dataset is written.

#include <string>
#include <vector>

#include "gsim/comm/communicator.hpp"
#include "gsim/io/dataset.hpp"
#include "src/io/hdf5/stored_type.hpp"

namespace gsim::io {

/// Every rank's range of rows, after all ranks checked alike that type and shape are the same on
/// all of them and that the ranges tile the rows in rank order. Error otherwise. Collective.
std::vector<IndexRange> agree_on_ranges(const Communicator& communicator, const std::string& path,
                                        const StoredType& type, const DatasetShape& shape,
                                        IndexRange local);

}  // namespace gsim::io
