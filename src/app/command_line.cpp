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
#include "gsim/core/terminal.hpp"
#include "gsim/core/text.hpp"
#include "gsim/engine/signals.hpp"
#include "gsim/io/result_file.hpp"
#include "src/app/input/plugins.hpp"
#include "src/app/pictures/field_picture.hpp"
#include "src/app/plugin/emulated_gpu.hpp"
#include "src/app/start/crash_handler.hpp"
#include "src/app/start/launch_consistency.hpp"
#include "src/app/start/standard_streams.hpp"
#include "src/app/start/start_mpi.hpp"
#include "src/app/start/watchdog.hpp"
#include "src/app/status/failure_record.hpp"

namespace gsim::app {
namespace {

void print_error(const std::string& message) {
  std::fflush(stdout);
  const bool colour = use_colour(STDERR_FILENO);
  print_to_stderr(fmt::format("{}error:{} {}\n", colour ? "\x1b[31m" : "", colour ? "\x1b[0m" : "",
                              escape_controls_by_line(message)));
}

using Command = int (*)(const Session&);

Command find_command(const std::string& name) {
  static const std::map<std::string, Command> commands{
      {"run", command_run},         {"check", command_check},     {"info", command_info},
      {"schema", command_schema},   {"inspect", command_inspect}, {"validate", command_validate},
      {"version", command_version}, {"plot", command_plot},       {"modules", command_modules},
      {"plugin", command_plugin},   {"compare", command_compare}, {"replay", command_replay},
      {"batch", command_batch},     {"report", command_report},   {"status", command_status},
  };
  return commands.at(name);
}

/// Whether a command runs on all ranks and always starts MPI. Other commands run on rank 0 alone
/// and start MPI only under a launcher.
bool needs_mpi(const std::string& command) {
  return command == "run" || command == "replay" || command == "validate" || command == "info";
}

/// Whether a command needs the modules of plugins, which are then loaded. `gsim plugin check` loads
/// its plugin itself.
bool needs_modules(const Arguments& a) {
  const bool lists = a.command == "plugin" && a.action == "list";
  const bool draws_fields = a.command == "plot" && is_field_file(a.config);
  return lists || (a.command != "plugin" && a.command != "inspect" && a.command != "compare" &&
                   a.command != "batch" && a.command != "report" && a.command != "status" &&
                   a.command != "version" && !draws_fields);
}

/// Prints help or a usage error; returns the exit code.
int print_parsed(const ParseResult& parsed) {
  std::fputs(parsed.text.c_str(), parsed.is_error ? stderr : stdout);
  return parsed.exit_code;
}

/// Whether this process must print `error`, which occurred before MPI was started. Rank 0 prints
/// immediately. Errors that occur on all ranks (LaunchError) are printed by rank 0 only. Other
/// ranks print other errors after a second; if rank 0 failed too, the launcher has ended them by
/// then. Without a connection to a launcher, for example where its variables are left over in the
/// environment, there are no other ranks.
bool must_print(const Error& error, const LaunchEnvironment& launch) {
  if (launch.rank == 0 || !launch.is_connected) return true;
  if (dynamic_cast<const LaunchError*>(&error) != nullptr) return false;
  std::this_thread::sleep_for(std::chrono::seconds(1));
  return true;
}

/// A GPU must be selected before MPI starts, since MPI libraries initialise CUDA in MPI_Init.
/// Errors here are reported later, once.
void choose_device_early(const LaunchEnvironment& launch) {
  try {
    bind_executor(DeviceChoice::automatic, launch, 1);
  } catch (const Error&) {
    // The same call is made again on all ranks after the configuration was read.
  }
}

/// The exit code of a command: `code`, or `failure`, with a message, if writing to stdout failed.
int exit_code_after_output(int code, const Arguments& arguments) {
  // Another error has been printed, or a checkpoint was written: those exit codes take precedence.
  if (code != static_cast<int>(ExitCode::done)) return code;
  std::string problem = output_problem();
  if (problem.empty()) return code;
  if (arguments.command == "run") problem += "; the files of the run are complete";
  print_error(problem);
  return static_cast<int>(ExitCode::failure);
}

/// Calls command(session), and turns errors into messages.
int run_on_ranks(const Communicator& comm, const LaunchEnvironment& launch,
                 const Arguments& arguments, Registry& registry,
                 const std::function<int(const Session&)>& command) {
  PluginLoader plugins(registry);
  const Session session{arguments, registry, plugins, comm, launch};
  const CrashHandler crash_handler(comm, plugins);
  return guarded(comm, [&] { return command(session); });
}

constexpr int end_timeout_seconds =
    20;  // seconds; all files are closed and all output is printed by then

int parse_and_run(int argc, char** argv, Registry& registry, Arguments& arguments, MpiUse use) {
  const std::vector<LaunchFact> facts = launch_facts(argc, argv);
  const ParseResult parsed = parse_arguments(argc, argv, arguments);
  const LaunchEnvironment launch = launch_environment();
  const bool has_launcher = !launch.launcher.empty() && use == MpiUse::as_needed;
  const bool starts_mpi =
      use == MpiUse::as_needed && (has_launcher || needs_mpi(arguments.command));
  // Under a launcher the other ranks may have other arguments, which are compared.
  if (!parsed.proceed && !has_launcher) return print_parsed(parsed);

  if (arguments.command == "plugin" && arguments.action == "check") restart_with_emulated_gpu(argv);
  const bool only_prints =
      arguments.action == "list" || arguments.action == "status" || arguments.action == "logs";
  if (arguments.command == "run" || (arguments.command == "batch" && !only_prints))
    ignore_broken_pipes();  // a closed stdout must not end a run
  if (parsed.proceed && needs_mpi(arguments.command) && arguments.device != "cpu")
    choose_device_early(launch);
  // A signal that arrives while a run starts ends it at its first control point, with a checkpoint.
  const bool runs = arguments.command == "run" || arguments.command == "replay" ||
                    (arguments.command == "batch" && arguments.action == "run");
  const engine::SignalGuard signals(runs || arguments.command == "validate");
  start_hdf5();
  std::unique_ptr<MpiSession> mpi;
  if (starts_mpi) {
    try {
      mpi = start_mpi(&argc, &argv, launch, signals);
    } catch (const Error& e) {
      if (!parsed.proceed) return launch.rank == 0 ? print_parsed(parsed) : parsed.exit_code;
      const auto code = static_cast<int>(e.exit_code());
      if (must_print(e, launch)) print_error(e.what());
      if (dynamic_cast<const LaunchError*>(&e) == nullptr) abort_before_mpi_init(launch, code);
      return code;
    }
  }
  const auto command = [&](const Session& session) {
    require_consistent_launch(session.communicator, facts);
    refuse_renamed_variables(session.communicator, facts);
    if (!parsed.proceed)
      return session.communicator.is_root() ? print_parsed(parsed) : parsed.exit_code;
    if (needs_modules(arguments)) load_named_plugins(session);
    return find_command(arguments.command)(session);
  };
  int code = run_on_ranks(mpi ? Communicator::world() : Communicator::self(), launch, arguments,
                          registry, command);
  code = exit_code_after_output(code, arguments);
  if (!mpi) return code;
  const Deadline deadline(
      end_timeout_seconds, code,
      fmt::format("warning: MPI has not ended within {} s; the process ends without it\n",
                  end_timeout_seconds));
  mpi.reset();
  return code;
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
      if (comm.is_root()) {
        record_failure(e.what());
        print_error(e.what());
      }
      return code;
    }
    message = e.what();
  } catch (const std::bad_alloc&) {
    message = "out of memory; use fewer ranks per node, or `gsim check` for the forecast";
  } catch (const std::exception& e) {
    message = e.what();
  } catch (...) {
    message = "an object that is not an exception was thrown";
  }
  if (comm.size() == 1) {
    record_failure(message);
    print_error(message);
    return code;
  }
  end_all_ranks(comm, message, code);
}

void end_all_ranks(const Communicator& comm, const std::string& message, int code) {
  if (!comm.is_root()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1000 + 20 * std::min(comm.rank(), 50)));
  }
  CrashHandler::disable();
  record_failure(message);
  print_error(comm.size() > 1 ? fmt::format("{} (rank {})", message, comm.rank()) : message);
  comm.backend().abort(code);
  std::_Exit(code);
}

int run_command_line(int argc, char** argv, Registry registry, MpiUse mpi) {
  prepare_streams();
  Arguments arguments;
  return exit_code_after_output(parse_and_run(argc, argv, registry, arguments, mpi), arguments);
}

}  // namespace gsim::app
