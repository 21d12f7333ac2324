#pragma once
// One physics. The engine (Driver) owns the loop, the clock, signals, checkpoints and files; a
// Module owns the state and says how far it is. Built-in modules and plugins implement the same
// interface and use nothing of gsim but include/gsim.

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
#include "gsim/engine/evaluation.hpp"
#include "gsim/exec/executor.hpp"
#include "gsim/io/dataset.hpp"
#include "gsim/math/policy.hpp"

namespace gsim {

/// What the engine gives a module. References stay valid as long as the module.
struct Context {
  Communicator communicator;
  Executor executor;
  Arithmetic arithmetic = Arithmetic::strict;
  std::uint64_t seed = 0;
  StopRule stop = {};
  std::string config_directory = {};  ///< relative paths in the configuration start here
  std::function<void(const std::string&)> warn =
      {};  ///< one line to the user, printed once (rank 0)
  /// Where a module books its time: RegionTimer::Scope scope(context.timer.get(), "reduce"). What
  /// it does not book counts as "compute".
  std::shared_ptr<RegionTimer> timer = std::make_shared<RegionTimer>();
  /// Result file without ".h5": what files that a module writes beside it are named after.
  std::string output = {};
  BufferPath buffers = BufferPath::host;  ///< how messages from device memory travel
  /// `gsim check --ranks N`: plan() forecasts a run on so many ranks. 0: it plans for those there
  /// are.
  int forecast_ranks = 0;
};

/// A part of the input that is left out because of bad data, and why.
struct SkippedInput {
  std::string name;    ///< as the input has it; empty where even that could not be read
  std::string reason;  ///< a whole message, of several lines perhaps
};

/// What a module is about to do, for the banner, `gsim check` and progress.
struct WorkPlan {
  std::string unit_name;                   ///< "block", "step", "generation"
  Index total_units = 0;                   ///< the run ends here at the latest
  std::string summary;                     ///< "12 trades, 3 assets, 252 dates"
  std::string rate_name;                   ///< what the progress bar counts: "path-steps"
  double rate_per_unit = 0;                ///< how many of them one unit is
  Index samples_per_unit = 0;              ///< of StopRule::max_samples; 0: units hold no samples
  std::string estimate_name = "estimate";  ///< what evaluations count: "trade"
  /// Whether the module's own tables set targets that end a run (a tally's trigger, the tolerance
  /// of a minimiser), besides StopRule's.
  bool has_own_targets = false;
  double bytes_per_rank = 0;          ///< memory forecast
  std::vector<std::string> notes;     ///< further lines for `gsim check`
  std::vector<SkippedInput> skipped;  ///< for programs: one JSON event each
};

/// A table for the terminal: what the run found, one line a row, already formatted cells.
struct ReportTable {
  std::vector<std::string> columns;
  std::vector<bool> right_aligned;
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> footer;  ///< lines below: "12 trades, 12 converged"
  Index rows_left_out = 0;          ///< of the results, too many for a terminal
};

/// A picture that was drawn into a file, and what is to be seen on it, a line each.
struct Drawing {
  std::string file;
  std::vector<std::string> legend;
};

class Module {
 public:
  virtual ~Module() = default;

  /// Describes the module's own tables of the configuration: the keys at top level that are not the
  /// engine's. Reading fills the module's options by it; `gsim schema` calls it without values.
  virtual void describe(Section& top) = 0;

  /// Checks that need more than one key: called once after describe() has read the whole
  /// configuration and unknown keys were refused, never for a schema. Throws a ConfigError at the
  /// place of a key, which the module kept while it read (Section::locations(), ::location()).
  virtual void validate() {}

  /// Checks everything that can be checked and lays out the work; allocates nothing big. Called
  /// after validate(), on every rank alike; `gsim check` ends here.
  virtual WorkPlan plan(const Context& context) = 0;

  /// Draws the pictures that the configuration asks for into files named after context.output: what
  /// `gsim plot` does, after validate() and in place of plan(), on one rank, so that input that
  /// plan() would refuse can be looked at.
  virtual std::vector<Drawing> draw(const Context& /*context*/) { return {}; }

  /// Digest of all input that stands neither in the configuration nor in files that it read by
  /// Section::input_file(), which the engine digests itself; 0 when there is none. Asked after
  /// plan(); a checkpoint of other input is refused.
  virtual std::uint64_t input_digest() const { return 0; }

  /// Makes the initial state, of zero units done. Called once, after plan().
  virtual void prepare() = 0;

  /// The first evaluation point after `done` units: a fixed function of the configuration.
  virtual Index next_evaluation(Index done) const = 0;

  /// Does units [first, first + count), collectively. The engine may cut the same units into any
  /// slices; the state afterwards must not depend on the slicing, nor on ranks or threads. Slices
  /// never cross an evaluation point. The state is a valid one after every slice: a run may be
  /// saved there, or ended by the clock and its results written.
  virtual void advance(Index first, Index count) = 0;

  /// At an evaluation point: judges convergence by context.stop, drops work that is done. The same
  /// on every rank. Collective.
  using Evaluation = gsim::Evaluation;
  virtual Evaluation evaluate(Index done) = 0;

  /// Brings the estimates, and all that write_results(), report() and digest() say, up to the state
  /// as it is, without judging it: asked before results are written of a state that was not
  /// evaluated, as where the clock ends a run between evaluation points. Collective.
  virtual void update_estimates() = 0;

  /// Health of the state on this rank, asked at every slice: empty, or what is wrong (NaN, lost
  /// particle, overflow). The engine stops all ranks with the first rank's words.
  virtual std::string health() { return {}; }

  /// Asked once, when health() found a rank's state sick and the run is about to end: keeps what
  /// is worth keeping, and returns a clause about it ("step 1200 is kept in run.last_good.h5"), or
  /// empty. Collective.
  virtual std::string abandon() { return {}; }

  /// Asked after abandon(): whether write_results() would write sound results of what went before
  /// the fault. The engine then writes them beside where those of a whole run would be.
  virtual bool has_sound_results() const { return false; }

  /// The estimates so far; the same on every rank.
  virtual std::vector<Estimate> estimates() const = 0;

  /// The whole state as global datasets, and back on any number of ranks; restore() is called
  /// after plan(), in the place of prepare(). Collective. The group "engine" is taken.
  virtual void save(DatasetWriter& writer) const = 0;
  virtual void restore(DatasetReader& reader) = 0;

  /// Called after restore() where the run that wrote the checkpoint had looser error targets than
  /// context.stop, and perhaps ended by them: makes the state what a run with today's targets comes
  /// to. Where `is_judged` is true, evaluate() was called after the last unit; what it changed is
  /// undone, since it is called again. Returns an empty text, or a clause about why that cannot be
  /// ("trade `A` took no samples after it had met the former target"), and the run is refused. A
  /// module whose evaluate() changes nothing that it saves returns an empty text. Collective.
  virtual std::string tighten_targets(bool /*is_judged*/) {
    return "this module does not say that its state is independent of them";
  }

  /// Final results. Collective. The engine writes the group "provenance" itself.
  virtual void write_results(DatasetWriter& writer) const = 0;
  virtual ReportTable report() const = 0;

  /// 64-bit digest (core/digest.hpp) of everything that write_results() wrote and that "same bits"
  /// covers; the same on every rank, which the engine checks. Collective.
  virtual std::uint64_t digest() const = 0;
};

/// Reads the module's tables of `file`, which holds no others, and validates them. ConfigError.
void configure(Module& module, ConfigFile& file);

}  // namespace gsim
