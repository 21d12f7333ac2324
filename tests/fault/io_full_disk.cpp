// Tests of a full disk: a small tmpfs that the test mounts in a mount namespace of its own.

#include <filesystem>
#include <fstream>
#include <vector>

#include <doctest/doctest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gsim/core/error.hpp"
#include "gsim/io/checkpoint_file.hpp"
#include "gsim/io/result_file.hpp"
#include "support/scratch_folder.hpp"

using namespace gsim;

namespace {

constexpr int no_mounts = 77;  // exit status of the child process

/// Runs `body` in a child process with a tmpfs of 6 MiB mounted at `folder`. Returns the exit
/// status of the child: the result of `body`, or no_mounts if this machine forbids mounts.
int with_small_disk(const std::string& folder, const std::function<int()>& body) {
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    const bool has_own_mounts =
        ::unshare(CLONE_NEWNS) == 0 || ::unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0;
    if (!has_own_mounts || ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        ::mount("tmpfs", folder.c_str(), "tmpfs", 0, "size=6m") != 0) {
      ::_exit(no_mounts);
    }
    int result = 99;
    try {
      result = body();
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s\n", error.what());
    }
    std::exit(result);  // runs HDF5's clean-up at exit, which must not crash
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  REQUIRE(WIFEXITED(status));
  return WEXITSTATUS(status);
}

bool reports_full_disk(const std::function<void()>& body) {
  try {
    body();
  } catch (const IoError& error) {
    return std::string(error.what()).find("no space left on device") != std::string::npos;
  }
  return false;
}

/// Writes checkpoints and results until the disk is full. Returns the number of the first
/// expectation that does not hold, 0 if all hold.
int fill_the_disk(const std::string& folder, int ranks) {
  const CheckpointIdentity identity{"md", "0.1.0", "77"};
  int failed_step = 0;
  run_in_process(ranks, [&](Communicator c) {
    const auto expect = [&](bool holds, int step) {
      if (c.any(!holds) && c.is_root() && failed_step == 0) failed_step = step;
    };
    const auto checkpoint = [&](Index done, std::size_t megabytes) {
      const std::vector<std::uint8_t> state(megabytes << 20, static_cast<std::uint8_t>(done));
      write_checkpoint(c, folder + "/run", identity, done,
                       [&](DatasetWriter& writer) { writer.write("state", state); });
    };
    checkpoint(1, 2);
    expect(reports_full_disk([&] { checkpoint(2, 8); }), 1);  // larger than the disk
    expect(reports_full_disk([&] { checkpoint(2, 4); }), 2);  // larger than the remaining space
    expect(list_checkpoints(folder + "/run").size() == 1, 3);
    expect(!std::filesystem::exists(folder + "/run.ckpt.2.partial"), 4);
    expect(open_checkpoint(c, folder + "/run", identity).units_done == 1, 5);
    expect(reports_full_disk([&] {
             ResultFile file(c, folder + "/run.h5");
             for (int i = 0; i < 9; ++i) {
               file.write("d" + std::to_string(i), std::vector<std::uint8_t>(1 << 20));
             }
             file.commit();
           }),
           6);
    c.barrier();
    expect(!std::filesystem::exists(folder + "/run.h5.partial"), 7);
    if (c.is_root()) {  // fills the remaining space
      std::ofstream filler(folder + "/filler", std::ios::binary);
      while (filler.put('x')) {
      }
    }
    c.barrier();
    expect(reports_full_disk([&] { checkpoint(2, 1); }), 8);
    expect(open_checkpoint(c, folder + "/run", identity).units_done == 1, 9);
    if (c.is_root()) std::filesystem::remove(folder + "/filler");
    c.barrier();
    checkpoint(2, 2);
    expect(open_checkpoint(c, folder + "/run", identity).units_done == 2, 10);
  });
  return failed_step;
}

}  // namespace

TEST_CASE("a full disk is reported as such, and earlier checkpoints stay usable") {
  for (const int ranks : {1, 3}) {
    const test::ScratchFolder scratch;
    const std::string folder = scratch.path().string();
    const int failed_step = with_small_disk(folder, [&] { return fill_the_disk(folder, ranks); });
    if (failed_step == no_mounts) {
      MESSAGE("SKIP: this machine allows no mounts (file size limits are tested in tests/mpi)");
      return;
    }
    CHECK(failed_step == 0);
  }
}
