// gsim compare: two results, bit by bit and in units of their standard errors; or two files of
// frames.

#include <cstdio>
#include <string>

#include "src/app/app.hpp"
#include "src/app/comparison/comparison.hpp"

namespace gsim::app {
namespace {

/// Compares two trajectories, files of fields, or particle lists; returns whether they are equal.
bool compare_frames(const Arguments& a) {
  const FileComparison comparison = compare_files(a.file, a.second_file);
  const std::string text = a.json ? file_json(comparison).text(2) + "\n" : file_text(comparison);
  std::fputs(text.c_str(), stdout);
  return comparison.same_bits();
}

/// Compares two results and the files beside them; returns whether they agree.
bool compare_with_files(const Arguments& a) {
  const ResultComparison comparison = compare_results(a.file, a.second_file);
  const ComparedRuns runs = compare_runs(a.file, a.second_file);
  const ComparedFiles files = compare_output_files(a.file, a.second_file);
  const Verdict verdict = judge(comparison, a.significance, files);
  const std::string text = a.json ? comparison_json(runs, comparison, verdict, files)
                                  : comparison_text(runs, comparison, verdict, files);
  std::fputs(text.c_str(), stdout);
  return verdict.agreement != Agreement::different;
}

}  // namespace

int command_compare(const Session& session) {
  int code = static_cast<int>(ExitCode::done);
  session.communicator.agree([&] {
    if (!session.communicator.is_root()) return;
    const Arguments& a = session.arguments;
    const bool are_frames = is_frame_file(a.file) && is_frame_file(a.second_file);
    if (!(are_frames ? compare_frames(a) : compare_with_files(a)))
      code = static_cast<int>(ExitCode::failure);
  });
  return session.communicator.broadcast(code);
}

}  // namespace gsim::app
