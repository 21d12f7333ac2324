// One writer at a time, within one process and between processes.

#include "gsim/io/file_lock.hpp"

#include <filesystem>
#include <fstream>
#include <optional>

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gsim/core/error.hpp"
#include "support/scratch_folder.hpp"

using namespace gsim;

TEST_CASE("file lock: a second writer gets an error that names the first") {
  const test::ScratchFolder scratch;
  const std::string path = scratch / "new/folder/run.h5";
  std::optional<FileLock> first(path);
  CHECK(first->is_held());
  CHECK(std::filesystem::exists(path + ".lock"));
  const std::string holder = "process " + std::to_string(::getpid()) + " on ";
  CHECK_THROWS_WITH_AS(FileLock{path}, doctest::Contains(holder.c_str()), InputError);
  CHECK_THROWS_WITH_AS(FileLock{path}, doctest::Contains("is writing"), InputError);
  CHECK(FileLock(scratch / "new/folder/other.h5").is_held());
  first.reset();
  CHECK(!std::filesystem::exists(path + ".lock"));
  CHECK(FileLock(path).is_held());
}

TEST_CASE("file lock: the lock of a killed process is released") {
  const test::ScratchFolder scratch;
  const std::string path = scratch / "run.h5";
  int ready[2];
  REQUIRE(::pipe(ready) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const FileLock lock(path);
    (void)!::write(ready[1], "x", 1);
    ::pause();
    ::_exit(0);
  }
  char byte = 0;
  REQUIRE(::read(ready[0], &byte, 1) == 1);
  CHECK_THROWS_WITH_AS(FileLock{path}, doctest::Contains(std::to_string(child).c_str()),
                       InputError);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  CHECK(std::filesystem::exists(path + ".lock"));
  CHECK(FileLock(path).is_held());
  CHECK(!std::filesystem::exists(path + ".lock"));
  ::close(ready[0]);
  ::close(ready[1]);
}

TEST_CASE("file lock: an error names the lock file if it cannot be created") {
  const test::ScratchFolder scratch;
  std::ofstream(scratch / "file") << "x";
  CHECK_THROWS_WITH_AS(FileLock{scratch / "file/run.h5"}, doctest::Contains("run.h5.lock"),
                       IoError);
}
