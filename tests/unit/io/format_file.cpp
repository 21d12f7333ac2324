#include "gsim/io/format_file.hpp"

#include <numeric>

#include <doctest/doctest.h>

#include "gsim/io/result_file.hpp"
#include "support/messages.hpp"
#include "support/scratch_folder.hpp"

using namespace gsim;

TEST_CASE("format file: arrays of several dimensions, scalars, attributes and links are written") {
  std::vector<double> values(24);
  std::iota(values.begin(), values.end(), 0.5);
  for (const int ranks : {1, 3}) {
    CAPTURE(ranks);
    const test::ScratchFolder folder;
    const std::string path = (folder.path() / "format.h5").string();
    run_in_process(ranks, [&](const Communicator& comm) {
      FormatFile file(comm, path);
      // Only the copy of rank 0 is written.
      file.write_array("grid/cube", {2, 3, 4}, comm.is_root() ? values : std::vector<double>());
      file.write_value("count", Index{7});
      file.write_value("ratio", 0.25);
      file.write_value("grid/name", FixedLengthString{"cube"});
      file.write_value("grid/empty", FixedLengthString{""});
      file.set("grid", "extent", std::vector<Index>{0, 4});
      file.set("grid", "kind", FixedLengthString{"image"});
      file.attribute("grid", "unit", "cm");
      file.write("line", std::vector<double>{1, 2});
      file.link("same", "line");
      file.commit();
    });
    ResultReader reader(Communicator::self(), path);
    CHECK(reader.extents("grid/cube") == std::vector<Index>{2, 3, 4});
    CHECK(reader.extents("count").empty());
    CHECK(reader.extents("grid/name").empty());
    CHECK(reader.attribute_numbers("grid", "extent") == std::vector<double>{0, 4});
    CHECK(reader.attribute_texts("grid", "kind") == std::vector<std::string>{"image"});
    CHECK(reader.attribute("grid", "unit") == "cm");
    CHECK(reader.read<double>("same") == std::vector<double>{1, 2});
  }
}

TEST_CASE("format file: without commit there is no file") {
  const test::ScratchFolder folder;
  const std::string path = (folder.path() / "format.h5").string();
  { FormatFile(Communicator::self(), path).write_value("count", Index{1}); }
  CHECK(!std::filesystem::exists(path));
  CHECK(!std::filesystem::exists(path + ".partial"));
  CHECK(test::contains(test::message_of<IoError>([&] {
                         FormatFile file(Communicator::self(), path);
                         file.write_value("count", Index{1});
                         file.write_value("count", Index{2});
                       }),
                       "count"));
}
