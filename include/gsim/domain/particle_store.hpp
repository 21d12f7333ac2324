#pragma once
// The particles of one rank as a structure of arrays in executor memory: first the particles that
// it owns (locals), then copies of other ranks' particles near its brick (ghosts, domain/halo.hpp).

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "gsim/core/element_type.hpp"
#include "gsim/core/fixed_position.hpp"
#include "gsim/core/types.hpp"
#include "gsim/exec/executor.hpp"
#include "gsim/exec/view.hpp"

namespace gsim {

/// Ghost rows of a column. none: there are none. room: rows that the user of the column, or a
/// HaloExchange with this column, fills. copied: rows that HaloPlan::build copies from the owner.
enum class Ghosts { none, room, copied };

/// The index of a column of a ParticleStore.
struct ColumnId {
  int index = -1;
  friend bool operator==(const ColumnId&, const ColumnId&) = default;
};

class ParticleStore {
 public:
  /// Properties of a column.
  struct Column {
    std::string name;
    ElementType type = ElementType::float64;
    int components = 1;
    Ghosts ghosts = Ghosts::none;
    Index row_bytes = 0;  ///< components * element_size(type)
  };

  /// Creates a store without particles and with the columns "position" (uint64 x 3, rows are
  /// FixedPosition) and "id" (int64, unique over all ranks), both copied to ghosts. Further columns
  /// must be added before particles.
  explicit ParticleStore(Executor executor);
  ~ParticleStore();
  ParticleStore(ParticleStore&& other) noexcept;
  ParticleStore& operator=(ParticleStore&& other) noexcept;
  ParticleStore(const ParticleStore&) = delete;
  ParticleStore& operator=(const ParticleStore&) = delete;

  /// Adds a column. All ranks must add the same columns in the same order. InputError if the name
  /// exists, components < 1, or the row size is not a multiple of 4 bytes. Rows of existing
  /// particles are zero.
  ColumnId add_column(std::string name, ElementType type, int components, Ghosts ghosts);
  ColumnId position() const { return {0}; }
  ColumnId id() const { return {1}; }
  int columns() const { return static_cast<int>(columns_.size()); }
  const Column& column(ColumnId id) const { return columns_[static_cast<std::size_t>(id.index)]; }

  const Executor& executor() const { return executor_; }
  Index locals() const { return locals_; }
  Index ghosts() const { return ghosts_; }
  /// Number of rows of column `id`: locals(), or locals() + ghosts().
  Index rows(ColumnId id) const {
    return locals_ + (column(id).ghosts == Ghosts::none ? 0 : ghosts_);
  }

  /// View of a column with one `Row` per particle; Error unless sizeof(Row) is the row size. Views
  /// are valid until the number of particles changes or particles are permuted or migrated.
  template <class Row>
  View<Row> view(ColumnId id) {
    static_assert(std::is_trivially_copyable_v<Row>);
    return {static_cast<Row*>(data_for(id, sizeof(Row), false)), rows(id)};
  }
  /// View of a column by elements: components x rows of `T`; Error unless sizeof(T) is the element
  /// size.
  template <class T>
  View<T> elements(ColumnId id) {
    static_assert(std::is_trivially_copyable_v<T>);
    return {static_cast<T*>(data_for(id, sizeof(T), true)), rows(id) * column(id).components};
  }
  /// The memory of a column, rows consecutively.
  std::byte* data(ColumnId id);
  const std::byte* data(ColumnId id) const;

  /// Replaces all particles by new locals with the given ids, in this order, and all other columns
  /// zero. Ghosts are removed.
  void make_locals(IndexRange ids);
  /// Copies host data into the locals of a column, one `Row` per particle. Error unless there are
  /// locals() rows of the row size.
  template <class Row>
  void assign(ColumnId id, std::span<const Row> rows) {
    static_assert(std::is_trivially_copyable_v<Row>);
    assign_bytes(id, sizeof(Row), std::as_bytes(rows));
  }
  template <class Row>
  void assign(ColumnId id, const std::vector<Row>& rows) {
    assign(id, std::span<const Row>(rows));
  }
  /// Copies the locals of a column to host memory, after the executor's launches. Error as view().
  template <class Row>
  std::vector<Row> to_host(ColumnId id) const {
    static_assert(std::is_trivially_copyable_v<Row>);
    std::vector<Row> rows(static_cast<std::size_t>(locals_));
    copy_to_host(id, sizeof(Row), std::as_writable_bytes(std::span(rows)));
    return rows;
  }

  /// Changes the number of locals, keeping the first ones; new rows are zero. Ghosts are removed.
  void resize_locals(Index count);
  /// As resize_locals(), but new rows are undefined until they are written.
  void resize_locals_uninitialised(Index count);
  /// Changes the number of ghosts, keeping locals; ghost rows are undefined.
  void resize_ghosts(Index count);
  /// Permutes the locals: row i becomes the previous row order[i], where `order` is a permutation
  /// of [0, locals()) in executor memory. Ghosts are removed, because the send lists of other ranks
  /// refer to the previous rows.
  void permute(View<const std::int32_t> order);

  /// Executor memory in bytes.
  std::size_t memory() const;

 private:
  struct Memory {
    std::byte* data = nullptr;
    Index capacity = 0;  // rows
  };
  void* data_for(ColumnId id, std::size_t size, bool elements);
  void check_size(ColumnId id, std::size_t size, bool elements) const;
  void assign_bytes(ColumnId id, std::size_t row_bytes, std::span<const std::byte> rows);
  void copy_to_host(ColumnId id, std::size_t row_bytes, std::span<std::byte> rows) const;
  /// Gives a column memory for `rows` rows at least; its first `keep` rows are kept.
  void reserve(std::size_t column, Index rows, Index keep);
  void release() noexcept;

  Executor executor_;
  std::vector<Column> columns_;
  std::vector<Memory> memory_;
  std::byte* spare_ = nullptr;  // scratch column of permute(), exchanged with the columns
  std::size_t spare_bytes_ = 0;
  Index locals_ = 0, ghosts_ = 0;
};

}  // namespace gsim
