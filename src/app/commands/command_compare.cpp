// gsim compare: two results, bit by bit and in units of their standard errors.

#include <cstdio>

#include "src/app/app.hpp"
#include "src/app/comparison/comparison.hpp"

namespace gsim::app {

int command_compare(const Session& session) {
  int code = static_cast<int>(ExitCode::done);
  session.communicator.agree([&] {
    if (!session.communicator.is_root()) return;
    const Arguments& a = session.arguments;
    const ResultComparison comparison = compare_results(a.file, a.second_file);
    const ComparedRuns runs = compare_runs(a.file, a.second_file);
    const Verdict verdict = judge(comparison, a.significance);
    const std::string text = a.json ? comparison_json(runs, comparison, verdict)
                                    : comparison_text(runs, comparison, verdict);
    std::fputs(text.c_str(), stdout);
    if (verdict.agreement == Agreement::different) code = static_cast<int>(ExitCode::failure);
  });
  return session.communicator.broadcast(code);
}

}  // namespace gsim::app
