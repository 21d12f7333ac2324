// gsim plugin: make, check and list plugins.

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gsim/config/input_file.hpp"
#include "gsim/core/digest.hpp"
#include "gsim/core/json.hpp"
#include "gsim/core/text.hpp"
#include "gsim/engine/conformance.hpp"
#include "gsim/engine/validation_function.hpp"
#include "src/app/app.hpp"
#include "src/app/plugin/conformance.hpp"
#include "src/app/plugin/skeleton.hpp"
#include "src/app/start/scratch_folder.hpp"
#include "src/app/start/standard_streams.hpp"

namespace gsim::app {
namespace {

namespace fs = std::filesystem;

int write_new_plugin(const Session& session) {
  const Arguments& a = session.arguments;
  GSIM_VALIDATE(!a.name.empty(), "NAME is missing", "write gsim plugin new NAME");
  const std::string kind = a.kind.empty() ? "module" : a.kind;
  for (const std::string& file : write_skeleton(kind, a.name, session.registry))
    print_out("{}\n", file);
  print_out(
      "next  cmake -S {0} -B {0}/build && cmake --build {0}/build && ctest --test-dir {0}/build\n",
      a.name);
  return 0;
}

Json json_of(const Plugin& p) {
  Json adds = Json::array();
  for (const std::string& added : p.adds) adds.push(added);
  return Json::object()
      .set("name", p.name)
      .set("version", p.version)
      .set("licence", p.licence)
      .set("doc", p.doc)
      .set("path", p.path)
      .set("digest", hex(p.digest))
      .set("adds", adds);
}

void print_plugin(const Plugin& p) {
  print_out("{} {}  {}\n", p.name, p.version, p.doc);
  print_out("  file     {}\n  digest   {}\n  licence  {}\n", p.path, hex(p.digest), p.licence);
  for (const std::string& added : p.adds) print_out("  adds     {}\n", added);
}

int list(const Session& session) {
  if (!session.communicator.is_root()) return 0;
  const auto& plugins = session.plugins.plugins();
  if (session.arguments.json) {
    Json list = Json::array();
    for (const Plugin& p : plugins) list.push(json_of(p));
    print_out("{}\n", list.text());
    return 0;
  }
  for (const Plugin& p : plugins) print_plugin(p);
  if (plugins.empty())
    print_out("no plugins: neither --plugin nor GSIM_PLUGIN_PATH names a file\n");
  return 0;
}

/// Prints one line, with ✔ for a check that passed, ✘ for one that failed, - for one not made.
void print_finding(const Finding& finding) {
  const bool tried = !finding.note.starts_with("not tried");
  print_out("  {} {}{}{}\n",
            !finding.problem.empty() ? "✘"
            : tried                  ? "✔"
                                     : "-",
            finding.what,
            finding.problem.empty() ? "" : ": " + escape_controls_by_line(finding.problem),
            finding.note.empty() ? "" : " (" + finding.note + ")");
  std::fflush(stdout);
}

/// Sets the configuration with which a part of a plugin is checked: its example, or that of
/// --config. Returns whether there is one.
bool find_config(const Session& session, const fs::path& start_folder, const std::string& example,
                 Subject& subject) {
  subject.config = example;
  if (!session.arguments.config.empty()) {
    subject.config_name = session.arguments.config;
    const InputFile file = read_input_file((start_folder / subject.config_name).string());
    GSIM_VALIDATE(file.problem.empty(), file.problem, "check the path");
    subject.config = file.text;
  }
  if (!subject.config.empty()) return true;
  print_out("  ✘ it has no example: register one with it, or give --config\n");
  return false;
}

/// Runs the registered checks of a part that need a run of its example, or those that do not.
void check_part(const ConformanceSubject& subject, bool needs_run, const ReportFinding& report) {
  for (const ConformanceCheck* check : subject.registry.all<ConformanceCheck>())
    if (check->kind == subject.part.kind && check->needs_run == needs_run)
      check->check(subject, report);
}

/// Checks `module`, or a part of it, with an example; returns whether all checks pass. Relative
/// paths of the example start in the folder `start_folder`.
bool check_run(const Session& session, const fs::path& start_folder, const std::string& module,
               const std::string& doc, const std::string& example,
               const Registry::Extension* part = nullptr) {
  const Registry& registry = session.registry;
  Subject subject{
      doc, [&] { return registry.find(module).factory(registry); }, {}, module + ".toml"};
  if (!find_config(session, start_folder, example, subject)) return false;
  subject.config_name = (start_folder / subject.config_name).string();  // an absolute name is kept
  if (part == nullptr) return check_conformance(subject, print_finding);
  const Registry registry_without_part =
      registry.without([&](const Registry::Extension& e) { return &e == part; });
  subject.make_without_part = [&] {
    return registry_without_part.find(module).factory(registry_without_part);
  };
  subject.check_part = [&](const ReportFinding& report) {
    check_part({*part, registry, subject.config, subject.config_name}, true, report);
  };
  return check_conformance(subject, print_finding);
}

/// Makes the checks of a part that need no run of its example; returns whether all pass.
bool check_functions(const Session& session, const Registry::Extension& part) {
  bool all_pass = true;
  check_part({part, session.registry, part.example, "example"}, false, [&](const Finding& finding) {
    print_finding(finding);
    all_pass = all_pass && finding.problem.empty();
  });
  return all_pass;
}

/// Whether the extension is a check or a function for formulas, for which there are no checks.
bool has_no_checks(const Registry::Extension& extension) {
  return extension.kind == ConformanceCheck::extends ||
         extension.kind == ValidationFunction::extends;
}

/// Checks all modules and parts of the plugin; returns whether all checks pass.
bool check_parts(const Session& session, const fs::path& start_folder, const Plugin& plugin) {
  bool all_pass = true;
  for (const Registry::Entry& entry : session.registry.entries()) {
    if (entry.plugin != plugin.name) continue;
    print_out("module {}\n", entry.name);
    all_pass = check_run(session, start_folder, entry.name, entry.doc, entry.example) && all_pass;
  }
  for (const Registry::Extension& extension : session.registry.extensions()) {
    if (extension.plugin != plugin.name || has_no_checks(extension)) continue;
    print_out("{} {}\n", extension.kind, extension.name);
    all_pass = check_functions(session, extension) && all_pass;
    all_pass = check_run(session, start_folder, extension.module, extension.doc, extension.example,
                         &extension) &&
               all_pass;
  }
  return all_pass;
}

/// Loads the plugin and checks its modules and parts, with `scratch` as the current folder; returns
/// the exit code.
int check_in(const ScratchFolder& scratch, const Session& session) {
  const Plugin plugin = session.plugins.load(find_plugin(session.arguments.name, ""));
  print_plugin(plugin);
  print_out("fingerprint\n");
  for (const FingerprintField& field : plugin.fingerprint)
    print_out("  {:<17}{}\n", field.name, field.value);
  const fs::path start_folder = fs::current_path();
  fs::current_path(scratch.path());  // for files that modules write during a run
  const bool conforms = check_parts(session, start_folder, plugin);
  print_out("{}\n", conforms ? "conforms" : "does not conform");
  return static_cast<int>(conforms ? ExitCode::done : ExitCode::failure);
}

/// Runs check_in() in a child process, so that a crash of the plugin is reported; returns its exit
/// code.
int check(const Session& session) {
  session.communicator.agree([&] {
    GSIM_VALIDATE(!session.arguments.name.empty(), "NAME is missing",
                  "write gsim plugin check FILE");
    GSIM_VALIDATE(session.launch.launcher.empty(),
                  "a plugin is checked in one process, which simulates several ranks",
                  "run this command without a launcher");
  });
  std::fflush(stdout);
  const ScratchFolder scratch("gsim-plugin-check");
  std::array<int, 2> exit_code_pipe{};  // the exit code that the child writes at its end
  if (::pipe(exit_code_pipe.data()) != 0)
    throw Error(fmt::format("a pipe cannot be created: {}", std::strerror(errno)));
  const pid_t child = ::fork();
  if (child < 0) throw Error(fmt::format("a process cannot be created: {}", std::strerror(errno)));
  if (child == 0) {
    ::close(exit_code_pipe[0]);
    const auto code = static_cast<unsigned char>(
        guarded(session.communicator, [&] { return check_in(scratch, session); }));
    std::fflush(stdout);
    const bool is_written = ::write(exit_code_pipe[1], &code, 1) == 1;
    std::_Exit(is_written ? code : static_cast<int>(ExitCode::failure));
  }
  ::close(exit_code_pipe[1]);
  unsigned char code = 0;
  ssize_t count = 0;
  while ((count = ::read(exit_code_pipe[0], &code, 1)) < 0 && errno == EINTR) {
  }
  ::close(exit_code_pipe[0]);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (count == 1) return code;
  if (WIFEXITED(status) && WEXITSTATUS(status) != 0)
    return WEXITSTATUS(status);  // the reason was printed
  if (WIFEXITED(status))
    throw Error(
        fmt::format("plugin {} ended the process before it was checked", session.arguments.name));
  throw Error(fmt::format("plugin {} crashed: {} (signal {})", session.arguments.name,
                          ::strsignal(WTERMSIG(status)), WTERMSIG(status)));
}

}  // namespace

int command_plugin(const Session& session) {
  const Arguments& a = session.arguments;
  if (a.action == "list") return list(session);
  if (a.action == "check") return check(session);
  if (!session.communicator.is_root()) return 0;
  return write_new_plugin(session);
}

}  // namespace gsim::app
