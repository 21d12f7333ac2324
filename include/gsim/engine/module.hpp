#pragma once
// The interface of a physics module. The engine (engine/driver.hpp) owns the loop, the clock,
// signals, checkpoints and files; a Module owns the state. Built-in modules and plugins implement
// the same interface and include only headers of include/gsim.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gsim/comm/communicator.hpp"
#include "gsim/comm/device_binding.hpp"
#include "gsim/config/section.hpp"
#include "gsim/core/timer.hpp"
#include "gsim/engine/estimate.hpp"
#include "gsim/exec/executor.hpp"
#include "gsim/io/dataset.hpp"
#include "gsim/math/policy.hpp"

namespace gsim {

/// What the engine provides to a module. References are valid as long as the module exists.
struct Context {
  Communicator communicator;
  Executor executor;
  Arithmetic arithmetic = Arithmetic::strict;
  std::uint64_t seed = 0;
  StopRule stop = {};
  std::string config_directory = {};  ///< relative paths in the configuration start here
  std::function<void(const std::string&)> warn =
      {};  ///< one line to the user, printed once (rank 0)
  /// Measures the time of named regions: RegionTimer::Scope scope(context.timer.get(), "reduce").
  /// All other time counts as "compute".
  std::shared_ptr<RegionTimer> timer = std::make_shared<RegionTimer>();
  /// Path of the result file without ".h5", from which the names of a module's other files are
  /// made.
  std::string output = {};
  BufferPath buffers = BufferPath::host;  ///< how messages from device memory travel
  /// Number of ranks for which plan() forecasts the run (`gsim check --ranks N`); 0: the number of
  /// ranks of the communicator.
  int forecast_ranks = 0;

  /// The number of ranks that plan() assumes.
  int planned_ranks() const { return forecast_ranks > 0 ? forecast_ranks : communicator.size(); }
};

/// A part of the input that is left out because of bad data, and why.
struct SkippedInput {
  std::string name;    ///< as in the input; empty where it could not be read
  std::string reason;  ///< a whole message, perhaps of several lines
};

/// The work of a run, for the banner, `gsim check` and progress.
struct WorkPlan {
  std::string unit_name;      ///< "block", "step", "generation"
  Index total_units = 0;      ///< the run ends here at the latest
  std::string summary;        ///< "12 trades, 3 assets, 252 dates"
  std::string item_name;      ///< what the throughput counts: "path-steps"
  double items_per_unit = 0;  ///< number of items in a unit
  /// Number of samples in a unit, as counted by StopRule::max_samples; 0: units hold no samples.
  Index samples_per_unit = 0;
  /// Number of units that all ranks and threads compute at the same time, where advance() shares
  /// whole units among them. Slices are whole multiples of it, as far as evaluation points allow,
  /// so that none of them idles. 1: each unit is shared.
  Index units_at_once = 1;
  std::string estimate_name = "estimate";  ///< what evaluations count: "trade"
  /// Whether the module's own tables set targets that end a run (a tally's trigger, the tolerance
  /// of a minimiser), besides StopRule's.
  bool has_own_targets = false;
  double bytes_per_rank = 0;          ///< memory forecast
  std::vector<std::string> notes;     ///< further lines for `gsim check`
  std::vector<SkippedInput> skipped;  ///< printed as one JSON event each with --log json
};

/// The results as a table for the terminal, with formatted cells.
struct ReportTable {
  std::vector<std::string> columns;
  std::vector<bool> right_aligned;
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> footer;  ///< lines below: "12 trades, 12 converged"
  Index rows_left_out = 0;          ///< number of further rows, too many for a terminal
};

/// A picture file and its legend, one line for each entry.
struct Drawing {
  std::string file;
  std::vector<std::string> legend;
};

class Module {
 public:
  virtual ~Module() = default;

  /// Describes the module's own tables of the configuration: the keys at top level that are not the
  /// engine's. When a configuration is read, the call also sets the module's options to the values
  /// of the keys; `gsim schema` calls it without values.
  virtual void describe(Section& top) = 0;

  /// Checks that need more than one key: called once after describe() has read the whole
  /// configuration and unknown keys were refused, never for a schema. Throws a ConfigError at the
  /// place of a key, which the module kept while it read (Section::locations(), ::location()).
  virtual void validate() {}

  /// Makes all checks that need no large allocations, and plans the work. Called after validate(),
  /// in the same way on every rank; `gsim check` ends here.
  virtual WorkPlan plan(const Context& context) = 0;

  /// Draws the pictures of the configuration into files named after context.output. `gsim plot`
  /// calls it on one rank after validate() and instead of plan(), so that input which plan() would
  /// refuse can be inspected.
  virtual std::vector<Drawing> draw(const Context& /*context*/) { return {}; }

  /// Digest of all input other than the configuration and the files that were read by
  /// Section::input_file(), which the engine digests itself; 0 when there is none. Called after
  /// plan(). A checkpoint with another digest is refused.
  virtual std::uint64_t input_digest() const { return 0; }

  /// Makes the initial state, of zero units done. Called once, after plan().
  virtual void prepare() = 0;

  /// The first evaluation point after `done` units. It may depend on the configuration only.
  virtual Index next_evaluation(Index done) const = 0;

  /// Computes units [first, first + count). The engine may cut the same units into any slices: the
  /// state afterwards must not depend on the slices, the number of ranks or of threads. Slices
  /// never cross an evaluation point. The state must be valid after every slice, since it may be
  /// saved there, or the run may end there and write its results. Collective.
  virtual void advance(Index first, Index count) = 0;

  /// Called at an evaluation point: compares errors with the targets of context.stop, and may drop
  /// work that has converged. The same result on every rank. Collective.
  using Evaluation = gsim::Evaluation;
  virtual Evaluation evaluate(Index done) = 0;

  /// Updates the estimates, and all that write_results(), report() and digest() return, to the
  /// current state, without an evaluation of targets. Called before results of a state are written
  /// that was not evaluated, for example where the wall time ends a run between evaluation points.
  /// Collective.
  virtual void update_estimates() = 0;

  /// Called after every slice on each rank: an empty text, or a description of a fault of the state
  /// (NaN, lost particle, overflow). The engine then stops all ranks with the message of the lowest
  /// faulty rank.
  virtual std::string health() { return {}; }

  /// Called once, before a run ends because health() reported a fault: saves what is still useful,
  /// and returns a clause about it ("step 1200 is kept in run.last_good.h5") or an empty text.
  /// Collective.
  virtual std::string abandon() { return {}; }

  /// Called after abandon(): whether write_results() would write valid results of the time before
  /// the fault. The engine then writes them to a file beside that of a whole run.
  virtual bool has_valid_results() const { return false; }

  /// The current estimates; the same on every rank.
  virtual std::vector<Estimate> estimates() const = 0;

  /// Saves the whole state as global datasets, and restores it on any number of ranks. restore() is
  /// called after plan(), instead of prepare(). The name of the group "engine" is reserved.
  /// Collective.
  virtual void save(DatasetWriter& writer) const = 0;
  virtual void restore(DatasetReader& reader) = 0;

  /// Called after restore() where the run that wrote the checkpoint had looser error targets than
  /// context.stop: changes the state to that of a run with the new targets. Where `was_evaluated`
  /// is true, evaluate() was called after the last unit; its changes must be undone, since it is
  /// called again. Returns an empty text, or the reason why this is impossible ("trade `A` took no
  /// samples after it had met the former target"), and the run is refused. A module whose
  /// evaluate() changes nothing that is saved returns an empty text. Collective.
  virtual std::string tighten_targets(bool /*was_evaluated*/) {
    return "this module does not declare that its state is independent of error targets";
  }

  /// Writes the final results. The engine adds the group "provenance". Collective.
  virtual void write_results(DatasetWriter& writer) const = 0;
  virtual ReportTable report() const = 0;

  /// 64-bit digest (core/digest.hpp) of all results for which the same bits are promised; the same
  /// on every rank, which the engine checks. Collective.
  virtual std::uint64_t digest() const = 0;
};

/// Reads the module's tables of `file`, which holds no others, and validates them. ConfigError.
void configure(Module& module, ConfigFile& file);

}  // namespace gsim
