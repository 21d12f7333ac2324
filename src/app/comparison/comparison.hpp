#pragma once
// The output of `gsim compare`: what differs between two results, and whether they agree.

#include <string>
#include <utility>
#include <vector>

#include "gsim/config/key_differences.hpp"
#include "gsim/io/compare_results.hpp"
#include "output_files.hpp"

namespace gsim::app {

/// What the provenance of two results says about their differences.
struct ComparedRuns {
  std::string first, second;  ///< files
  std::string first_run,
      second_run;  ///< "pricing, seed 7, digest 3c8f6a0a6459"; with gsim's version if they differ
  std::vector<KeyDifference> keys;  ///< of the configuration, without those of files and processors
  std::vector<std::string> input_files;  ///< names of input files whose contents differ
};

/// Reads the provenance of two result files of gsim. InputError as compare_results().
ComparedRuns compare_runs(const std::string& first, const std::string& second);

enum class Agreement {
  same_bits,     ///< all results are equal bit for bit
  within_error,  ///< estimates differ as results with other random numbers do
  different
};

/// The verdict on two results.
struct Verdict {
  Agreement agreement = Agreement::same_bits;
  Index estimates = 0;  ///< number of estimates with errors, or that differ without errors
  /// The probability that the largest of `estimates` |z| is at least as large as found, if both
  /// results estimate the same values with normal deviations: at most their number times the
  /// probability of one (Bonferroni), which holds whatever their correlations are. Results do not
  /// hold how many batches an error is from, and errors of few batches make large |z| likelier: by
  /// Student's t, |z| > 3.29 has the probability 0.001 with exact errors, 0.0022 with errors from
  /// 20 batches in both results, 0.0041 with 10, and 0.011 with 5.
  double probability = 1;
  std::string reason;  ///< why they are different
};

/// Results with estimates agree if `probability` is at least `significance` and both have the same
/// estimates; values without errors do not count then, because samples, series and what depends on
/// them differ with the random numbers. Estimates with other bits and an error that is not known in
/// either file differ. Estimates without errors (0, or of rounding size) must be equal up to
/// rounding. Results without estimates agree only if all bits are equal.
/// Further output files count where all bits of the results are equal: then theirs must be, too.
Verdict judge(const ResultComparison& comparison, double significance,
              const ComparedFiles& files = {});

/// The output as text, and as one JSON object.
std::string comparison_text(const ComparedRuns& runs, const ResultComparison& comparison,
                            const Verdict& verdict, const ComparedFiles& files = {});
std::string comparison_json(const ComparedRuns& runs, const ResultComparison& comparison,
                            const Verdict& verdict, const ComparedFiles& files = {});

}  // namespace gsim::app
