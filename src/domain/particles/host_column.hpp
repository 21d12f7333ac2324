#pragma once
// The locals of a column in host memory: in place on a host executor, copied from a device.

#include <vector>

#include "gsim/domain/particle_store.hpp"

namespace gsim::detail {

class HostBytes {
 public:
  HostBytes(const ParticleStore& store, ColumnId id) : bytes_(store.data(id)) {
    if (!store.executor().is_cuda()) return;
    copy_.resize(static_cast<std::size_t>(store.locals() * store.column(id).row_bytes));
    if (!copy_.empty()) store.executor().copy_to_host(copy_.data(), bytes_, copy_.size());
    bytes_ = copy_.data();
  }
  const std::byte* data() const { return bytes_; }

 private:
  std::vector<std::byte> copy_;
  const std::byte* bytes_;
};

template <class Row>
class HostColumn {
 public:
  HostColumn(const ParticleStore& store, ColumnId id)
      : bytes_(store, id), rows_(reinterpret_cast<const Row*>(bytes_.data())) {}
  const Row& operator[](Index i) const { return rows_[i]; }

 private:
  HostBytes bytes_;
  const Row* rows_;
};

}  // namespace gsim::detail
