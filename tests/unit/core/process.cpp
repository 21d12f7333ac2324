#include "gsim/core/process.hpp"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace gsim;

TEST_CASE("process_start: the same for a living process, empty for one that is gone") {
  const std::string mine = process_start(::getpid());
  CHECK_FALSE(mine.empty());
  CHECK(mine.find_first_not_of("0123456789") == std::string::npos);
  CHECK(process_start(::getpid()) == mine);
  CHECK(process_start(1) != "");
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  siginfo_t info;
  ::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT);
  CHECK(process_start(child).empty());  // ended, and not waited for
  ::waitpid(child, nullptr, 0);
  CHECK(process_start(child).empty());
}
