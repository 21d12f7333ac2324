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

/// Frame `f`: 100 lines, in rank order.
void append(AppendOnlyFile& text, const Communicator& c, Index f, Index lines = 100) {
  const IndexRange mine = partition({0, lines}, c.size(), c.rank());
  std::string part = c.is_root() ? fmt::format("frame {}\n", f) : std::string();
  for (Index i = mine.first; i < mine.last; ++i) part += fmt::format("{} {}\n", f, i);
  text.append(part);
}
std::string expected(Index frames, Index lines = 100) {
  std::string all;
  for (Index f = 0; f < frames; ++f) {
    all += fmt::format("frame {}\n", f);
    for (Index i = 0; i < lines; ++i) all += fmt::format("{} {}\n", f, i);
  }
  return all;
}

MemoryDatasets::Contents save(AppendOnlyFile& text, const Communicator& c) {
  MemoryDatasets memory(c);
  text.save(memory, "text");
  return memory.contents();
}
void restore(AppendOnlyFile& text, const Communicator& c,
             const MemoryDatasets::Contents& contents) {
  MemoryDatasets memory(c, contents);
  text.restore(memory, "text");
}

}  // namespace

TEST_CASE("append-only file: the same bytes for any number of ranks, interrupted or not") {
  const ScratchFolder folder;
  const std::string path = folder / "run.xyz";
  std::uint64_t digest = 0;
  for (const int ranks : {1, 2, 3, 5}) {
    run_in_process(ranks, [&](const Communicator& c) {
      AppendOnlyFile text(c, path);
      text.start();
      for (Index f = 0; f < 9; ++f) append(text, c, f);
      CHECK(text.finish().empty());
      CHECK(text.finish().empty());
      const std::uint64_t mine = text.digest();
      if (ranks == 1) digest = mine;
      CHECK(mine == digest);
    });
    CHECK(bytes_of(path) == expected(9));
    CHECK(names(folder) == Names{"run.xyz"});
  }
  fs::remove(path);
  MemoryDatasets::Contents saved;
  run_in_process(2, [&](const Communicator& c) {
    AppendOnlyFile text(c, path);
    text.start();
    for (Index f = 0; f < 4; ++f) append(text, c, f);
    const auto contents = save(text, c);
    if (c.is_root()) saved = contents;
    append(text, c, 4);
  });
  CHECK(names(folder) == Names{"run.xyz.part.1"});
  run_in_process(3, [&](const Communicator& c) {
    AppendOnlyFile text(c, path);
    restore(text, c, saved);
    for (Index f = 4; f < 9; ++f) append(text, c, f);
    CHECK(text.finish().empty());
    CHECK(text.digest() == digest);
  });
  CHECK(bytes_of(path) == expected(9));
}

TEST_CASE("append-only file: digests continue over chunks of 1 MiB") {
  const ScratchFolder folder;
  const Communicator self = Communicator::self();
  constexpr Index lines = 100'000;  // 0.8 MB
  std::uint64_t digest = 0;
  {
    AppendOnlyFile text(self, folder / "whole.xyz");
    text.start();
    for (Index f = 0; f < 5; ++f) append(text, self, f, lines);
    digest = text.digest();
    text.finish();
  }
  MemoryDatasets::Contents saved;
  for (Index f = 0; f < 5; ++f) {
    AppendOnlyFile text(self, folder / "parts.xyz");
    f == 0 ? text.start() : restore(text, self, saved);
    append(text, self, f, lines);
    saved = save(text, self);
    if (f == 4) CHECK(text.digest() == digest);
    if (f == 4) text.finish();
  }
  CHECK(bytes_of(folder / "parts.xyz") == bytes_of(folder / "whole.xyz"));
}

TEST_CASE("append-only file: a finished run is continued, other files are kept") {
  const ScratchFolder folder;
  const std::string path = folder / "run.xyz";
  const Communicator self = Communicator::self();
  MemoryDatasets::Contents early, late;
  {
    AppendOnlyFile text(self, path);
    text.start();
    append(text, self, 0);
    early = save(text, self);
    append(text, self, 1);
    text.finish();
    late = save(text, self);  // as if results could not be written
  }
  {
    AppendOnlyFile text(self, path);
    restore(text, self, late);
    CHECK(text.finish().empty());
    CHECK(bytes_of(path) == expected(2));
  }
  {
    AppendOnlyFile text(self, path);
    restore(text, self, early);
    append(text, self, 1);
    append(text, self, 2);
    CHECK(text.finish() == folder / "run.1.xyz");
    append(text, self, 3);
    CHECK(text.finish() == folder / "run.2.xyz");
  }
  CHECK(bytes_of(path) == expected(4));
  CHECK(bytes_of(folder / "run.1.xyz") == expected(2));
  CHECK(bytes_of(folder / "run.2.xyz") == expected(3));
  CHECK(names(folder) == Names{"run.1.xyz", "run.2.xyz", "run.xyz"});
}

TEST_CASE("append-only file: a fresh start keeps files that an unfinished run still needs") {
  const ScratchFolder folder;
  const std::string path = folder / "run.xyz";
  const Communicator self = Communicator::self();
  MemoryDatasets::Contents saved;
  {
    AppendOnlyFile text(self, path);
    text.start();
    append(text, self, 0);
    saved = save(text, self);
  }
  {
    AppendOnlyFile text(self, path);
    text.start();
    append(text, self, 7);
    (void)save(text, self);
    CHECK(names(folder) == Names{"run.xyz.lock", "run.xyz.part.1", "run.xyz.part.2"});
    CHECK(contains(message_of<InputError>([&] { AppendOnlyFile(self, path).start(); }),
                   "another run"));
  }
  {
    AppendOnlyFile text(self, path);
    restore(text, self, saved);
    CHECK(names(folder) == Names{"run.xyz.lock", "run.xyz.part.1"});
  }
  {
    AppendOnlyFile text(self, path);  // ends, as after a failure, before it has two checkpoints
    text.start();
    append(text, self, 8);
    text.keep_foreign_files();
    text.finish();
    CHECK(names(folder) == Names{"run.xyz", "run.xyz.lock", "run.xyz.part.1"});
    std::filesystem::remove(path);
  }
  {
    AppendOnlyFile text(self, path);
    text.start();
    for (int k = 0; k < 3; ++k) (void)save(text, self);
    CHECK(names(folder) == Names{"run.xyz.lock", "run.xyz.part.2"});
  }
  CHECK(contains(message_of<IoError>([&] {
                   AppendOnlyFile text(self, path);
                   restore(text, self, saved);
                 }),
                 "is missing: there is no"));
  std::ofstream(path + ".part.1") << "frame 0\n";
  CHECK(contains(message_of<IoError>([&] {
                   AppendOnlyFile text(self, path);
                   restore(text, self, saved);
                 }),
                 "has 8 of the"));
  std::ofstream(path + ".part.1") << std::string(5000, 'x');
  CHECK(contains(message_of<IoError>([&] {
                   AppendOnlyFile text(self, path);
                   restore(text, self, saved);
                 }),
                 "is not the text that the checkpoint covers"));
}

TEST_CASE("append-only file: the header is written at the end") {
  const ScratchFolder folder;
  const std::string path = folder / "run.bin";
  MemoryDatasets::Contents early, late;
  run_in_process(3, [&](const Communicator& c) {
    AppendOnlyFile text(c, path, 4);
    text.start();
    append(text, c, 0);
    const auto first = save(text, c);
    append(text, c, 1);
    text.finish("two\n");
    const auto second = save(text, c);
    if (!c.is_root()) return;
    early = first;
    late = second;
  });
  CHECK(bytes_of(path) == "two\n" + expected(2));
  const Communicator self = Communicator::self();
  {
    AppendOnlyFile text(self, path, 4);
    restore(text, self, late);
    append(text, self, 2);
    CHECK(text.finish("3rd\n") == folder / "run.1.bin");
  }
  CHECK(bytes_of(path) == "3rd\n" + expected(3));
  CHECK(bytes_of(folder / "run.1.bin") == "two\n" + expected(2));
  {
    AppendOnlyFile text(self, path, 4);
    restore(text, self, early);  // the beginning of the finished file
    append(text, self, 1);
    append(text, self, 2);
    CHECK(text.finish("end\n").empty());
  }
  CHECK(bytes_of(path) == "end\n" + expected(3));
  CHECK(names(folder) == Names{"run.1.bin", "run.bin"});
}
