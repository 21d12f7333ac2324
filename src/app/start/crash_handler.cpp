#include "crash_handler.hpp"

#include <array>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>

#include <fmt/format.h>
#include <unistd.h>

#include "src/app/app.hpp"
#include "src/app/input/plugins.hpp"

namespace gsim::app {
namespace {

const Communicator* all_ranks = nullptr;
const PluginLoader* loader = nullptr;  // null: disabled
std::terminate_handler previous_terminate = nullptr;

constexpr std::array crashes{SIGSEGV, SIGBUS, SIGILL, SIGFPE};
std::array<struct sigaction, crashes.size()> previous_actions{};

std::string description_of(const std::exception_ptr& thrown) {
  if (!thrown) return "without an exception";
  try {
    std::rethrow_exception(thrown);
  } catch (const std::exception& e) {
    return e.what();
  } catch (...) {
    return "an object that is not an exception";
  }
}

[[noreturn]] void end_all(std::string message) {
  const std::string names = names_of(loader->plugins());
  if (!names.empty()) message += "; plugins loaded: " + names;
  end_all_ranks(*all_ranks, message, static_cast<int>(ExitCode::failure));
}

[[noreturn]] void print_exception() {
  end_all(fmt::format("an exception was thrown where none is allowed, such as in a destructor: {}",
                      description_of(std::current_exception())));
}

/// Registered by std::atexit(). gsim itself never calls exit() during a run.
void print_exit() {
  if (loader != nullptr) end_all("exit() was called before the end of the run");
}

/// Writes to stderr without allocation or formatting, which a crashing process must avoid.
void write_out(const char* text) {
  const ssize_t written = write(STDERR_FILENO, text, std::strlen(text));
  static_cast<void>(written);  // errors cannot be handled here
}

extern "C" void print_crash(int number) {
  write_out(number == SIGSEGV || number == SIGBUS
                ? "error: the process crashed: invalid memory access"
                : "error: the process crashed: invalid instruction or arithmetic operation");
  for (std::size_t i = 0; loader != nullptr && i < loader->plugins().size(); ++i) {
    const Plugin& plugin = loader->plugins()[i];
    write_out(i == 0 ? "; plugins loaded: " : ", ");
    write_out(plugin.name.c_str());
    write_out(" ");
    write_out(plugin.version.c_str());
  }
  write_out("\n");
  for (std::size_t k = 0; k < crashes.size(); ++k)
    if (crashes[k] == number) sigaction(number, &previous_actions[k], nullptr);
  std::raise(number);
}

}  // namespace

CrashHandler::CrashHandler(const Communicator& communicator, const PluginLoader& plugins) {
  all_ranks = &communicator;
  loader = &plugins;
  std::atexit(print_exit);
  previous_terminate = std::set_terminate(print_exception);
  struct sigaction action {};
  action.sa_handler = print_crash;
  for (std::size_t k = 0; k < crashes.size(); ++k)
    sigaction(crashes[k], &action, &previous_actions[k]);
}

void CrashHandler::disable() { loader = nullptr; }

CrashHandler::~CrashHandler() {
  disable();
  for (std::size_t k = 0; k < crashes.size(); ++k)
    sigaction(crashes[k], &previous_actions[k], nullptr);
  std::set_terminate(previous_terminate);
}

}  // namespace gsim::app
