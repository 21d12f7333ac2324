// The subcommands and their options.

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <sstream>
#include <string_view>

#include <fmt/format.h>

#include "app.hpp"
#include "batch_arguments.hpp"
#include "gsim/core/build_info.hpp"
#include "gsim/core/toml_string.hpp"
#include "src/app/plugin/skeleton.hpp"
#include "usage.hpp"

namespace gsim::app {
namespace {

/// Options of `run` that set configuration keys.
struct Shortcuts {
  std::string resume, log = "auto", threads, output, watch;
};

void add_plugins(CLI::App* command, Arguments& a) {
  CLI::Option* load = command->add_option("--plugin", a.plugins, "Load a plugin; repeatable")
                          ->allow_extra_args(false)
                          ->type_name("FILE")
                          ->check(not_empty());
  command
      ->add_flag("--no-plugins", a.no_plugins,
                 "Load no plugin; refuse a configuration that names plugins")
      ->excludes(load);
}

void add_configuration(CLI::App* command, Arguments& a) {
  command->add_option("CONFIG", a.config, "TOML file")->required()->check(not_empty());
  command->add_option("--set", a.set, "Override a key: path.to.key=value (TOML); repeatable")
      ->allow_extra_args(false)
      ->type_name("KEY=VALUE");
  add_plugins(command, a);
}

void add_threads(CLI::App* command, Shortcuts& s, const std::string& text) {
  command->add_option("--threads", s.threads, text)
      ->check(whole_number(max_threads))
      ->type_name("N");
}

void add_run(CLI::App& top, Arguments& a, Shortcuts& s) {
  CLI::App* run = top.add_subcommand("run", "Run a simulation");
  add_configuration(run, a);
  run->add_flag("--resume{yes}", s.resume,
                "Continue from the newest checkpoint; =auto: if there is one")
      ->option_text("[=auto]");
  run->add_flag("-q,--quiet", a.quiet, "Print warnings and errors only");
  run->add_option("--log", s.log, "auto: a bar on a terminal, else lines")
      ->check(one_of({"auto", "plain", "json"}))
      ->type_name("auto|plain|json");
  run->add_option("--device", a.device, "Overrides `device`")
      ->check(one_of({"auto", "cpu", "cuda"}))
      ->type_name("auto|cpu|cuda");
  add_threads(run, s, "Overrides `threads`, per rank");
  run->add_option("--output", s.output, "Overrides `output.file`")
      ->check(not_empty())
      ->type_name("FILE");
  add_example(run,
              "gsim run configs/pricing/first_portfolio.toml --set stop.relative_error=1e-4\n  " +
                  mpi_launcher() +
                  " -n 4 gsim run big.toml --resume=auto\n\n"
                  "Exit codes: 0 done, 75 stopped with a checkpoint (run again with --resume), 2 "
                  "bad input,\n"
                  "1 anything else. SIGTERM, SIGINT, SIGUSR1 and SIGUSR2 stop a run with a "
                  "checkpoint; then\n"
                  "Ctrl-C (SIGINT) ends it at once.");
}

void add_replay(CLI::App& top, Arguments& a, Shortcuts& s) {
  CLI::App* replay = top.add_subcommand(
      "replay", "Repeat a run from the provenance of its results, and compare all bits");
  replay->add_option("RESULT", a.file, "Result file")->required()->check(not_empty());
  replay
      ->add_option("--output", a.output,
                   "Keep the new results in this file (default: only if they differ)")
      ->check(not_empty())
      ->type_name("FILE");
  replay->add_flag("-q,--quiet", a.quiet, "Print warnings, errors and the verdict only");
  replay->add_option("--log", s.log, "auto: a bar on a terminal, else lines")
      ->check(one_of({"auto", "plain", "json"}))
      ->type_name("auto|plain|json");
  replay->add_option("--device", a.device, "Overrides `device`")
      ->check(one_of({"auto", "cpu", "cuda"}))
      ->type_name("auto|cpu|cuda");
  add_threads(replay, s, "Overrides `threads`, per rank");
  add_plugins(replay, a);
  add_example(replay,
              "gsim replay results/first_portfolio.h5 --device cpu\n  " + mpi_launcher() +
                  " -n 4 gsim replay results/first_portfolio.h5\n\n"
                  "Exit codes: 0 every bit is equal, 1 not, or stopped by a signal, 2 bad input.");
}

void add_plugin(CLI::App& top, Arguments& a) {
  CLI::App* plugin = top.add_subcommand("plugin", "Create, check or list plugins");
  plugin->add_option("ACTION", a.action, "new, check or list")
      ->required()
      ->check(one_of({"new", "check", "list"}));
  plugin->add_option("NAME", a.name, "new: name of the plugin; check: its file")
      ->check(not_empty());
  plugin->add_option("--kind", a.kind, "new: kind of the plugin (default: module)")
      ->check(one_of(plugin_kinds()))
      ->type_name(fmt::format("{}", fmt::join(plugin_kinds(), "|")));
  plugin->add_option("--config", a.config, "check: run this instead of the example of the plugin")
      ->type_name("CONFIG")
      ->check(not_empty());
  plugin->add_flag("--json", a.json, "list: one JSON array");
  add_plugins(plugin, a);
  add_example(plugin,
              "gsim plugin new heat --kind module\n"
              "  gsim plugin check build/libheat.so\n"
              "  gsim plugin list --plugin build/libheat.so");
}

void add_plot(CLI::App& top, Arguments& a) {
  CLI::App* plot = top.add_subcommand(
      "plot", "Draw the pictures of a configuration, or a field that a run wrote");
  add_configuration(plot, a);
  plot->get_option("CONFIG")->description("TOML file, or fields on a grid (.vtkhdf)");
  FieldPictureOptions& p = a.picture;
  plot->add_option("--field", p.field, "Fields: name of the field (default: the first)")
      ->type_name("NAME")
      ->check(not_empty());
  plot->add_option("--slice", p.slice,
                   "Fields: plane of cells (default: the middle one normal to z)")
      ->type_name("AXIS=PLACE")
      ->check(not_empty());
  plot->add_option("--step", p.step, "Fields: number of the step, from 0 (default: the last)")
      ->type_name("N")
      ->check(CLI::Range(Index{0}, Index{1} << 62));
  plot->add_option("--range", p.range, "Fields: values of the darkest and the brightest colour")
      ->expected(2)
      ->type_name("LOW HIGH");
  plot->add_option("--picture", p.picture, "Fields: PNG file (default: beside the fields)")
      ->type_name("FILE")
      ->check(not_empty());
  plot->add_flag("--film", p.is_animated,
                 "Fields: every step, as numbered PNG files and one animated PNG (.apng)");
  plot->add_flag("!--no-frame", p.has_frame,
                 "Fields: the plane alone, without axes, title and colour bar");
  add_example(plot,
              "gsim plot configs/transport/pu_sphere.toml\n"
              "  gsim plot results/brick.vtkhdf --field temperature --slice y=0.32 --step 10\n"
              "  gsim plot results/brick.vtkhdf --film");
}

void add_others(CLI::App& top, Arguments& a, Shortcuts& s) {
  CLI::App* check =
      top.add_subcommand("check", "Validate a configuration and forecast, run nothing");
  add_configuration(check, a);
  check->add_option("--ranks", a.ranks, "Forecast a run on N ranks, in this one process")
      ->check(whole_number(1 << 20, 1))
      ->type_name("N");
  check
      ->add_option("--measure", a.measure,
                   "Seconds of the run to measure for its time (0.3; 0: none)")
      ->check(number_between(0, 3600))
      ->type_name("SECONDS");
  check->add_flag("--json", a.json, "One JSON object");
  add_example(check, "gsim check configs/md/melt.toml --ranks 512");

  add_plot(top, a);

  CLI::App* info = top.add_subcommand("info", "Print build, devices, MPI, HDF5, threads");
  add_plugins(info, a);
  add_example(info, mpi_launcher() + " -n 2 gsim info");

  CLI::App* schema =
      top.add_subcommand("schema", "Print every key with type, unit, range, default");
  CLI::Option* module = schema->add_option("MODULE", a.module_or_file,
                                           "A module; without it, the keys of all modules");
  CLI::Option* validation =
      schema->add_flag("--validation", a.validation, "The keys of files of validation cases")
          ->excludes(module);
  CLI::Option* manifest = schema->add_flag("--batch", a.batch, "The keys of manifests of batches")
                              ->excludes(module)
                              ->excludes(validation);
  CLI::Option* json = schema->add_flag("--json", a.json, "JSON Schema (draft 2020-12) for editors");
  schema->add_flag("--markdown", a.markdown, "A document: headings and tables in Markdown")
      ->excludes(validation)
      ->excludes(manifest)
      ->excludes(json);
  add_plugins(schema, a);
  add_example(schema,
              "gsim schema pricing --markdown > pricing_keys.md\n"
              "  gsim schema pricing --json > pricing.schema.json\n\n"
              "Editors with taplo use it for configurations that begin with this line:\n"
              "  #:schema ./pricing.schema.json");

  CLI::App* inspect = top.add_subcommand("inspect", "Print a result file, checkpoint or report");
  inspect->add_option("FILE", a.file, "HDF5 file, or page of gsim report (.html)")
      ->required()
      ->check(not_empty());
  CLI::Option* inspect_json = inspect->add_flag("--json", a.json, "One JSON object");
  inspect->add_option("--csv", a.table, "One table as CSV: trades, history, …")
      ->type_name("TABLE")
      ->check(not_empty())
      ->excludes(inspect_json);
  add_example(inspect, "gsim inspect results/first_portfolio.h5");

  CLI::App* compare = top.add_subcommand("compare", "Compare two results, or two trajectories");
  compare->add_option("FIRST", a.file, "Results, or a trajectory, fields or a particle list")
      ->required()
      ->check(not_empty());
  compare->add_option("SECOND", a.second_file, "The same of another run")
      ->required()
      ->check(not_empty());
  compare
      ->add_option("--significance", a.significance,
                   "Estimates differ if such differences are less probable (default: 0.001)")
      ->check(number_between(0, 1))
      ->type_name("P");
  compare->add_flag("--json", a.json, "One JSON object");
  add_example(
      compare,
      "gsim compare results/monday.h5 results/tuesday.h5\n\n"
      "Estimates are compared in units of their standard errors, everything else bit by bit.\n"
      "Exit codes: 0 equal, or equal within errors; 1 different; 2 bad input.");

  CLI::App* report = top.add_subcommand("report", "Draw results as one HTML page");
  report->add_option("RESULT", a.files, "Result files, or folders of them")
      ->required()
      ->check(not_empty());
  report->add_option("--output", a.output, "The page (default: beside the first result)")
      ->check(not_empty())
      ->type_name("FILE");
  report->add_option("--title", a.title, "Title of the page")->check(not_empty());
  report->add_flag("!--no-pictures", a.has_pictures,
                   "Tables and charts only: no pictures of fields, atoms and geometries");
  add_example(report,
              "gsim report results/first_portfolio.h5\n"
              "  gsim report results/night --output night.html");

  CLI::App* status = top.add_subcommand("status", "Show running and finished runs");
  status->add_option("DIR", a.files, "Folders of results, or status files (default: results)")
      ->check(not_empty());
  status->add_flag("--watch{2}", s.watch, "Repeat every 2 or SECONDS seconds until all have ended")
      ->option_text("[=SECONDS]");
  status->add_flag("--json", a.json, "One JSON array");
  add_example(
      status,
      "gsim status results/night --watch=10\n\n"
      "Exit codes: 0 all are running or finished, 1 some failed or are stale (their process\n"
      "is gone), 75 some were interrupted (run again with --resume), 2 bad input.");

  CLI::App* validate = top.add_subcommand("validate", "Recompute published values and compare");
  validate->add_option("MODULE", a.module_or_file,
                       "A module, or a file of cases (*.toml); without it, all");
  auto* full =
      validate->add_flag("--full", a.full, "Ten times smaller errors; takes up to an hour");
  validate->add_flag("--quick", a.quick, "Standard errors of 1e-3 (default)")->excludes(full);
  validate->add_flag("--json", a.json, "One JSON object");
  validate->add_option("--only", a.only, "Only this set of cases; repeatable")
      ->allow_extra_args(false)
      ->type_name("SET");
  validate->add_option("--device", a.device, "Processor of the cases (default: auto)")
      ->check(one_of({"auto", "cpu", "cuda"}))
      ->type_name("auto|cpu|cuda");
  add_threads(validate, s, "CPU threads of a rank (default: all that it may use)");
  validate->add_option("--data", a.data, "Folder of the cases")->type_name("DIR");
  add_plugins(validate, a);
  add_example(
      validate,
      "gsim validate pricing --quick\n"
      "  gsim validate pricing --full --only heston_lewis\n"
      "  gsim validate md --device cuda\n"
      "  gsim validate validation/walkers/resting.toml --plugin build/libwalkers.so\n\n"
      "Keys of files of cases: gsim schema --validation\n"
      "Exit codes: 0 all passed, 1 not, 2 bad input. SIGINT and SIGTERM end it with the report\n"
      "of what is done, code 1.");

  CLI::App* modules = top.add_subcommand("modules", "List the modules, including those of plugins");
  modules->add_flag("--json", a.json, "One JSON array");
  add_plugins(modules, a);
  add_example(modules, "gsim modules --plugin build/libheat.so");

  add_plugin(top, a);

  CLI::App* version = top.add_subcommand("version", "Print the version");
  version->add_flag("--json", a.json, "One JSON object");
  add_example(version, "gsim version");
}

void apply(const Shortcuts& s, Arguments& a) {
  if (!a.device.empty()) a.set.push_back("device=" + toml_string(a.device));
  if (!s.threads.empty()) {
    a.set.push_back("threads=" + s.threads);
    a.threads = std::stoi(s.threads);
  }
  if (!s.output.empty()) a.set.push_back("output.file=" + toml_string(s.output));
  if (!s.resume.empty()) {
    if (s.resume != "yes" && s.resume != "auto") {
      throw CLI::ValidationError("--resume", "takes no value, or =auto, not `" + s.resume + "`");
    }
    a.resume = s.resume == "auto" ? Resume::if_present : Resume::required;
  }
  if (!s.watch.empty()) {
    char* end = nullptr;
    a.watch = std::strtod(s.watch.c_str(), &end);
    if (*end != '\0' || !(a.watch >= 0.1 && a.watch <= 86400))
      throw CLI::ValidationError("--watch",
                                 "takes seconds from 0.1 to 86400, not `" + s.watch + "`");
  }
  if (s.log == "plain") a.log = LogStyle::plain;
  if (s.log == "json") a.log = LogStyle::json;
  if (a.quiet) a.log = LogStyle::quiet;
}

/// Whether the words are those of `gsim run` alone, without another command among them: then the
/// options of the other commands, which take twice the time to make, need not be there.
bool is_only_run(int argc, char** argv) {
  constexpr std::string_view others[] = {"replay", "batch",  "check",   "plot",     "info",
                                         "schema", "report", "status",  "validate", "modules",
                                         "plugin", "help",   "inspect", "compare",  "version"};
  return argc > 2 && std::string_view(argv[1]) == "run" &&
         std::none_of(argv + 2, argv + argc, [&](std::string_view word) {
           return std::find(std::begin(others), std::end(others), word) != std::end(others);
         });
}

}  // namespace

ParseResult parse_arguments(int argc, char** argv, Arguments& a) {
  for (int i = 0; i < argc; ++i) a.command_line += (i > 0 ? " " : "") + std::string(argv[i]);
  CLI::App top("gsim: Monte Carlo and particle simulations on GPU clusters from one TOML file",
               "gsim");
  top.formatter(std::make_shared<HelpFormatter>());
  top.get_formatter()->label("SUBCOMMAND", "COMMAND");
  top.get_formatter()->label("Positionals", "Arguments");
  top.set_help_flag("-h,--help", "Print this help");
  top.set_version_flag("--version", "gsim " + build_info().version, "Print the version");
  top.require_subcommand(1);
  top.allow_extras();  // usage.cpp reports extra arguments; subcommands inherit these settings
  add_example(&top,
              "gsim run configs/pricing/first_portfolio.toml\n\n"
              "`gsim COMMAND --help` prints the options of a command.");
  Shortcuts shortcuts;
  add_run(top, a, shortcuts);
  if (!is_only_run(argc, argv)) {
    add_replay(top, a, shortcuts);
    add_batch(top, a, shortcuts.resume, shortcuts.log);
    add_others(top, a, shortcuts);
  }
  for (CLI::App* command : top.get_subcommands({})) command->group("Commands");
  const auto bad_input = static_cast<int>(ExitCode::bad_input);
  if (argc == 1) return {false, true, bad_input, top.help()};
  std::vector<std::string> words(argv + 1, argv + argc);
  if (words.front() == "help") std::rotate(words.begin(), words.begin() + 1, words.end());
  if (words.back() == "help" && words.size() <= 2) words.back() = "--help";
  std::string usage_error;
  try {
    std::reverse(words.begin(), words.end());  // the order that CLI11 expects
    top.parse(words);
    usage_error = describe_usage_error(top, nullptr);
    if (usage_error.empty()) apply(shortcuts, a);
  } catch (const CLI::Success& help) {
    std::ostringstream out;
    top.exit(help, out, out);
    return {false, false, 0, out.str()};
  } catch (const CLI::ParseError& e) {
    usage_error = describe_usage_error(top, &e);
  }
  if (!usage_error.empty()) return {false, true, bad_input, "error: " + usage_error + "\n"};
  a.command = top.get_subcommands().front()->get_name();
  return {true, false, 0, {}};
}

}  // namespace gsim::app
