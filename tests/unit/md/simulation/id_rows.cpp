// The map from ids to rows, as a table and as a hash table.

#include "src/modules/md/simulation/id_rows.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "support/test_executor.hpp"

using namespace gsim;
using namespace gsim::md;

namespace {

/// A copy of the map in host memory.
class HostIdRows {
 public:
  explicit HostIdRows(const IdRows& rows, const Executor& executor)
      : rows_(copy(executor, rows.table().rows)), slots_(copy(executor, rows.table().slots)) {
    table_ = {rows.table().lowest,
              {rows_.data(), static_cast<Index>(rows_.size())},
              {slots_.data(), static_cast<Index>(slots_.size())}};
  }
  std::int32_t find(std::int64_t id) const { return table_.find(id); }
  bool is_hash_table() const { return rows_.empty(); }

 private:
  template <class T>
  static std::vector<T> copy(const Executor& executor, View<T> from) {
    std::vector<T> to(static_cast<std::size_t>(from.size));
    if (!to.empty()) executor.copy_to_host(to.data(), from.data, to.size() * sizeof(T));
    return to;
  }
  std::vector<std::int32_t> rows_;
  std::vector<domain::IdSlot> slots_;
  domain::IdTable table_;
};

HostIdRows build(IdRows& rows, const Executor& executor, const std::vector<std::int64_t>& ids) {
  const Array<std::int64_t> array(executor, ids);
  if (ids.empty())
    rows.build({});
  else
    rows.build(array.view(), *std::min_element(ids.begin(), ids.end()),
               *std::max_element(ids.begin(), ids.end()));
  return HostIdRows(rows, executor);
}

}  // namespace

TEST_CASE("id rows: the row of an atom is found from its id if ids are sparse") {
  std::mt19937_64 random(5);
  std::vector<std::int64_t> ids;
  for (int k = 0; k < 5000; ++k) ids.push_back(static_cast<std::int64_t>(random() >> 1));
  const Executor executor = gsim::test::test_executor();
  IdRows rows(executor);
  CHECK(HostIdRows(rows, executor).find(3) == -1);
  const HostIdRows found = build(rows, executor, ids);
  CHECK(found.is_hash_table());
  for (std::size_t k = 0; k < ids.size(); ++k)
    REQUIRE(found.find(ids[k]) == static_cast<std::int32_t>(k));
  for (int k = 0; k < 1000; ++k) CHECK(found.find(-1 - k) == -1);
  CHECK(build(rows, executor, {}).find(ids[0]) == -1);
}

TEST_CASE("id rows: the row of an atom is found from its id if ids are dense") {
  std::vector<std::int64_t> ids;
  // Every third integer from -50 on, in a permuted order.
  for (int k = 0; k < 1000; ++k) ids.push_back(-50 + (k * 7919LL) % 1000 * 3);
  const Executor executor = gsim::test::test_executor();
  IdRows rows(executor);
  const HostIdRows found = build(rows, executor, ids);
  CHECK_FALSE(found.is_hash_table());
  for (std::size_t k = 0; k < ids.size(); ++k)
    REQUIRE(found.find(ids[k]) == static_cast<std::int32_t>(k));
  for (const std::int64_t id : {-51, -49, -48, 2948, 3000, 1 << 30}) CHECK(found.find(id) == -1);
  CHECK(found.find(std::numeric_limits<std::int64_t>::min()) == -1);
  const std::vector<std::int64_t> extreme_ids{std::numeric_limits<std::int64_t>::min(), 5,
                                              std::numeric_limits<std::int64_t>::max()};
  const HostIdRows extreme = build(rows, executor, extreme_ids);
  for (std::int32_t k = 0; k < 3; ++k)
    CHECK(extreme.find(extreme_ids[static_cast<std::size_t>(k)]) == k);
  CHECK(extreme.find(-50) == -1);
}
