#pragma once
// The particles of one rank as a struct of arrays in executor memory: first those that it owns
// (locals), then copies of other ranks' particles near its brick (ghosts, domain/halo.hpp).

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

/// What a column holds for ghosts: no rows; rows that its user fills, or a HaloExchange when told;
/// rows that HaloPlan::build brings.
enum class Ghosts { none, room, copied };

/// A column of a ParticleStore, by number.
struct ColumnId {
  int index = -1;
  friend bool operator==(const ColumnId&, const ColumnId&) = default;
};

class ParticleStore {
 public:
  /// What a column is.
  struct Column {
    std::string name;
    ElementType type = ElementType::float64;
    int components = 1;
    Ghosts ghosts = Ghosts::none;
    Index row_bytes = 0;  ///< components * element_size(type)
  };

  /// No particles; the columns "position" (uint64 x 3, rows are FixedPosition) and "id" (int64,
  /// unique over all ranks), both copied to ghosts. Further columns are added before particles are.
  explicit ParticleStore(Executor executor);
  ~ParticleStore();
  ParticleStore(ParticleStore&& other) noexcept;
  ParticleStore& operator=(ParticleStore&& other) noexcept;
  ParticleStore(const ParticleStore&) = delete;
  ParticleStore& operator=(const ParticleStore&) = delete;

  /// All ranks add the same columns in the same order. InputError for a name that exists, or
  /// components < 1, or rows that are not whole words of 4 bytes. Rows of existing particles are
  /// zero.
  ColumnId add_column(std::string name, ElementType type, int components, Ghosts ghosts);
  ColumnId position() const { return {0}; }
  ColumnId id() const { return {1}; }
  int columns() const { return static_cast<int>(columns_.size()); }
  const Column& column(ColumnId id) const { return columns_[static_cast<std::size_t>(id.index)]; }

  const Executor& executor() const { return executor_; }
  Index locals() const { return locals_; }
  Index ghosts() const { return ghosts_; }
  /// Rows that column `id` holds: locals(), or locals() + ghosts().
  Index rows(ColumnId id) const {
    return locals_ + (column(id).ghosts == Ghosts::none ? 0 : ghosts_);
  }

  /// The column, a `Row` a particle; Error unless Row has the row's size. Views are valid until the
  /// number of particles changes, or they are permuted or migrated.
  template <class Row>
  View<Row> view(ColumnId id) {
    static_assert(std::is_trivially_copyable_v<Row>);
    return {static_cast<Row*>(data_for(id, sizeof(Row), false)), rows(id)};
  }
  /// The column, element after element: components x rows of `T`; Error unless T has their size.
  template <class T>
  View<T> elements(ColumnId id) {
    static_assert(std::is_trivially_copyable_v<T>);
    return {static_cast<T*>(data_for(id, sizeof(T), true)), rows(id) * column(id).components};
  }
  /// The column's memory, rows one after the other.
  std::byte* data(ColumnId id);
  const std::byte* data(ColumnId id) const;

  /// Makes new locals in the place of all particles: their ids are those of `ids`, in order, and
  /// their other columns zero. Ghosts go.
  void make_locals(IndexRange ids);
  /// Copies host data into a column's locals, a `Row` a particle. Error unless there are locals()
  /// rows of the row's size.
  template <class Row>
  void assign(ColumnId id, std::span<const Row> rows) {
    static_assert(std::is_trivially_copyable_v<Row>);
    assign_bytes(id, sizeof(Row), std::as_bytes(rows));
  }
  template <class Row>
  void assign(ColumnId id, const std::vector<Row>& rows) {
    assign(id, std::span<const Row>(rows));
  }
  /// A copy of a column's locals in host memory, after the executor's launches. Error as view().
  template <class Row>
  std::vector<Row> to_host(ColumnId id) const {
    static_assert(std::is_trivially_copyable_v<Row>);
    std::vector<Row> rows(static_cast<std::size_t>(locals_));
    copy_to_host(id, sizeof(Row), std::as_writable_bytes(std::span(rows)));
    return rows;
  }

  /// Changes the number of locals, keeping the first ones; new rows are zero; ghosts go.
  void resize_locals(Index count);
  /// Changes the number of ghosts, keeping locals; ghost rows are undefined.
  void resize_ghosts(Index count);
  /// Local row i becomes what row order[i] was: `order` is a permutation of [0, locals()) in
  /// executor memory. Ghosts go, since the order in which they were asked for is lost.
  void permute(View<const std::int32_t> order);

  /// Bytes of executor memory held.
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
  void reserve(std::size_t column, Index rows, Index keep);
  void release() noexcept;

  Executor executor_;
  std::vector<Column> columns_;
  std::vector<Memory> memory_;
  std::byte* spare_ = nullptr;  // what permute() writes to; takes turns with the columns
  std::size_t spare_bytes_ = 0;
  Index locals_ = 0, ghosts_ = 0;
};

}  // namespace gsim
