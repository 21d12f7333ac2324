#include "last_words.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>

#include <fmt/format.h>
#include <unistd.h>

#include "app.hpp"

namespace gsim::app {
namespace {

const Communicator* all_ranks = nullptr;
std::terminate_handler former_terminate = nullptr;
std::array<char, 512> plugins{};  // a crashing process can neither allocate nor format

constexpr std::array crashes{SIGSEGV, SIGBUS, SIGILL, SIGFPE};

std::string in_words(const std::exception_ptr& thrown) {
  if (!thrown) return "without an exception";
  try {
    std::rethrow_exception(thrown);
  } catch (const std::exception& e) {
    return e.what();
  } catch (...) {
    return "something that is no error";
  }
}

[[noreturn]] void end_at_once() {
  std::string message =
      fmt::format("an exception left a place that none may leave, such as a destructor: {}",
                  in_words(std::current_exception()));
  if (plugins[0] != 0) message += fmt::format("; plugins loaded: {}", plugins.data());
  end_all_ranks(*all_ranks, message, static_cast<int>(ExitCode::failure));
}

/// Only what may be called in a signal handler.
void write_out(const char* text) {
  const ssize_t written = write(STDERR_FILENO, text, std::strlen(text));
  static_cast<void>(written);  // nothing is left to be done
}

extern "C" void tell_crash(int number) {
  write_out(number == SIGSEGV || number == SIGBUS
                ? "error: the process crashed: it used memory that it does not have"
                : "error: the process crashed: it computed what no processor can");
  if (plugins[0] != 0) {
    write_out("; plugins loaded: ");
    write_out(plugins.data());
  } else {
    write_out("; please report it");
  }
  write_out("\n");
  std::signal(number, SIG_DFL);
  std::raise(number);
}

}  // namespace

LastWords::LastWords(const Communicator& communicator) {
  all_ranks = &communicator;
  former_terminate = std::set_terminate(end_at_once);
  for (const int number : crashes)
    if (const auto former = std::signal(number, tell_crash); former != SIG_DFL)
      std::signal(number, former);
}

LastWords::~LastWords() {
  for (const int number : crashes)
    if (const auto now = std::signal(number, SIG_DFL); now != tell_crash) std::signal(number, now);
  std::set_terminate(former_terminate);
  all_ranks = nullptr;
}

void LastWords::name_plugins(const std::string& text) {
  plugins.fill(0);
  std::copy_n(text.begin(), std::min(text.size(), plugins.size() - 1), plugins.begin());
}

}  // namespace gsim::app
