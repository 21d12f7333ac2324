#include "provenance.hpp"

#include <span>

#include <fmt/format.h>

#include "gsim/core/build_info.hpp"
#include "gsim/core/digest.hpp"

namespace gsim::engine {
namespace {

void write_build(DatasetWriter& writer) {
  const BuildInfo& b = build_info();
  const auto put = [&](const char* name, const std::string& text) {
    if (!text.empty()) writer.attribute("provenance", name, text);
  };
  put("gsim_version", b.version);
  put("git_commit", b.git_hash);
  put("compiler", b.compiler);
  put("build_type", b.build_type);
  put("build_flags", b.flags);
  put("cuda_toolkit", b.cuda_version);
  put("sanitizers", b.sanitizers);
}

// One dataset for each file, since attributes cannot hold texts of any length. The texts are those
// of rank 0; every rank has the same list of files.
void write_input_files(DatasetWriter& writer, const std::vector<InputFile>& files) {
  Index number = 0;
  for (const InputFile& file : files) {
    const std::string path = fmt::format("provenance/input_files/{}", ++number);
    writer.write_strings(path, std::span(&file.text, 1));
    writer.attribute(path, "name", file.path);
    writer.attribute(path, "digest",
                     hex(Digest().add_bytes(std::as_bytes(std::span(file.text))).value()));
    if (!file.problem.empty()) writer.attribute(path, "problem", file.problem);
  }
}

std::string repeatable_in_words(const RunOutcome& outcome, const RunHistory& history) {
  if (outcome.reason == StopReason::wall_time) {
    return "no: stopped by wall time, another run may do more or less";
  }
  if (!history.fault.empty())
    return "no: the run ended at a fault; the number of work units before it depends on timing";
  return history.reason_not_reproducible.empty() ? "yes" : "no: " + history.reason_not_reproducible;
}

}  // namespace

void write_provenance(DatasetWriter& writer, const Context& context, const RunRequest& request,
                      const RunOutcome& outcome, const RunHistory& history) {
  // Times and texts may differ between ranks; those of rank 0 are written.
  const auto put = [&](const std::string& name, const std::string& text) {
    writer.attribute("provenance", name, context.communicator.broadcast(text));
  };
  put("config_name", request.config_name);
  put("config", request.config_text);
  put("config_resolved", request.config_resolved);
  put("module", request.options.module);
  put("seed", fmt::format("{}", request.options.seed));
  put("arithmetic", context.arithmetic == Arithmetic::strict ? "strict" : "fast");
  put("ranks", fmt::format("{}", context.communicator.size()));
  put("threads_per_rank", fmt::format("{}", context.executor.threads()));
  put("executor", context.executor.describe());
  put("transport", context.communicator.backend().describe());
  put("digest", hex(outcome.digest));
  put("stop_reason", history.fault.empty() ? to_string(outcome.reason) : "fault");
  if (!history.fault.empty()) put("fault", history.fault);
  put("repeatable", repeatable_in_words(outcome, history));
  put("units_done", fmt::format("{}", outcome.units_done));
  put("started", history.started);
  put("ended", utc_now());
  put("seconds", fmt::format("{:.3f}", history.seconds));
  if (history.loop.ranks > 0) put("timing", history.loop.json().text());
  put("parts", fmt::format("{}", history.parts));
  if (!history.resumed_from.empty()) put("resumed_from", history.resumed_from);
  write_build(writer);
  for (const auto& [name, text] : request.provenance) put(name, text);
  write_input_files(writer, request.input_files);
}

}  // namespace gsim::engine
