#include "gsim/io/segmented_file.hpp"

#include <filesystem>
#include <fstream>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/io/memory_datasets.hpp"
#include "gsim/io/result_file.hpp"
#include "support/folder_contents.hpp"
#include "support/messages.hpp"

using namespace gsim;
using namespace gsim::test;
namespace fs = std::filesystem;

namespace {

constexpr Index atoms = 11;

/// A toy trajectory: particle i of frame f is at f + i / 1000.
class Toy {
 public:
  Toy(const Communicator& c, const std::string& path, const SegmentedFileOptions& options = {})
      : communicator(c),
        // the middle rank has most rows, the last one none
        mine(c.size() == 1 ? IndexRange{0, atoms}
                           : partition({0, atoms}, c.size() - 1, c.rank() % (c.size() - 1))),
        file(c, path, series(), options) {}

  std::vector<FrameSeries> series() {
    if (communicator.size() > 1 && communicator.rank() == communicator.size() - 1)
      mine = {atoms, atoms};
    return {{"all/position/value", ElementType::float32, {atoms, 3}, mine},
            {"all/position/step", ElementType::int64, {}},
            {"all/charge", ElementType::float64, {atoms}, mine},
            {"box", ElementType::float64, {3, 3}}};
  }
  static float position(Index frame, Index atom, Index axis) {
    return static_cast<float>(frame) + static_cast<float>(atom * 3 + axis) / 1024;
  }
  void append(Index frame) {
    std::vector<float> x;
    std::vector<double> charge, box(9, static_cast<double>(frame) / 2);
    for (Index i = mine.first; i < mine.last; ++i) {
      for (Index a = 0; a < 3; ++a) x.push_back(position(frame, i, a));
      charge.push_back(static_cast<double>(frame * 100 + i));
    }
    const Index step = frame * 10;
    if (!communicator.is_root()) box.assign(9, -1);  // the copy of rank 0 is written
    const void* values[] = {x.data(), &step, charge.data(), box.data()};
    file.append(values);
  }
  void append(Index first, Index last) {
    for (Index f = first; f < last; ++f) append(f);
  }
  std::string finish() {
    return file.finish([](ObjectWriter& objects) {
      objects.set("format", "version", std::vector<Index>{1, 1});
      objects.set("format", "name", FixedLengthString{"toy"});
      objects.set("format", "words", std::vector<std::string>{"periodic", "none"});
      objects.set("format", "dimension", Index{3});
      objects.set("format", "origin", std::vector<double>{0, 0.5});
      objects.set("format", "all", ObjectReference{"all"});
      objects.link("steps", "all/position/step");
      objects.attribute("box", "unit", "nm");
      objects.write("fixed", std::vector<double>{1, 2, 3});
    });
  }
  MemoryDatasets::Contents save() {
    MemoryDatasets memory(communicator);
    file.save(memory, "toy");
    return memory.contents();
  }
  void restore(const MemoryDatasets::Contents& contents) {
    MemoryDatasets memory(communicator, contents);
    file.restore(memory, "toy");
  }

  Communicator communicator;
  IndexRange mine;
  SegmentedFile file;
};

/// Checks the contents of a file with frames [0, frames) of the toy trajectory.
void check_frames(const std::string& path, Index frames) {
  ResultReader file(Communicator::self(), path);
  const auto steps = file.read<Index>("all/position/step");
  REQUIRE(steps.size() == static_cast<std::size_t>(frames));
  const auto x = file.read<float>("all/position/value");
  const auto charge = file.read<double>("all/charge");
  const auto box = file.read<double>("box");
  CHECK(box.size() == static_cast<std::size_t>(frames * 9));
  bool same = true;
  std::size_t at = 0;
  for (Index f = 0; f < frames; ++f) {
    same = same && steps[static_cast<std::size_t>(f)] == f * 10;
    same = same && box[static_cast<std::size_t>(f * 9 + 8)] == static_cast<double>(f) / 2;
    for (Index i = 0; i < atoms; ++i) {
      same = same &&
             charge[static_cast<std::size_t>(f * atoms + i)] == static_cast<double>(f * 100 + i);
      for (Index a = 0; a < 3; ++a) same = same && x[at++] == Toy::position(f, i, a);
    }
  }
  CHECK(same);
  CHECK(file.read<Index>("steps") == steps);
  CHECK(file.attribute("box", "unit") == "nm");
}

}  // namespace

TEST_CASE("segmented file: the same bytes for any number of ranks, buffers and segments") {
  const ScratchFolder folder;
  std::string bytes;
  std::uint64_t digest = 0;
  for (const int ranks : {1, 2, 3, 5})
    for (const std::size_t buffer : {std::size_t{1}, std::size_t{1000}, std::size_t{1} << 20}) {
      const std::string path = folder / fmt::format("{}-{}.h5", ranks, buffer);
      std::uint64_t found = 0;
      run_in_process(ranks, [&](const Communicator& c) {
        Toy toy(c, path, {buffer, std::size_t{2000}});
        toy.file.start();
        toy.append(0, 7);
        (void)toy.save();
        (void)toy.save();  // nothing new: no segment
        toy.append(7, 20);
        CHECK(toy.finish().empty());
        CHECK(toy.file.frames() == 20);
        const std::uint64_t mine = toy.file.digest();
        if (c.is_root()) found = mine;
        CHECK(c.min(static_cast<std::int64_t>(mine)) == c.max(static_cast<std::int64_t>(mine)));
      });
      check_frames(path, 20);
      if (bytes.empty()) bytes = bytes_of(path), digest = found;
      CHECK(bytes_of(path) == bytes);
      CHECK(found == digest);
      fs::remove(path);
    }
  CHECK(names(folder) == Names{});
}

TEST_CASE("segmented file: a resumed run has no missing or duplicate frame") {
  const ScratchFolder folder;
  const std::string path = folder / "run.h5";
  MemoryDatasets::Contents saved;
  run_in_process(2, [&](const Communicator& c) {
    Toy toy(c, path);
    toy.file.start();
    toy.append(0, 3);
    (void)toy.save();
    toy.append(3, 5);
    const auto contents = toy.save();
    if (c.is_root()) saved = contents;
    toy.append(5, 9);
    (void)toy.save();         // a checkpoint that is damaged later
    toy.append(9, 12);        // and frames that no checkpoint covers
    (void)toy.file.digest();  // writes them to disk
  });
  CHECK(names(folder) == Names{"run.h5.seg.1", "run.h5.seg.2", "run.h5.seg.3"});
  std::ofstream(path + ".seg.4.partial") << "half-written";
  for (const int ranks : {3, 1, 5}) {  // each time from the same checkpoint
    run_in_process(ranks, [&](const Communicator& c) {
      Toy toy(c, path);
      toy.restore(saved);
      CHECK(toy.file.frames() == 5);
      toy.append(5, 8);
      if (ranks == 5) toy.finish();
    });
    if (ranks != 5) CHECK(names(folder) == Names{"run.h5.seg.1", "run.h5.seg.2"});
  }
  CHECK(names(folder) == Names{"run.h5"});
  check_frames(path, 8);
}

TEST_CASE("segmented file: a finished run is continued from its joined file") {
  const ScratchFolder folder;
  const std::string path = folder / "run.h5md";
  MemoryDatasets::Contents early, late;
  run_in_process(2, [&](const Communicator& c) {
    Toy toy(c, path);
    toy.file.start();
    toy.append(0, 4);
    (void)toy.save();
    toy.append(4, 6);
    const auto first = toy.save();
    toy.append(6, 10);
    toy.finish();
    CHECK(toy.finish().empty());
    const auto second = toy.save();  // as if results could not be written
    if (c.is_root()) early = first, late = second;
  });
  const std::string bytes = bytes_of(path);
  run_in_process(3, [&](const Communicator& c) {
    Toy toy(c, path);
    toy.restore(late);
    CHECK(toy.finish().empty());
  });
  CHECK(names(folder) == Names{"run.h5md"});
  CHECK(bytes_of(path) == bytes);
  run_in_process(3, [&](const Communicator& c) {  // the same end, computed again
    Toy toy(c, path);
    toy.restore(early);
    toy.append(6, 10);
    CHECK(toy.finish().empty());
  });
  CHECK(names(folder) == Names{"run.h5md"});
  CHECK(bytes_of(path) == bytes);
  run_in_process(1, [&](const Communicator& c) {  // and a longer run
    Toy toy(c, path);
    toy.restore(early);
    toy.append(6, 7);
    const auto between = toy.save();
    Toy other(c, path + "x");
    toy.append(7, 13);
    CHECK(toy.finish() == folder / "run.1.h5md");
    toy.append(13);  // and longer still
    CHECK(toy.finish() == folder / "run.2.h5md");
  });
  check_frames(path, 14);
  check_frames(folder / "run.1.h5md", 10);
  check_frames(folder / "run.2.h5md", 13);
  CHECK(names(folder) == Names{"run.1.h5md", "run.2.h5md", "run.h5md"});
}

TEST_CASE("segmented file: a new run keeps the files that an unfinished run needs") {
  const ScratchFolder folder;
  const std::string path = folder / "run.h5";
  const Communicator self = Communicator::self();
  MemoryDatasets::Contents first_run;
  {
    Toy toy(self, path);
    toy.file.start();
    toy.append(0, 3);
    first_run = toy.save();
  }
  {
    Toy toy(self, path);
    toy.file.start();
    toy.append(50, 52);
    (void)toy.save();
    CHECK(names(folder) == Names{"run.h5.lock", "run.h5.seg.1", "run.h5.seg.2"});
  }
  {
    Toy toy(self, path);
    toy.restore(first_run);
    CHECK(names(folder) == Names{"run.h5.lock", "run.h5.seg.1"});
    toy.append(3);
  }
  {
    Toy toy(self, path);
    toy.file.start();
    for (Index f = 0; f < 3; ++f) {
      toy.append(f);
      (void)toy.save();
    }
    CHECK(names(folder) == Names{"run.h5.lock", "run.h5.seg.2", "run.h5.seg.3", "run.h5.seg.4"});
    toy.finish();
  }
  check_frames(path, 3);
  {
    Toy toy(self, path);
    toy.file.start();
    toy.append(0, 2);
    first_run = toy.save();
  }
  {
    Toy toy(self, path);  // ends, as after a failure, before it has two checkpoints of its own
    toy.file.start();
    toy.append(60, 61);
    (void)toy.save();
    toy.file.keep_foreign_files();
    CHECK(toy.finish() == folder / "run.1.h5");
    CHECK(names(folder) == Names{"run.1.h5", "run.h5", "run.h5.lock", "run.h5.seg.1"});
  }
  {
    Toy toy(self, path);
    toy.restore(first_run);
    toy.append(2);
    CHECK(toy.finish() == folder / "run.2.h5");
  }
  check_frames(path, 3);
  std::filesystem::remove(folder / "run.1.h5");
  Toy empty(self, path);
  empty.file.start();
  CHECK(empty.finish() == folder / "run.1.h5");  // a file without frames differs
  check_frames(path, 0);
}

TEST_CASE("segmented file: invalid arguments and damaged files are errors") {
  const ScratchFolder folder;
  const std::string path = folder / "run.h5";
  const Communicator self = Communicator::self();
  MemoryDatasets::Contents saved;
  {
    Toy toy(self, path);
    toy.file.start();
    CHECK(contains(message_of<InputError>([&] { Toy(self, path).file.start(); }), "another run"));
    toy.append(0, 3);
    (void)toy.save();
    toy.append(3);
    saved = toy.save();
  }
  fs::rename(path + ".seg.1", path + ".away");
  CHECK(contains(message_of<IoError>([&] { Toy(self, path).restore(saved); }),
                 "run.h5.seg.1 is not there; put that back"));
  fs::copy_file(path + ".seg.2", path + ".seg.1");
  CHECK(contains(message_of<IoError>([&] { Toy(self, path).restore(saved); }),
                 "run.h5.seg.1 has 1 frames, not 3"));
  fs::remove(path + ".seg.1");
  {
    Toy toy(self, folder / "other.h5");
    toy.file.start();
    toy.append(20, 23);
    (void)toy.save();
  }
  fs::rename(folder / "other.h5.seg.1", path + ".seg.1");
  CHECK(contains(message_of<IoError>([&] { Toy(self, path).restore(saved); }),
                 "run.h5.seg.1 has the frames of another run"));
  std::ofstream(path) << "my thesis";
  CHECK(contains(message_of<InputError>([&] { Toy(self, path).file.start(); }),
                 "exists and was not written by gsim; move it away"));
  CHECK_THROWS_AS(check_replaceable(folder.path().string()), InputError);
}
