#include "gsim/io/memory_datasets.hpp"

#include <limits>

#include <doctest/doctest.h>

#include "gsim/core/error.hpp"

using namespace gsim;

namespace {

MemoryDatasets::Contents save(int ranks) {
  MemoryDatasets::Contents contents;
  run_in_process(ranks, [&](Communicator c) {
    MemoryDatasets memory(c);
    const IndexRange own_range = partition({0, 101}, c.size(), c.rank());
    std::vector<double> values;
    for (Index i = own_range.first; i < own_range.last; ++i) {
      values.push_back(i == 5 ? std::numeric_limits<double>::quiet_NaN() : 1.0 / (i + 1.0));
      values.push_back(-static_cast<double>(i));
    }
    memory.write_rows<double>("a/table", values, own_range, 101, 2);
    memory.write("done", Index{42});
    memory.write_strings("names", std::vector<std::string>{"x", "", "yz"});
    memory.attribute("a/table", "unit", "nm");
    if (c.is_root()) contents = memory.contents();
  });
  return contents;
}

}  // namespace

TEST_CASE("memory datasets: the same bits for any number of writing and reading ranks") {
  const auto on_one_rank = save(1);
  for (const int writers : {2, 3, 5}) CHECK(save(writers) == on_one_rank);
  for (const int readers : {1, 2, 4}) {
    run_in_process(readers, [&](Communicator c) {
      MemoryDatasets memory(c, on_one_rank);
      const IndexRange own_range = partition({0, 101}, c.size(), c.rank());
      const auto part = memory.read_rows<double>("/a/table", own_range);
      REQUIRE(part.size() == static_cast<std::size_t>(2 * own_range.size()));
      CHECK(part[1] == -static_cast<double>(own_range.first));
      CHECK(memory.read_value<Index>("done") == 42);
      CHECK(memory.read_strings("names") == std::vector<std::string>{"x", "", "yz"});
      CHECK(memory.shape("a/table").columns == 2);
      CHECK_FALSE(memory.has("a"));
    });
  }
}

TEST_CASE("memory datasets: contents that differ in one bit, type or text are not equal") {
  const auto on_one_rank = save(1);
  auto changed = on_one_rank;
  changed.datasets.at("a/table").bytes[800] ^= 1;
  CHECK_FALSE(changed == on_one_rank);
  changed = on_one_rank;
  changed.datasets.at("done").shape.type = ElementType::uint64;
  CHECK_FALSE(changed == on_one_rank);
  changed = on_one_rank;
  changed.attributes.at({"a/table", "unit"}) = "m";
  CHECK_FALSE(changed == on_one_rank);
}

TEST_CASE("memory datasets: the same errors as for files") {
  run_in_process(2, [&](Communicator c) {
    MemoryDatasets memory(c);
    memory.write("a", 1.0);
    CHECK_THROWS_AS(memory.write("a", 2.0), IoError);
    CHECK_THROWS_AS(memory.read<float>("a"), IoError);
    CHECK_THROWS_AS(memory.read<double>("b"), IoError);
    CHECK_THROWS_AS(memory.read_strings("a"), IoError);
    CHECK_THROWS_AS(memory.read_rows<double>("a", {0, 2}), IoError);
    const std::vector<double> values(3);
    CHECK_THROWS_AS(memory.write_rows<double>("gap", values, {4 * c.rank(), 4 * c.rank() + 3}, 7),
                    Error);
  });
}
