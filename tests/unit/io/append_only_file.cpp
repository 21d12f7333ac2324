#include "gsim/io/append_only_file.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/io/memory_datasets.hpp"
#include "support/folder_contents.hpp"
#include "support/messages.hpp"

using namespace gsim;
using namespace gsim::test;
namespace fs = std::filesystem;

namespace {

/// Appends frame `f` of `lines` lines, which are divided among the ranks in order.
void append(AppendOnlyFile& file, const Communicator& c, Index f, Index lines = 100) {
  const IndexRange own_range = partition({0, lines}, c.size(), c.rank());
  std::string part = c.is_root() ? fmt::format("frame {}\n", f) : std::string();
  for (Index i = own_range.first; i < own_range.last; ++i) part += fmt::format("{} {}\n", f, i);
  file.append(part);
}
std::string expected(Index frames, Index lines = 100) {
  std::string text;
  for (Index f = 0; f < frames; ++f) {
    text += fmt::format("frame {}\n", f);
    for (Index i = 0; i < lines; ++i) text += fmt::format("{} {}\n", f, i);
  }
  return text;
}

MemoryDatasets::Contents save(AppendOnlyFile& file, const Communicator& c) {
  MemoryDatasets memory(c);
  file.save(memory, "text");
  return memory.contents();
}
void restore(AppendOnlyFile& file, const Communicator& c,
             const MemoryDatasets::Contents& contents) {
  MemoryDatasets memory(c, contents);
  file.restore(memory, "text");
}

}  // namespace

TEST_CASE("append-only file: the same bytes for any number of ranks, interrupted or not") {
  const ScratchFolder folder;
  const std::string path = folder / "run.xyz";
  std::uint64_t digest = 0;
  for (const int ranks : {1, 2, 3, 5}) {
    run_in_process(ranks, [&](const Communicator& c) {
      AppendOnlyFile file(c, path);
      file.start();
      for (Index f = 0; f < 9; ++f) append(file, c, f);
      CHECK(file.finish().empty());
      CHECK(file.finish().empty());
      const std::uint64_t own_digest = file.digest();
      if (ranks == 1) digest = own_digest;
      CHECK(own_digest == digest);
    });
    CHECK(bytes_of(path) == expected(9));
    CHECK(names(folder) == Names{"run.xyz"});
  }
  fs::remove(path);
  MemoryDatasets::Contents saved;
  run_in_process(2, [&](const Communicator& c) {
    AppendOnlyFile file(c, path);
    file.start();
    for (Index f = 0; f < 4; ++f) append(file, c, f);
    const auto contents = save(file, c);
    if (c.is_root()) saved = contents;
    append(file, c, 4);
  });
  CHECK(names(folder) == Names{"run.xyz.part.1"});
  run_in_process(3, [&](const Communicator& c) {
    AppendOnlyFile file(c, path);
    restore(file, c, saved);
    for (Index f = 4; f < 9; ++f) append(file, c, f);
    CHECK(file.finish().empty());
    CHECK(file.digest() == digest);
  });
  CHECK(bytes_of(path) == expected(9));
}

TEST_CASE("append-only file: digests continue over chunks of 1 MiB") {
  const ScratchFolder folder;
  const Communicator self = Communicator::self();
  constexpr Index lines = 100'000;  // 0.8 MB
  std::uint64_t digest = 0;
  {
    AppendOnlyFile file(self, folder / "whole.xyz");
    file.start();
    for (Index f = 0; f < 5; ++f) append(file, self, f, lines);
    digest = file.digest();
    file.finish();
  }
  MemoryDatasets::Contents saved;
  for (Index f = 0; f < 5; ++f) {
    AppendOnlyFile file(self, folder / "parts.xyz");
    f == 0 ? file.start() : restore(file, self, saved);
    append(file, self, f, lines);
    saved = save(file, self);
    if (f == 4) CHECK(file.digest() == digest);
    if (f == 4) file.finish();
  }
  CHECK(bytes_of(folder / "parts.xyz") == bytes_of(folder / "whole.xyz"));
}

TEST_CASE("append-only file: a finished run is continued, and previous files are kept") {
  const ScratchFolder folder;
  const std::string path = folder / "run.xyz";
  const Communicator self = Communicator::self();
  MemoryDatasets::Contents early, late;
  {
    AppendOnlyFile file(self, path);
    file.start();
    append(file, self, 0);
    early = save(file, self);
    append(file, self, 1);
    file.finish();
    late = save(file, self);  // as when the results cannot be written after the file is finished
  }
  {
    AppendOnlyFile file(self, path);
    restore(file, self, late);
    CHECK(file.finish().empty());
    CHECK(bytes_of(path) == expected(2));
  }
  {
    AppendOnlyFile file(self, path);
    restore(file, self, early);
    append(file, self, 1);
    append(file, self, 2);
    CHECK(file.finish() == folder / "run.1.xyz");
    append(file, self, 3);
    CHECK(file.finish() == folder / "run.2.xyz");
  }
  CHECK(bytes_of(path) == expected(4));
  CHECK(bytes_of(folder / "run.1.xyz") == expected(2));
  CHECK(bytes_of(folder / "run.2.xyz") == expected(3));
  CHECK(names(folder) == Names{"run.1.xyz", "run.2.xyz", "run.xyz"});
}

TEST_CASE("append-only file: a new run keeps the files that an unfinished run needs") {
  const ScratchFolder folder;
  const std::string path = folder / "run.xyz";
  const Communicator self = Communicator::self();
  MemoryDatasets::Contents saved;
  {
    AppendOnlyFile file(self, path);
    file.start();
    append(file, self, 0);
    saved = save(file, self);
  }
  {
    AppendOnlyFile file(self, path);
    file.start();
    append(file, self, 7);
    (void)save(file, self);
    CHECK(names(folder) == Names{"run.xyz.lock", "run.xyz.part.1", "run.xyz.part.2"});
    CHECK(contains(message_of<InputError>([&] { AppendOnlyFile(self, path).start(); }),
                   "another run"));
  }
  {
    AppendOnlyFile file(self, path);
    restore(file, self, saved);
    CHECK(names(folder) == Names{"run.xyz.lock", "run.xyz.part.1"});
  }
  {
    AppendOnlyFile file(self, path);  // ends, as after a failure, before it has two checkpoints
    file.start();
    append(file, self, 8);
    file.keep_files_of_other_runs();
    file.finish();
    CHECK(names(folder) == Names{"run.xyz", "run.xyz.lock", "run.xyz.part.1"});
    std::filesystem::remove(path);
  }
  {
    AppendOnlyFile file(self, path);
    file.start();
    for (int k = 0; k < 3; ++k) (void)save(file, self);
    CHECK(names(folder) == Names{"run.xyz.lock", "run.xyz.part.2"});
  }
  CHECK(contains(message_of<IoError>([&] {
                   AppendOnlyFile file(self, path);
                   restore(file, self, saved);
                 }),
                 "is missing: there is no"));
  std::ofstream(path + ".part.1") << "frame 0\n";
  CHECK(contains(message_of<IoError>([&] {
                   AppendOnlyFile file(self, path);
                   restore(file, self, saved);
                 }),
                 "has 8 of the"));
  std::ofstream(path + ".part.1") << std::string(5000, 'x');
  CHECK(contains(message_of<IoError>([&] {
                   AppendOnlyFile file(self, path);
                   restore(file, self, saved);
                 }),
                 "is not the text that the checkpoint covers"));
}

TEST_CASE("append-only file: the header is written at the end") {
  const ScratchFolder folder;
  const std::string path = folder / "run.bin";
  MemoryDatasets::Contents early, late;
  run_in_process(3, [&](const Communicator& c) {
    AppendOnlyFile file(c, path, 4);
    file.start();
    append(file, c, 0);
    const auto first = save(file, c);
    append(file, c, 1);
    file.finish("two\n");
    const auto second = save(file, c);
    if (!c.is_root()) return;
    early = first;
    late = second;
  });
  CHECK(bytes_of(path) == "two\n" + expected(2));
  const Communicator self = Communicator::self();
  {
    AppendOnlyFile file(self, path, 4);
    restore(file, self, late);
    append(file, self, 2);
    CHECK(file.finish("3rd\n") == folder / "run.1.bin");
  }
  CHECK(bytes_of(path) == "3rd\n" + expected(3));
  CHECK(bytes_of(folder / "run.1.bin") == "two\n" + expected(2));
  {
    AppendOnlyFile file(self, path, 4);
    restore(file, self, early);  // the beginning of the finished file
    append(file, self, 1);
    append(file, self, 2);
    CHECK(file.finish("end\n").empty());
  }
  CHECK(bytes_of(path) == "end\n" + expected(3));
  CHECK(names(folder) == Names{"run.1.bin", "run.bin"});
}
