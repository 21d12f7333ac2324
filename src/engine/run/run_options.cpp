#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <string_view>

#include <fmt/format.h>

#include "gsim/config/output_keys.hpp"
#include "gsim/core/digest.hpp"
#include "gsim/engine/driver.hpp"
#include "gsim/engine/stage.hpp"

namespace gsim {
namespace {

constexpr std::array<std::string_view, 3> device_words{"auto", "cpu", "cuda"};
constexpr std::array<std::string_view, 3> existing_words{"keep", "replace",
                                                         "refuse"};  // ExistingFile
constexpr std::array<std::string_view, 2> arithmetic_words{"strict", "fast"};
constexpr std::array<std::string_view, 3> buffer_words{"auto", "on", "off"};  // GpuAware, CudaIpc

void describe_stop(Section& s, StopRule& stop) {
  s.optional("samples", stop.max_samples,
             {.doc = "maximum number of samples, rounded up to whole blocks of the module "
                     "(pricing: 4096 samples, and with Sobol points one block in every replicate); "
                     "0: the module's own total",
              .minimum = 0,
              .is_run_length = true});
  s.optional("absolute_error", stop.absolute_error,
             {.doc = "target standard error, in the estimate's unit (0: none)",
              .minimum = 0,
              .is_run_length = true});
  s.optional("relative_error", stop.relative_error,
             {.doc = "target standard error as a fraction of the mean (0: none)",
              .minimum = 0,
              .is_run_length = true});
  s.optional_duration(
      "wall_time", stop.wall_time,
      {.doc =
           "wall time after which the run ends with the results so far, including resumed parts; "
           "the only stop criterion that is not bitwise reproducible (0: none)",
       .minimum = 0,
       .is_run_length = true});
  s.optional(
      "require_converged", stop.require_converged,
      {.doc = "whether the exit code is 3 if an estimate misses its error target at the end, or "
              "if input was skipped; the results are written in any case"});
}

void describe_checkpoint(Section& s, RunOptions& o) {
  optional_output(s, "base", o.checkpoint_base,
                  "base name of the checkpoints BASE.ckpt.1, BASE.ckpt.2, … (empty: the result "
                  "file's name)");
  s.optional_duration(
      "interval", o.checkpoint_interval,
      {.doc = "time between checkpoints (0: only when the run is stopped, and at its end)",
       .minimum = 0});
  s.optional(
      "at_end", o.checkpoint_at_end,
      {.doc = "whether a finished run leaves a checkpoint: --resume with more steps, batches or "
              "samples, or smaller error targets, then continues it "
              "with the same results, bit for bit, as one long run"});
  s.optional_duration(
      "time_limit", o.time_limit,
      {.doc = "time limit of the job: before it expires a checkpoint is written and the exit "
              "code is 75 (0: none)",
       .minimum = 0});
}

void describe_status(Section& s, StatusOptions& status) {
  s.optional("enabled", status.is_enabled,
             {.doc = "whether the run keeps a status file up to date, which `gsim status` and "
                     "Prometheus read"});
  optional_output(s, "file", status.file,
                  "status file, whose name must end with .prom (empty: beside the results, "
                  "NAME.prom)");
  s.optional_duration(
      "interval", status.interval,
      {.doc = "shortest time between two states of the file", .minimum = 0.1, .maximum = 3600});
  s.optional("price_per_core_hour", status.price_per_core_hour,
             {.doc = "price of one hour of one host thread", .minimum = 0});
  s.optional("price_per_gpu_hour", status.price_per_gpu_hour,
             {.doc = "price of one hour of one GPU", .minimum = 0});
  s.optional("price_per_kwh", status.price_per_kwh,
             {.doc = "price of a kilowatt hour of the processors and GPUs, where their counters "
                     "can be read",
              .minimum = 0});
  s.optional("currency", status.currency, {.doc = "currency of the prices: \"EUR\""});
}

void validate_status(const Section& s, StatusOptions& status) {
  if (!status.file.empty() && !status.file.ends_with(".prom"))
    s.fail("file", fmt::format("`{}` does not end with .prom", status.file),
           "the textfile collector of Prometheus reads no other files");
  if (status.has_price() && status.currency.empty())
    s.fail("currency", "the prices have no currency", "add, for example, currency = \"EUR\"");
}

}  // namespace

void RunOptions::describe(Section& top) {
  top.required("module", module, {.doc = "name of the module, as listed by `gsim modules`"});
  top.optional(
      "plugins", plugins,
      {.doc = "plugins, shared objects with further modules and parts: files, or names of files "
              "NAME.so or libNAME.so in the folders of GSIM_PLUGIN_PATH; their code runs "
              "whenever the configuration is read, also by `gsim check` (--no-plugins "
              "refuses it)"});
  auto seed_value = static_cast<Index>(seed);
  top.optional("seed", seed_value, {.doc = "seed of all random numbers", .minimum = 0});
  seed = static_cast<std::uint64_t>(seed_value);
  top.optional_word("device", device, device_words, {.doc = "processor that runs the kernels"});
  top.optional("threads", threads,
               {.doc = "host threads per rank (0: all that the rank may use)",
                .minimum = 0,
                .maximum = max_threads});
  top.optional("arithmetic", arithmetic, arithmetic_words,
               {.doc = "strict: the same bits on every machine; fast: hardware approximations"});
  top.optional_table(
      "stop", [this](Section& s) { describe_stop(s, stop); },
      "stop criteria: the run ends when the first of them is met");
  top.optional_table(
      "checkpoint", [this](Section& s) { describe_checkpoint(s, *this); },
      "checkpoints, from which a stopped run is resumed");
  top.optional_table(
      "output",
      [this](Section& s) {
        optional_output(s, "file", output,
                        "result file (empty: results/<config's name>.h5); its folder is "
                        "created, unless the file is given on the command line: then the folder "
                        "must exist");
        s.optional_word(
            "existing", existing, existing_words,
            {.doc = "treatment of existing results and trajectories with the names of this "
                    "run's: keep renames them to the next free name NAME.1.h5, NAME.2.h5, …; "
                    "replace removes them once the new ones are complete; refuse ends the run "
                    "with an error (unless it is resumed)"});
      },
      "the result file");
  top.optional_table(
      "status", [this](Section& s) { validated(describe_status, validate_status)(s, status); },
      "the status file, and prices");
  top.optional_table(
      "comm",
      [this](Section& s) {
        s.optional_word("gpu_aware", gpu_aware, buffer_words,
                        {.doc = "whether device buffers are passed to MPI: auto queries the "
                                "library and tests it"});
        s.optional_word(
            "ipc", ipc, buffer_words,
            {.doc =
                 "whether device buffers are otherwise copied between GPUs of a node by CUDA IPC: "
                 "auto tests it; other messages are staged through the host"});
      },
      "messages between ranks");
  // Commands that run stages take these tables out of the text before they read it.
  std::vector<Stage> stages;
  describe_stages(top, stages);
  if (top.has("stage"))
    top.fail("stage", "this command takes a configuration without stages",
             "`gsim run` and `gsim check` run stages, each in a table with the header [[stage]]");
}

RunOptions RunOptions::read(ConfigFile& file, const Section::Describe& module) {
  RunOptions options;
  file.read([&](Section& top) {
    options.describe(top);
    module(top);
  });
  return options;
}

RunOptions RunOptions::read(ConfigFile& file, Module& module) {
  RunOptions options = read(file, [&](Section& top) { module.describe(top); });
  module.validate();
  return options;
}

void configure(Module& module, ConfigFile& file) {
  file.read([&](Section& top) { module.describe(top); });
  module.validate();
}

void RunOptions::default_paths(const std::string& config_name) {
  if (output.empty()) {
    const std::string stem = std::filesystem::path(config_name).stem().string();
    output = fmt::format("{}/{}.h5", default_folder, stem.empty() ? "run" : stem);
  }
  const std::string base = output.ends_with(".h5") ? output.substr(0, output.size() - 3) : output;
  if (checkpoint_base.empty()) checkpoint_base = base;
  if (status.file.empty()) status.file = base + ".prom";
}

namespace {

/// Calls `visit` with each key of a resolved configuration, "stop.samples", and its line. The lines
/// are headers of tables and keys with their values; keys outside of tables come first.
void visit_keys(std::string_view resolved,
                const std::function<void(std::string key, std::string_view line)>& visit) {
  std::string table;
  while (!resolved.empty()) {
    const std::string_view line = resolved.substr(0, resolved.find('\n'));
    resolved.remove_prefix(std::min(resolved.size(), line.size() + 1));
    if (line.empty()) continue;
    if (line.starts_with('[')) table = std::string(line.substr(1, line.size() - 2)) + ".";
    visit(table + std::string(line.substr(0, line.find(" = "))), line);
  }
}

/// The engine's own tables, as keys with their defaults: "checkpoint.at_end = true".
std::vector<std::string> default_lines() {
  ConfigFile file = ConfigFile::parse(
      "module = \"\"\n[stop]\n[checkpoint]\n[output]\n[status]\n[comm]\n", "defaults");
  RunOptions options;
  file.read([&](Section& top) { options.describe(top); });
  std::vector<std::string> lines;
  visit_keys(file.without_run_lengths(), [&](const std::string& key, std::string_view line) {
    lines.push_back(key + std::string(line.substr(std::min(line.size(), line.find(" = ")))));
  });
  return lines;
}

}  // namespace

std::string identity_text(const std::string& without_run_lengths) {
  // Keys that do not affect results or the state of a run.
  constexpr std::array<std::string_view, 12> ignored_keys{"stop.require_converged",
                                                          "checkpoint.base",
                                                          "checkpoint.interval",
                                                          "checkpoint.time_limit",
                                                          "checkpoint.at_end",
                                                          "output.file",
                                                          "output.existing",
                                                          "device",
                                                          "threads",
                                                          "comm.gpu_aware",
                                                          "comm.ipc",
                                                          "plugins"};
  constexpr std::array<std::string_view, 5> engine_tables{"[stop]", "[checkpoint]", "[output]",
                                                          "[status]", "[comm]"};
  // The text is not parsed again, because that would read the files that it names again. An absent
  // table of the engine has its defaults.
  const std::vector<std::string> defaults = default_lines();
  std::string engine_text, module_text;
  bool is_engine_table = false;
  visit_keys(without_run_lengths, [&](const std::string& key, std::string_view line) {
    if (line.starts_with('['))
      is_engine_table =
          std::find(engine_tables.begin(), engine_tables.end(), line) != engine_tables.end();
    if (std::find(ignored_keys.begin(), ignored_keys.end(), key) != ignored_keys.end()) return;
    if (key.starts_with("status.")) return;
    if (!is_engine_table) {
      (module_text += line) += '\n';
    } else if (!line.starts_with('[')) {
      const std::string full = key + std::string(line.substr(line.find(" = ")));
      if (std::find(defaults.begin(), defaults.end(), full) == defaults.end())
        (engine_text += full) += '\n';
    }
  });
  return engine_text + module_text;
}

std::string config_identity(const std::string& without_run_lengths) {
  return hex(Digest().add(identity_text(without_run_lengths)).value());
}

}  // namespace gsim
