#pragma once
// A column's locals as the host reads them: in place on a host executor, copied from a device.

#include <vector>

#include "gsim/domain/particle_store.hpp"

namespace gsim::detail {

template <class Row>
class HostColumn {
 public:
  HostColumn(const ParticleStore& store, ColumnId id) {
    const auto count = static_cast<std::size_t>(store.locals());
    if (store.executor().is_cuda()) {
      copy_.resize(count);
      if (count > 0)
        store.executor().copy_to_host(copy_.data(), store.data(id), count * sizeof(Row));
      rows_ = copy_.data();
    } else {
      rows_ = reinterpret_cast<const Row*>(store.data(id));
    }
  }
  const Row& operator[](Index i) const { return rows_[i]; }

 private:
  std::vector<Row> copy_;
  const Row* rows_ = nullptr;
};

}  // namespace gsim::detail
