#include "gsim/domain/particle_store.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "gsim/core/error.hpp"
#include "gsim/core/misuse.hpp"
#include "kernels/domain/copy_rows.hpp"

namespace gsim {

ParticleStore::ParticleStore(Executor executor) : executor_(std::move(executor)) {
  add_column("position", ElementType::uint64, 3, Ghosts::copied);
  add_column("id", ElementType::int64, 1, Ghosts::copied);
}

ParticleStore::~ParticleStore() { release(); }

void ParticleStore::release() noexcept {
  for (Memory& memory : memory_)
    if (memory.data != nullptr) executor_.deallocate(memory.data);
  if (spare_ != nullptr) executor_.deallocate(spare_);
  memory_.clear();
  spare_ = nullptr;
}

ParticleStore::ParticleStore(ParticleStore&& other) noexcept
    // NOLINTNEXTLINE(performance-move-constructor-init): `other` keeps its executor
    : executor_(other.executor_),
      columns_(std::move(other.columns_)),
      memory_(std::exchange(other.memory_, {})),
      spare_(std::exchange(other.spare_, nullptr)),
      spare_bytes_(std::exchange(other.spare_bytes_, 0)),
      locals_(std::exchange(other.locals_, 0)),
      ghosts_(std::exchange(other.ghosts_, 0)) {}

ParticleStore& ParticleStore::operator=(ParticleStore&& other) noexcept {
  std::swap(executor_, other.executor_);
  std::swap(columns_, other.columns_);
  std::swap(memory_, other.memory_);
  std::swap(spare_, other.spare_);
  std::swap(spare_bytes_, other.spare_bytes_);
  std::swap(locals_, other.locals_);
  std::swap(ghosts_, other.ghosts_);
  return *this;
}

ColumnId ParticleStore::add_column(std::string name, ElementType type, int components,
                                   Ghosts ghosts) {
  for (const Column& column : columns_)
    GSIM_VALIDATE(column.name != name, "particles have two columns named \"" + name + "\"",
                  "rename one");
  GSIM_VALIDATE(components >= 1,
                "column \"" + name + "\" has " + std::to_string(components) + " components",
                "give it 1 or more");
  const Index row_bytes = components * static_cast<Index>(element_size(type));
  GSIM_VALIDATE(row_bytes % 4 == 0,
                "column \"" + name + "\" has rows of " + std::to_string(row_bytes) + " bytes",
                "make them a multiple of 4 bytes");
  columns_.push_back({std::move(name), type, components, ghosts, row_bytes});
  memory_.emplace_back();
  const ColumnId id{columns() - 1};
  reserve(static_cast<std::size_t>(id.index), rows(id), 0);
  if (rows(id) > 0) executor_.fill_zero(data(id), static_cast<std::size_t>(rows(id) * row_bytes));
  return id;
}

std::byte* ParticleStore::data(ColumnId id) {
  return memory_[static_cast<std::size_t>(id.index)].data;
}
const std::byte* ParticleStore::data(ColumnId id) const {
  return memory_[static_cast<std::size_t>(id.index)].data;
}

void ParticleStore::check_size(ColumnId id, std::size_t size, bool elements) const {
  const Column& c = column(id);
  const std::size_t stored =
      elements ? element_size(c.type) : static_cast<std::size_t>(c.row_bytes);
  if (size != stored)
    throw MisuseError("column \"" + c.name + "\" has " + (elements ? "elements" : "rows") + " of " +
                      std::to_string(stored) + " bytes and is viewed with rows of " +
                      std::to_string(size) + "; view it with the type with which it was added");
}

void* ParticleStore::data_for(ColumnId id, std::size_t size, bool elements) {
  check_size(id, size, elements);
  return data(id);
}

void ParticleStore::assign_bytes(ColumnId id, std::size_t row_bytes,
                                 std::span<const std::byte> rows) {
  check_size(id, row_bytes, false);
  if (rows.size() != static_cast<std::size_t>(locals_) * row_bytes)
    throw MisuseError("column \"" + column(id).name + "\" is assigned " +
                      std::to_string(rows.size() / row_bytes) + " rows for " +
                      std::to_string(locals_) + " particles; give one row for each");
  if (!rows.empty()) executor_.copy_from_host(data(id), rows.data(), rows.size());
}

void ParticleStore::copy_to_host(ColumnId id, std::size_t row_bytes,
                                 std::span<std::byte> rows) const {
  check_size(id, row_bytes, false);
  if (!rows.empty()) executor_.copy_to_host(rows.data(), data(id), rows.size());
}

void ParticleStore::make_locals(IndexRange ids) {
  resize_locals(0);
  resize_locals(ids.size());
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(ids.size()));
  std::iota(numbers.begin(), numbers.end(), ids.first);
  assign(id(), numbers);
}

void ParticleStore::reserve(std::size_t column, Index rows, Index keep) {
  Memory& memory = memory_[column];
  if (rows <= memory.capacity) return;
  if (rows > std::numeric_limits<std::int32_t>::max())
    throw Error("one rank holds " + std::to_string(rows) +
                " particles, more than 2^31; use more ranks");
  const Index row_bytes = columns_[column].row_bytes;
  const Index capacity = std::max(rows, memory.capacity + memory.capacity / 4);
  auto* const grown =
      static_cast<std::byte*>(executor_.allocate(static_cast<std::size_t>(capacity * row_bytes)));
  if (keep > 0) {
    domain::CopyRowsArgs copy;
    copy.rows = keep;
    copy.columns = 1;
    copy.column[0] = {memory.data, grown, row_bytes, row_bytes, row_bytes};
    domain_copy_rows(executor_, copy);
  }
  if (memory.data != nullptr) executor_.deallocate(memory.data);  // takes effect after the copy
  memory = {grown, capacity};
}

void ParticleStore::resize_locals(Index count) {
  const Index keep = std::min(count, locals_);
  resize_locals_uninitialised(count);
  if (count == keep) return;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const Index bytes = columns_[c].row_bytes;
    executor_.fill_zero(memory_[c].data + keep * bytes,
                        static_cast<std::size_t>((count - keep) * bytes));
  }
}

void ParticleStore::resize_locals_uninitialised(Index count) {
  ghosts_ = 0;
  for (std::size_t c = 0; c < columns_.size(); ++c) reserve(c, count, std::min(count, locals_));
  locals_ = count;
}

void ParticleStore::resize_ghosts(Index count) {
  for (std::size_t c = 0; c < columns_.size(); ++c)
    if (columns_[c].ghosts != Ghosts::none) reserve(c, locals_ + count, locals_);
  ghosts_ = count;
}

void ParticleStore::permute(View<const std::int32_t> order) {
  if (order.size != locals_)
    throw MisuseError("ParticleStore::permute() has an order of " + std::to_string(order.size) +
                      " for " + std::to_string(locals_) +
                      " particles; name each local particle once");
  ghosts_ = 0;
  if (locals_ == 0) return;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const Index row_bytes = columns_[c].row_bytes;
    const auto required = static_cast<std::size_t>(memory_[c].capacity * row_bytes);
    if (spare_bytes_ < required) {
      if (spare_ != nullptr) executor_.deallocate(std::exchange(spare_, nullptr));
      spare_bytes_ = 0;
      spare_ = static_cast<std::byte*>(executor_.allocate(required));
      spare_bytes_ = required;
    }
    domain::CopyRowsArgs copy;
    copy.from_rows = order.data;
    copy.rows = locals_;
    copy.columns = 1;
    copy.column[0] = {memory_[c].data, spare_, row_bytes, row_bytes, row_bytes};
    domain_copy_rows(executor_, copy);
    memory_[c].capacity = static_cast<Index>(spare_bytes_) / row_bytes;
    std::swap(memory_[c].data, spare_);
    spare_bytes_ = required;
  }
}

std::size_t ParticleStore::memory() const {
  std::size_t total = spare_bytes_;
  for (std::size_t c = 0; c < columns_.size(); ++c)
    total += static_cast<std::size_t>(memory_[c].capacity * columns_[c].row_bytes);
  return total;
}

}  // namespace gsim
