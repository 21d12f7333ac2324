#include "evaluation_state.hpp"

#include <string>
#include <vector>

namespace gsim::engine {
namespace {

constexpr const char* counts_path = "engine/evaluation/counts";
constexpr const char* errors_path = "engine/evaluation/errors";
constexpr const char* worst_path = "engine/evaluation/worst";

}  // namespace

void save_evaluation(DatasetWriter& writer, const Evaluation& e) {
  if (e.judged == 0) return;
  writer.write(counts_path,
               std::vector<Index>{e.judged, e.converged, Index{e.all_converged},
                                  Index{e.worst.is_relative}, Index{e.worst.is_converged}});
  writer.write(errors_path, std::vector<double>{e.worst_relative_error, e.worst_absolute_error,
                                                e.worst.error, e.worst.excess});
  writer.write_strings(worst_path, std::vector<std::string>{e.worst.name});
}

Evaluation restore_evaluation(DatasetReader& reader) {
  Evaluation e;
  if (!reader.has(counts_path)) return e;
  const auto counts = reader.read<Index>(counts_path);
  const auto errors = reader.read<double>(errors_path);
  const auto names = reader.read_strings(worst_path);
  e.judged = counts.at(0);
  e.converged = counts.at(1);
  e.all_converged = counts.at(2) != 0;
  e.worst_relative_error = errors.at(0);
  e.worst_absolute_error = errors.at(1);
  e.worst = {names.at(0), errors.at(2), counts.at(3) != 0, errors.at(3), counts.at(4) != 0};
  return e;
}

}  // namespace gsim::engine
