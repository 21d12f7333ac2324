#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <new>
#include <thread>

#include <fmt/format.h>
#include <unistd.h>

#include "app.hpp"
#include "field_picture.hpp"
#include "gsim/core/log.hpp"
#include "gsim/io/result_file.hpp"
#include "last_words.hpp"
#include "plugins.hpp"
#include "same_launch.hpp"
#include "standard_streams.hpp"

namespace gsim::app {
namespace {

void print_error(const std::string& message) {
  std::fflush(stdout);
  const bool colour = use_colour(STDERR_FILENO);
  say_aside(fmt::format("{}error:{} {}\n", colour ? "\x1b[31m" : "", colour ? "\x1b[0m" : "",
                        visible_lines(message)));
}

using Command = int (*)(const Session&);

Command find_command(const std::string& name) {
  static const std::map<std::string, Command> commands{
      {"run", command_run},         {"check", command_check},     {"info", command_info},
      {"schema", command_schema},   {"inspect", command_inspect}, {"validate", command_validate},
      {"version", command_version}, {"plot", command_plot},       {"modules", command_modules},
      {"plugin", command_plugin},
  };
  return commands.at(name);
}

/// Commands that read and write on rank 0 alone and need no launcher's world, unless there is one.
bool needs_mpi(const std::string& command) {
  return command == "run" || command == "validate" || command == "info";
}

/// Commands that have no use for modules do not load plugins; `gsim plugin check` loads its own,
/// apart.
bool needs_modules(const Arguments& a) {
  const bool lists = a.command == "plugin" && a.action == "list";
  const bool draws_fields = a.command == "plot" && is_field_file(a.config);
  return lists || (a.command != "plugin" && a.command != "inspect" && a.command != "version" &&
                   !draws_fields);
}

/// Prints help, or what is wrong with the arguments; the exit code.
int print_parsed(const ParseResult& parsed) {
  std::fputs(parsed.text.c_str(), parsed.is_error ? stderr : stdout);
  return parsed.exit_code;
}

/// A GPU has to be chosen before MPI starts: MPI libraries set up CUDA in MPI_Init. What goes wrong
/// here is said later, once.
void choose_device_early(const LaunchEnvironment& launch) {
  try {
    bind_executor(DeviceChoice::automatic, launch, 1);
  } catch (const Error&) {
    // The same call is made again, for all ranks, once the configuration is known.
  }
}

int parse_and_run(int argc, char** argv, Registry& registry, Arguments& arguments) {
  const std::vector<LaunchFact> facts = launch_facts(argc, argv);
  const ParseResult parsed = parse_arguments(argc, argv, arguments);
  const LaunchEnvironment launch = launch_environment();
  const bool has_launcher = !launch.launcher.empty();
  // Under a launcher the other ranks may have other arguments: they have to be asked.
  if (!parsed.proceed && !has_launcher) return print_parsed(parsed);

  if (arguments.command == "run") outlive_readers();  // what it prints is the least of its work
  if (parsed.proceed && needs_mpi(arguments.command) && arguments.device != "cpu")
    choose_device_early(launch);
  start_hdf5();
  std::unique_ptr<MpiSession> mpi;
  if (has_launcher || needs_mpi(arguments.command)) {
    try {
      mpi = std::make_unique<MpiSession>(&argc, &argv);
    } catch (const Error& e) {
      if (launch.rank != 0) return static_cast<int>(e.exit_code());
      if (!parsed.proceed) return print_parsed(parsed);
      print_error(e.what());
      return static_cast<int>(e.exit_code());
    }
  }
  const Communicator comm = mpi ? Communicator::world() : Communicator::self();
  PluginLoader plugins(registry);
  const Session session{arguments, registry, plugins, comm, launch};
  const LastWords last_words(comm, plugins);
  return guarded(comm, [&] {
    require_same_launch(comm, facts);
    if (!parsed.proceed) return comm.is_root() ? print_parsed(parsed) : parsed.exit_code;
    if (needs_modules(arguments)) load_named_plugins(session);
    return find_command(arguments.command)(session);
  });
}

}  // namespace

int guarded(const Communicator& comm, const std::function<int()>& body) {
  std::string message;
  auto code = static_cast<int>(ExitCode::failure);
  try {
    return body();
  } catch (const Error& e) {
    code = static_cast<int>(e.exit_code());
    if (e.is_agreed()) {
      if (comm.is_root()) print_error(e.what());
      return code;
    }
    message = e.what();
  } catch (const std::bad_alloc&) {
    message = "out of memory; use fewer ranks per node, or `gsim check` for the forecast";
  } catch (const std::exception& e) {
    message = e.what();
  } catch (...) {
    message = "something that is no error was thrown";
  }
  if (comm.size() == 1) {
    print_error(message);
    return code;
  }
  end_all_ranks(comm, message, code);
}

void end_all_ranks(const Communicator& comm, const std::string& message, int code) {
  if (!comm.is_root()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1000 + 20 * std::min(comm.rank(), 50)));
  }
  LastWords::are_said();
  print_error(comm.size() > 1 ? fmt::format("{} (rank {})", message, comm.rank()) : message);
  comm.transport().abort(code);
  std::_Exit(code);
}

int run_command_line(int argc, char** argv, Registry registry) {
  prepare_streams();
  Arguments arguments;
  const int code = parse_and_run(argc, argv, registry, arguments);
  // Another error has been told, or a checkpoint asks for a resumption: those are worth more.
  if (code != static_cast<int>(ExitCode::done)) return code;
  std::string lost = lost_output();
  if (lost.empty()) return code;
  if (arguments.command == "run") lost += "; the files of the run are whole";
  print_error(lost);
  return static_cast<int>(ExitCode::failure);
}

}  // namespace gsim::app
