// Checks that after kill -9 during the writing of checkpoints the newest complete one can be
// opened.

#include <chrono>
#include <csignal>
#include <filesystem>
#include <random>
#include <vector>

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gsim/io/checkpoint_file.hpp"
#include "support/scratch_folder.hpp"

using namespace gsim;

namespace {

const CheckpointIdentity identity{"md", "0.1.0", "77"};
constexpr Index rows = 100'000;

/// The value in `row` of checkpoint number `done`.
std::int64_t element(Index done, Index row) { return done * 1'000'003 + row; }

/// Continues from the newest checkpoint and writes further ones until it is killed. The number of
/// each is written to the file descriptor `report`.
[[noreturn]] void write_until_killed(const std::string& base, int report) {
  const Communicator self = Communicator::self();
  Index done = 0;
  if (!list_checkpoints(base).empty()) done = open_checkpoint(self, base, identity).units_done;
  std::vector<std::int64_t> values(static_cast<std::size_t>(rows));
  for (;;) {
    ++done;
    for (Index i = 0; i < rows; ++i) values[static_cast<std::size_t>(i)] = element(done, i);
    write_checkpoint(self, base, identity, done,
                     [&](DatasetWriter& writer) { writer.write("values", values); });
    if (::write(report, &done, sizeof done) != sizeof done) ::_exit(3);
  }
}

/// Lets a child write for `microseconds`, kills it, and returns the number of the last checkpoint
/// that it reported, or `before` if it reported none.
Index run_and_kill(const std::string& base, unsigned microseconds, Index before) {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    ::close(ends[0]);
    try {
      write_until_killed(base, ends[1]);
    } catch (...) {
      ::_exit(4);
    }
  }
  ::close(ends[1]);
  ::usleep(microseconds);
  ::kill(child, SIGKILL);
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(WIFSIGNALED(status));  // it did not end by itself
  Index done = 0, last = before;
  while (::read(ends[0], &done, sizeof done) == sizeof done) last = done;
  ::close(ends[0]);
  return last;
}

}  // namespace

TEST_CASE("after kill -9 at any time the last complete checkpoint can be opened") {
  const test::ScratchFolder scratch;
  const std::string base = scratch / "run";
  std::mt19937 random(20240607);
  Index written = 0;
  int half_written = 0;
  // The time of a kill is random within the time of about four checkpoints on this disk.
  const auto start = std::chrono::steady_clock::now();
  const std::vector<std::int64_t> values(static_cast<std::size_t>(rows));
  write_checkpoint(Communicator::self(), scratch / "timing", identity, 0,
                   [&](DatasetWriter& writer) { writer.write("values", values); });
  const auto span = std::chrono::duration_cast<std::chrono::microseconds>(
                        std::chrono::steady_clock::now() - start)
                        .count() *
                    4;
  for (int round = 0; round < 40; ++round) {
    written = run_and_kill(base, static_cast<unsigned>(random() % span), written);
    half_written +=
        std::filesystem::exists(base + ".ckpt." + std::to_string(written + 1) + ".partial");
    if (written == 0 && list_checkpoints(base).empty()) continue;
    const OpenCheckpoint opened = open_checkpoint(Communicator::self(), base, identity);
    CHECK(opened.refused.empty());  // no damaged file ever has a final name
    CHECK((opened.units_done == written || opened.units_done == written + 1));
    const auto values = opened.reader->read<std::int64_t>("values");
    REQUIRE(values.size() == static_cast<std::size_t>(rows));
    bool same = true;
    for (Index i = 0; i < rows; ++i) {
      same = same && values[static_cast<std::size_t>(i)] == element(opened.units_done, i);
    }
    CHECK(same);
    written = opened.units_done;
  }
  CHECK(written > 10);      // the child has written checkpoints
  CHECK(half_written > 3);  // and was killed while writing
  MESSAGE(written << " checkpoints written, " << half_written << " kills in the middle of one");
}
