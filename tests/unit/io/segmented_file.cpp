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

/// A small trajectory: coordinate `axis` of atom i in frame f is f + (3 i + axis) / 1024.
class Trajectory {
 public:
  Trajectory(const Communicator& c, const std::string& path,
             const SegmentedFileOptions& options = {})
      : communicator(c),
        // the last of several ranks has no atoms
        local_atoms(c.size() == 1 ? IndexRange{0, atoms}
                                  : partition({0, atoms}, c.size() - 1, c.rank() % (c.size() - 1))),
        file(c, path, series(), options) {}

  std::vector<FrameSeries> series() {
    if (communicator.size() > 1 && communicator.rank() == communicator.size() - 1)
      local_atoms = {atoms, atoms};
    return {{"all/position/value", ElementType::float32, {atoms, 3}, local_atoms},
            {"all/position/step", ElementType::int64, {}},
            {"all/charge", ElementType::float64, {atoms}, local_atoms},
            {"box", ElementType::float64, {3, 3}}};
  }
  static float position(Index frame, Index atom, Index axis) {
    return static_cast<float>(frame) + static_cast<float>(atom * 3 + axis) / 1024;
  }
  void append(Index frame) {
    std::vector<float> x;
    std::vector<double> charge, box(9, static_cast<double>(frame) / 2);
    for (Index i = local_atoms.first; i < local_atoms.last; ++i) {
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
  IndexRange local_atoms;
  SegmentedFile file;
};

/// Checks the contents of a file with frames [0, frames) of the trajectory.
void check_frames(const std::string& path, Index frames) {
  ResultReader file(Communicator::self(), path);
  const auto steps = file.read<Index>("all/position/step");
  REQUIRE(steps.size() == static_cast<std::size_t>(frames));
  const auto x = file.read<float>("all/position/value");
  const auto charge = file.read<double>("all/charge");
  const auto box = file.read<double>("box");
  CHECK(box.size() == static_cast<std::size_t>(frames * 9));
  bool is_equal = true;
  std::size_t next = 0;
  for (Index f = 0; f < frames; ++f) {
    is_equal = is_equal && steps[static_cast<std::size_t>(f)] == f * 10;
    is_equal = is_equal && box[static_cast<std::size_t>(f * 9 + 8)] == static_cast<double>(f) / 2;
    for (Index i = 0; i < atoms; ++i) {
      is_equal = is_equal && charge[static_cast<std::size_t>(f * atoms + i)] ==
                                 static_cast<double>(f * 100 + i);
      for (Index a = 0; a < 3; ++a)
        is_equal = is_equal && x[next++] == Trajectory::position(f, i, a);
    }
  }
  CHECK(is_equal);
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
      std::uint64_t digest_of_run = 0;
      run_in_process(ranks, [&](const Communicator& c) {
        Trajectory trajectory(c, path, {buffer, std::size_t{2000}});
        trajectory.file.start();
        trajectory.append(0, 7);
        (void)trajectory.save();
        (void)trajectory.save();  // without new frames no segment is written
        trajectory.append(7, 20);
        CHECK(trajectory.finish().empty());
        CHECK(trajectory.file.frames() == 20);
        const std::uint64_t local_digest = trajectory.file.digest();
        if (c.is_root()) digest_of_run = local_digest;
        CHECK(c.min(static_cast<std::int64_t>(local_digest)) ==
              c.max(static_cast<std::int64_t>(local_digest)));
      });
      check_frames(path, 20);
      if (bytes.empty()) bytes = bytes_of(path), digest = digest_of_run;
      CHECK(bytes_of(path) == bytes);
      CHECK(digest_of_run == digest);
      fs::remove(path);
    }
  CHECK(names(folder) == Names{});
}

TEST_CASE("segmented file: a resumed run has no missing or duplicate frame") {
  const ScratchFolder folder;
  const std::string path = folder / "run.h5";
  MemoryDatasets::Contents saved;
  run_in_process(2, [&](const Communicator& c) {
    Trajectory trajectory(c, path);
    trajectory.file.start();
    trajectory.append(0, 3);
    (void)trajectory.save();
    trajectory.append(3, 5);
    const auto contents = trajectory.save();
    if (c.is_root()) saved = contents;
    trajectory.append(5, 9);
    (void)trajectory.save();         // a checkpoint that is damaged later
    trajectory.append(9, 12);        // and frames that no checkpoint covers
    (void)trajectory.file.digest();  // writes them to disk
  });
  CHECK(names(folder) == Names{"run.h5.seg.1", "run.h5.seg.2", "run.h5.seg.3"});
  std::ofstream(path + ".seg.4.partial") << "half-written";
  for (const int ranks : {3, 1, 5}) {  // all three runs resume from the same checkpoint
    run_in_process(ranks, [&](const Communicator& c) {
      Trajectory trajectory(c, path);
      trajectory.restore(saved);
      CHECK(trajectory.file.frames() == 5);
      trajectory.append(5, 8);
      if (ranks == 5) trajectory.finish();
    });
    if (ranks != 5) CHECK(names(folder) == Names{"run.h5.seg.1", "run.h5.seg.2"});
  }
  CHECK(names(folder) == Names{"run.h5"});
  check_frames(path, 8);
}

TEST_CASE("segmented file: a finished run is continued from its joined file") {
  const ScratchFolder folder;
  const std::string path = folder / "run.h5md";
  MemoryDatasets::Contents after_frame_6, after_finish;
  run_in_process(2, [&](const Communicator& c) {
    Trajectory trajectory(c, path);
    trajectory.file.start();
    trajectory.append(0, 4);
    (void)trajectory.save();
    trajectory.append(4, 6);
    const auto first = trajectory.save();
    trajectory.append(6, 10);
    trajectory.finish();
    CHECK(trajectory.finish().empty());
    // A checkpoint after the end, as when the results cannot be written.
    const auto second = trajectory.save();
    if (c.is_root()) after_frame_6 = first, after_finish = second;
  });
  const std::string bytes = bytes_of(path);
  run_in_process(3, [&](const Communicator& c) {
    Trajectory trajectory(c, path);
    trajectory.restore(after_finish);
    CHECK(trajectory.finish().empty());
  });
  CHECK(names(folder) == Names{"run.h5md"});
  CHECK(bytes_of(path) == bytes);
  run_in_process(3, [&](const Communicator& c) {  // the last frames are computed again
    Trajectory trajectory(c, path);
    trajectory.restore(after_frame_6);
    trajectory.append(6, 10);
    CHECK(trajectory.finish().empty());
  });
  CHECK(names(folder) == Names{"run.h5md"});
  CHECK(bytes_of(path) == bytes);
  run_in_process(1, [&](const Communicator& c) {  // a run with more frames than the finished one
    Trajectory trajectory(c, path);
    trajectory.restore(after_frame_6);
    trajectory.append(6, 7);
    const auto after_frame_7 = trajectory.save();
    Trajectory other_file(c, path + "x");  // never started: it writes no file
    trajectory.append(7, 13);
    CHECK(trajectory.finish() == folder / "run.1.h5md");
    trajectory.append(13);  // the run is continued after its end
    CHECK(trajectory.finish() == folder / "run.2.h5md");
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
    Trajectory trajectory(self, path);
    trajectory.file.start();
    trajectory.append(0, 3);
    first_run = trajectory.save();
  }
  {
    Trajectory trajectory(self, path);
    trajectory.file.start();
    trajectory.append(50, 52);
    (void)trajectory.save();
    CHECK(names(folder) == Names{"run.h5.lock", "run.h5.seg.1", "run.h5.seg.2"});
  }
  {
    Trajectory trajectory(self, path);
    trajectory.restore(first_run);
    CHECK(names(folder) == Names{"run.h5.lock", "run.h5.seg.1"});
    trajectory.append(3);
  }
  {
    Trajectory trajectory(self, path);
    trajectory.file.start();
    for (Index f = 0; f < 3; ++f) {
      trajectory.append(f);
      (void)trajectory.save();
    }
    CHECK(names(folder) == Names{"run.h5.lock", "run.h5.seg.2", "run.h5.seg.3", "run.h5.seg.4"});
    trajectory.finish();
  }
  check_frames(path, 3);
  {
    Trajectory trajectory(self, path);
    trajectory.file.start();
    trajectory.append(0, 2);
    first_run = trajectory.save();
  }
  {
    // This run ends, as after a failure, before it has two checkpoints of its own.
    Trajectory trajectory(self, path);
    trajectory.file.start();
    trajectory.append(60, 61);
    (void)trajectory.save();
    trajectory.file.keep_files_of_other_runs();
    CHECK(trajectory.finish() == folder / "run.1.h5");
    CHECK(names(folder) == Names{"run.1.h5", "run.h5", "run.h5.lock", "run.h5.seg.1"});
  }
  {
    Trajectory trajectory(self, path);
    trajectory.restore(first_run);
    trajectory.append(2);
    CHECK(trajectory.finish() == folder / "run.2.h5");
  }
  check_frames(path, 3);
  std::filesystem::remove(folder / "run.1.h5");
  Trajectory without_frames(self, path);
  without_frames.file.start();
  CHECK(without_frames.finish() == folder / "run.1.h5");  // a file without frames differs
  check_frames(path, 0);
}

TEST_CASE("segmented file: invalid arguments and damaged files are errors") {
  const ScratchFolder folder;
  const std::string path = folder / "run.h5";
  const Communicator self = Communicator::self();
  MemoryDatasets::Contents saved;
  {
    Trajectory trajectory(self, path);
    trajectory.file.start();
    CHECK(contains(message_of<InputError>([&] { Trajectory(self, path).file.start(); }),
                   "another run"));
    trajectory.append(0, 3);
    (void)trajectory.save();
    trajectory.append(3);
    saved = trajectory.save();
  }
  fs::rename(path + ".seg.1", path + ".away");
  CHECK(contains(message_of<IoError>([&] { Trajectory(self, path).restore(saved); }),
                 "run.h5.seg.1 is not there; restore that file"));
  fs::copy_file(path + ".seg.2", path + ".seg.1");
  CHECK(contains(message_of<IoError>([&] { Trajectory(self, path).restore(saved); }),
                 "run.h5.seg.1 has 1 frames, not 3"));
  fs::remove(path + ".seg.1");
  {
    Trajectory trajectory(self, folder / "other.h5");
    trajectory.file.start();
    trajectory.append(20, 23);
    (void)trajectory.save();
  }
  fs::rename(folder / "other.h5.seg.1", path + ".seg.1");
  CHECK(contains(message_of<IoError>([&] { Trajectory(self, path).restore(saved); }),
                 "run.h5.seg.1 has the frames of another run"));
  std::ofstream(path) << "text of the user";
  CHECK(contains(message_of<InputError>([&] { Trajectory(self, path).file.start(); }),
                 "exists and was not written by gsim; move it away"));
  CHECK_THROWS_AS(check_replaceable(folder.path().string()), InputError);
}
