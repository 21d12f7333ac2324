// The end of a run after a fault of its state.

#include <filesystem>
#include <functional>

#include <fmt/format.h>

#include "gsim/core/text.hpp"
#include "gsim/io/result_file.hpp"
#include "output_files.hpp"
#include "run.hpp"

namespace gsim::engine {

std::string Run::keep_valid_results(const std::string& fault) {
  if (!module_.has_valid_results()) return {};
  const std::string path =
      std::filesystem::path(request_.options.output).replace_extension(".until_fault.h5").string();
  history_.fault = fault;
  outcome_.units_done = slice_from_;
  history_.seconds = comm_.broadcast(total_now());
  outcome_.digest = module_.digest();
  ResultFile file(comm_, path);
  module_.write_results(file);
  write_provenance(file, context_, request_, outcome_, history_);
  comm_.agree([&] {
    if (comm_.is_root()) back_up_results(path, outcome_.digest);
  });
  file.commit();
  return "all results until then are in " + path;
}

void Run::fail_on_all_ranks(const ControlDecisions& control) {
  const std::string fault_text = comm_.broadcast(module_.health(), control.failed_rank);
  const std::string when = outcome_.units_done > slice_from_
                               ? fmt::format("{} {} to {}", plural(plan_.unit_name),
                                             slice_from_ + 1, outcome_.units_done)
                               : fmt::format("before the first {}", plan_.unit_name);
  std::string message = fmt::format("{} (rank {}, {})", fault_text, control.failed_rank, when);
  // An error during the report of a fault must not hide the fault.
  const std::string fault = message;
  const auto add = [&](const std::function<std::string()>& make_clause) {
    try {
      const std::string clause = make_clause();
      if (!clause.empty()) message += "; " + clause;
    } catch (const Error& error) {
      message += fmt::format("; {}", error.what());
      if (!error.is_agreed()) throw NumericalError(message);
    }
  };
  add([&] { return module_.abandon(); });
  add([&] { return keep_valid_results(fault); });
  if (!outcome_.checkpoint_path.empty()) {
    message += "; the last checkpoint is " + outcome_.checkpoint_path;
  }
  NumericalError error(message);
  error.mark_agreed();
  throw error;
}

}  // namespace gsim::engine
