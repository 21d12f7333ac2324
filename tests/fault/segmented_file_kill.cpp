// Checks that a run that is killed by kill -9 while it writes frames, segments, checkpoints or the
// joined file, and is resumed each time, ends with every frame once.

#include <chrono>
#include <csignal>
#include <filesystem>
#include <random>
#include <vector>

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gsim/io/checkpoint_file.hpp"
#include "gsim/io/result_file.hpp"
#include "gsim/io/segmented_file.hpp"
#include "support/scratch_folder.hpp"

using namespace gsim;
namespace fs = std::filesystem;

namespace {

const CheckpointIdentity identity{"md", "0.1.0", "77"};
constexpr Index rows = 20'000, frames = 60;

std::int64_t element(Index frame, Index row) { return frame * 1'000'003 + row; }

/// Continues from the newest checkpoint to the end of the run, as `gsim run --resume=auto` does.
void run_to_the_end(const std::string& base) {
  const Communicator self = Communicator::self();
  SegmentedFile file(self, base + ".h5md",
                     {{"value", ElementType::int64, {rows}, IndexRange{0, rows}},
                      {"step", ElementType::int64, {}}},
                     {.buffer_bytes = 500'000, .segment_bytes = 1'500'000});
  Index done = 0;
  if (list_checkpoints(base).empty()) {
    file.start();
  } else {
    const OpenCheckpoint from = open_checkpoint(self, base, identity);
    done = from.units_done;
    file.restore(*from.reader, "trajectory");
  }
  std::vector<std::int64_t> values(static_cast<std::size_t>(rows));
  while (done < frames) {
    for (Index i = 0; i < rows; ++i) values[static_cast<std::size_t>(i)] = element(done, i);
    const void* const frame[] = {values.data(), &done};
    file.append(frame);
    if (++done % 7 == 0) {
      write_checkpoint(self, base, identity, done,
                       [&](DatasetWriter& writer) { file.save(writer, "trajectory"); });
    }
  }
  file.finish([](ObjectWriter& objects) { objects.attribute("h5md", "made", "here"); });
}

/// Runs in a child process that is killed after `microseconds`; returns whether it had finished
/// before.
bool run_and_kill(const std::string& base, unsigned microseconds) {
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    try {
      run_to_the_end(base);
    } catch (...) {
      ::_exit(4);
    }
    ::_exit(0);
  }
  ::usleep(microseconds);
  ::kill(child, SIGKILL);
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  if (WIFEXITED(status)) REQUIRE(WEXITSTATUS(status) == 0);
  return WIFEXITED(status);
}

void check_frames(const std::string& path) {
  ResultReader file(Communicator::self(), path);
  const auto steps = file.read<std::int64_t>("step");
  const auto values = file.read<std::int64_t>("value");
  REQUIRE(steps.size() == static_cast<std::size_t>(frames));
  bool same = true;
  for (Index f = 0; f < frames; ++f) {
    same = same && steps[static_cast<std::size_t>(f)] == f;
    for (Index i = 0; i < rows; ++i)
      same = same && values[static_cast<std::size_t>(f * rows + i)] == element(f, i);
  }
  CHECK(same);
}

}  // namespace

TEST_CASE("after kill -9 at any time a resumed run has every frame once") {
  const test::ScratchFolder scratch;
  const auto start = std::chrono::steady_clock::now();
  run_to_the_end(scratch / "timing");
  const auto span = std::chrono::duration_cast<std::chrono::microseconds>(
                        std::chrono::steady_clock::now() - start)
                        .count();
  check_frames(scratch / "timing.h5md");
  std::mt19937 random(20240607);
  int kills = 0, in_segment = 0, in_join = 0;
  // The time of a kill is random: runs are repeated until enough kills were during the writing of
  // segments.
  for (int run = 0; run < 8 || (run < 80 && (kills <= 8 || in_segment <= 2)); ++run) {
    const std::string base = scratch / ("run" + std::to_string(run));
    // The mean time before a kill grows with each round, so that the run also ends on a slow
    // machine.
    for (int round = 1;; ++round) {
      const auto longest = static_cast<std::uint64_t>(span) * static_cast<std::uint64_t>(round) / 2;
      if (run_and_kill(base, static_cast<unsigned>(random() % longest))) break;
      ++kills;
      in_join += fs::exists(base + ".h5md.partial") || fs::exists(base + ".h5md");
      for (const auto& entry : fs::directory_iterator(scratch.path()))
        in_segment += entry.path().string().find("seg") != std::string::npos &&
                      entry.path().extension() == ".partial";
    }
    check_frames(base + ".h5md");
    for (const auto& entry : fs::directory_iterator(scratch.path()))
      CHECK(entry.path().string().find(".seg.") == std::string::npos);
  }
  CHECK(kills > 8);
  CHECK(in_segment > 2);  // during the writing of a segment
  MESSAGE(kills << " kills, " << in_segment << " in a segment, " << in_join << " in the join");
}
