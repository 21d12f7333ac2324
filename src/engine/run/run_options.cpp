#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <string_view>

#include <fmt/format.h>

#include "gsim/core/digest.hpp"
#include "gsim/engine/driver.hpp"

namespace gsim {
namespace {

constexpr std::array<std::string_view, 3> device_words{"auto", "cpu", "cuda"};
constexpr std::array<std::string_view, 3> former_words{"keep", "replace",
                                                       "refuse"};  // ExistingFile
constexpr std::array<std::string_view, 2> arithmetic_words{"strict", "fast"};
constexpr std::array<std::string_view, 3> buffer_words{"auto", "on", "off"};  // GpuAware, CudaIpc

void describe_stop(Section& s, StopRule& stop) {
  s.optional(
      "samples", stop.max_samples,
      {.doc = "most samples, rounded up to whole blocks of the module (pricing: 4096 samples, "
              "and with Sobol points one block in every replicate); 0: the module's own "
              "total",
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
      {.doc = "end with the results so far after this time, resumed parts included; "
              "the one stop that is not repeatable to the bit (0: none)",
       .minimum = 0,
       .is_run_length = true});
  s.optional("require_converged", stop.require_converged,
             {.doc = "exit code 3 where an estimate misses its error target at the end, or input "
                     "was skipped; the results are written all the same"});
}

void describe_checkpoint(Section& s, RunOptions& o) {
  s.optional(
      "base", o.checkpoint_base,
      {.doc = "checkpoints are BASE.ckpt.1, BASE.ckpt.2, … (empty: the result file's name)"});
  s.optional_duration(
      "interval", o.checkpoint_interval,
      {.doc = "time between checkpoints (0: only when the run is stopped, and at its end)",
       .minimum = 0});
  s.optional("at_end", o.checkpoint_at_end,
             {.doc = "whether a run that comes to its end leaves a checkpoint, too: --resume with "
                     "more steps, batches or samples, or smaller error targets, then goes on from "
                     "there to the bits of one long run"});
  s.optional_duration("time_limit", o.time_limit,
                      {.doc = "time this job may take: before it is over, a checkpoint is written "
                              "and the exit code is 75 (0: none)",
                       .minimum = 0});
}

}  // namespace

void RunOptions::describe(Section& top) {
  top.required("module", module, {.doc = "the physics: a name that `gsim modules` lists"});
  top.optional("plugins", plugins,
               {.doc = "shared objects with further modules: files, or names of files NAME.so or "
                       "libNAME.so in the folders that GSIM_PLUGIN_PATH lists; their code runs "
                       "whenever the configuration is read, by `gsim check`, too (--no-plugins "
                       "refuses it)"});
  auto seed_value = static_cast<Index>(seed);
  top.optional("seed", seed_value, {.doc = "seed of all random numbers", .minimum = 0});
  seed = static_cast<std::uint64_t>(seed_value);
  top.optional_word("device", device, device_words, {.doc = "where kernels run"});
  top.optional(
      "threads", threads,
      {.doc = "host threads per rank (0: all it may use)", .minimum = 0, .maximum = max_threads});
  top.optional("arithmetic", arithmetic, arithmetic_words,
               {.doc = "strict: the same bits on every machine; fast: hardware approximations"});
  top.optional_table(
      "stop", [this](Section& s) { describe_stop(s, stop); },
      "when the run has done enough: whichever comes first");
  top.optional_table(
      "checkpoint", [this](Section& s) { describe_checkpoint(s, *this); },
      "what a stopped run goes on from");
  top.optional_table(
      "output",
      [this](Section& s) {
        s.optional(
            "file", output,
            {.doc =
                 "result file (empty: results/<config's name>.h5); its folder is made, unless it "
                 "is named on the command line: then it must be there"});
        s.optional_word(
            "existing", existing, former_words,
            {.doc = "what becomes of other results and trajectories that have the "
                    "names of this run's: keep gives them the next free name NAME.1.h5, "
                    "NAME.2.h5, …; replace removes them once the new ones are complete; "
                    "refuse does not start (unless the run is resumed)"});
      },
      "where results go");
  top.optional_table(
      "comm",
      [this](Section& s) {
        s.optional_word("gpu_aware", gpu_aware, buffer_words,
                        {.doc = "hand device buffers to MPI: auto asks the library and checks"});
        s.optional_word("ipc", ipc, buffer_words,
                        {.doc = "else copy them from GPU to GPU between ranks of a node (CUDA "
                                "IPC): auto checks; what remains is staged through the host"});
      },
      "messages between ranks");
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
  if (checkpoint_base.empty()) {
    checkpoint_base = output.ends_with(".h5") ? output.substr(0, output.size() - 3) : output;
  }
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
  ConfigFile file =
      ConfigFile::parse("module = \"\"\n[stop]\n[checkpoint]\n[output]\n[comm]\n", "defaults");
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
  constexpr std::array<std::string_view, 12> neutral{"stop.require_converged",
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
  constexpr std::array<std::string_view, 4> own_tables{"[stop]", "[checkpoint]", "[output]",
                                                       "[comm]"};
  // The text is not parsed again, because that would read the files that it names again. An absent
  // table of the engine has its defaults.
  const std::vector<std::string> defaults = default_lines();
  std::string own, kept;
  bool is_own = false;
  visit_keys(without_run_lengths, [&](const std::string& key, std::string_view line) {
    if (line.starts_with('['))
      is_own = std::find(own_tables.begin(), own_tables.end(), line) != own_tables.end();
    if (std::find(neutral.begin(), neutral.end(), key) != neutral.end()) return;
    if (!is_own) {
      (kept += line) += '\n';
    } else if (!line.starts_with('[')) {
      const std::string full = key + std::string(line.substr(line.find(" = ")));
      if (std::find(defaults.begin(), defaults.end(), full) == defaults.end())
        (own += full) += '\n';
    }
  });
  return own + kept;
}

std::string config_identity(const std::string& without_run_lengths) {
  return hex(Digest().add(identity_text(without_run_lengths)).value());
}

}  // namespace gsim
