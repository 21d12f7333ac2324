#pragma once
// The command line: parses arguments, starts MPI, calls subcommands, and turns errors into a
// message and an exit code.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gsim/comm/communicator.hpp"
#include "gsim/comm/device_binding.hpp"
#include "gsim/comm/mpi_session.hpp"
#include "gsim/engine/driver.hpp"
#include "gsim/engine/plugin_loader.hpp"
#include "gsim/engine/registry.hpp"
#include "gsim/exec/executor.hpp"

namespace gsim::app {

/// Options of `gsim plot FILE.vtkhdf`.
struct FieldPictureOptions {
  std::string field;  ///< empty: the first field of the file
  std::string slice;  ///< "z=0.5"; empty: the middle plane normal to z
  Index step = -1;    ///< counted from 0; -1: the last one
  std::vector<double>
      range;  ///< values of the ends of the colour scale; empty: those of the visible values
  std::string picture;       ///< path of the picture; empty: next to the file of fields
  bool is_animated = false;  ///< whether all steps are drawn, as an animation
  bool has_frame = true;     ///< axes, title and colour bar around the plane
  // Without options of the command line:
  Index pixels = 800;       ///< of the longer edge of the plane; more if there are more cells
  Index most_frames = 0;    ///< of the animation, evenly spaced with the last step; 0: all steps
  bool is_numbered = true;  ///< whether an animation is accompanied by a picture of each frame
};

/// The arguments of all subcommands.
struct Arguments {
  std::string command;  ///< "run", "check", …
  std::string action;   ///< plugin: "new", "check", "list"; batch: "run", "list", "submit", …
  /// run, check, plot: configuration file; plot also: file of fields; batch: manifest; plugin
  /// check: configuration in place of the example.
  std::string config;
  FieldPictureOptions picture;  ///< plot: options for files of fields
  /// "key=value" overrides, including those of --device and similar options; batch: of keys of the
  /// manifest.
  std::vector<std::string> set;
  std::string device;    ///< run, validate: --device; empty: as in the configuration, or auto
  int threads = 0;       ///< validate: threads of each rank; 0: all available
  double measure = 0.3;  ///< check: seconds of the run that are measured; 0: none
  int ranks = 0;         ///< check: number of ranks of the forecast; 0: that of this launch
  Resume resume = Resume::no;
  bool quiet = false;
  LogStyle log = LogStyle::automatic;
  std::vector<std::string> plugins;  ///< --plugin: files or names
  bool no_plugins = false;           ///< --no-plugins
  /// schema: a module; validate: a module or a file of cases; empty: all.
  std::string module_or_file;
  std::string file;         ///< inspect, replay: a file; compare: the first file
  std::string second_file;  ///< compare
  std::string folder;       ///< batch: folder in place of the manifest's
  std::string part;         ///< batch run: "K/N", empty: all tasks
  bool kubernetes = false;  ///< batch submit: manifests of the MPI operator
  bool dry_run = false;     ///< batch submit: print, and submit nothing
  bool follow = false;      ///< batch logs: until the task ends
  bool now = false;         ///< batch cancel: as the batch system ends jobs
  /// report: result files and folders of them; status: status files and folders; empty: results.
  std::vector<std::string> files;
  double watch = 0;          ///< status: seconds between two tables; 0: one table
  std::string title;         ///< report: title of the page; empty: the first file
  bool has_pictures = true;  ///< report: whether pictures are drawn
  /// replay: result file; empty: in a folder that is removed. report: the page; empty: beside the
  /// first file. batch submit: file of the job; empty: it is submitted.
  std::string output;
  double significance = 1e-3;  ///< compare: smallest probability of results that agree
  /// plugin new: name and kind; plugin check: `name`, a file; batch logs: `name`, a task.
  std::string name, kind;
  std::string data;                  ///< validate: folder of cases
  std::string table;                 ///< inspect: name of the table that is printed as CSV
  std::vector<std::string> only;     ///< validate: names of sets; empty: all
  bool full = false, quick = false;  ///< validate: the level
  bool json = false;  ///< check, status, schema, inspect, compare, validate, modules, version,
                      ///< plugin list: print JSON
  bool validation = false;   ///< schema: print that of files of validation cases
  bool batch = false;        ///< schema: print that of manifests of batches
  bool markdown = false;     ///< schema: print it as Markdown
  std::string command_line;  ///< as typed, for provenance
};

/// The arguments and resources of a subcommand.
struct Session {
  const Arguments& arguments;
  const Registry& registry;
  PluginLoader& plugins;  ///< adds loaded plugins to the registry
  Communicator communicator;
  LaunchEnvironment launch;
};

/// Whether a command may start MPI. A run of one rank needs none, and without it starts in a third
/// of the time.
enum class MpiUse { as_needed, never };

/// `gsim …` with the modules of `registry`, and of plugins. Returns the exit code.
int run_command_line(int argc, char** argv, Registry registry, MpiUse mpi = MpiUse::as_needed);

// The subcommands, each in its own file command_<name>.cpp; they return the exit code.
int command_run(const Session& session);
int command_check(const Session& session);
int command_plot(const Session& session);
int command_info(const Session& session);
int command_modules(const Session& session);
int command_plugin(const Session& session);
int command_schema(const Session& session);
int command_inspect(const Session& session);
int command_compare(const Session& session);
int command_batch(const Session& session);
int command_replay(const Session& session);
int command_report(const Session& session);
int command_status(const Session& session);
int command_validate(const Session& session);
int command_version(const Session& session);

/// Runs `body`; turns an exception into one message and an exit code.
int guarded(const Communicator& communicator, const std::function<int()>& body);

/// Ends all ranks after an error that may have occurred on this rank only. Ranks above 0 wait for a
/// second, so that an error of several ranks is printed once.
[[noreturn]] void end_all_ranks(const Communicator& communicator, const std::string& message,
                                int code);

/// Parses the command line into `arguments`. Help and usage errors return the text to print and the
/// exit code instead.
struct ParseResult {
  bool proceed = false;  ///< whether there is a command to run
  bool is_error = false;
  int exit_code = 0;
  std::string text;
};
ParseResult parse_arguments(int argc, char** argv, Arguments& arguments);

}  // namespace gsim::app
