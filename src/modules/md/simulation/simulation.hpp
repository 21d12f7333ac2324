#pragma once
// The part of a molecular dynamics run on one rank, and its time loop: first half of the
// integration step, exchange of ghosts overlapped with the forces between owned atoms, remaining
// forces, second half of the integration step, observers.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gsim/core/timer.hpp"
#include "gsim/exec/launch_graph.hpp"
#include "gsim/md/observers/observer.hpp"
#include "src/modules/md/forces/short_range.hpp"
#include "src/modules/md/simulation/domain.hpp"
#include "src/modules/md/simulation/saved_atoms.hpp"
#include "src/modules/md/simulation/thermodynamics.hpp"

namespace gsim::md {

struct SimulationOptions {
  Executor executor;
  Communicator communicator;
  BufferPath buffers = BufferPath::host;
  std::shared_ptr<RegionTimer> timer;
  const Units* units = nullptr;
  double time_step = 0;
  double margin = 0;  ///< skin of pair lists and ghosts, chosen from the configured one and the box
  Index atoms = 0;    ///< number of atoms of the whole system
  std::vector<AtomClass> classes;  ///< atoms that are integrated in the same way
  ForceQuanta quanta;              ///< units of fixed-point forces and energies
  BalanceConfig balance;
};

/// The parts of a simulation, ready for use: the fixed-point units of short-range forces are set.
struct SimulationParts {
  std::unique_ptr<Particles> particles;
  std::unique_ptr<ShortRange> short_range;
  std::vector<std::unique_ptr<ForceTerm>> terms;
  std::unique_ptr<Integrator> integrator;
  std::vector<std::unique_ptr<Observer>> observers;
};

/// Contributions to the potential energy, in the order of the force sums.
std::vector<std::string> energy_names(const SimulationParts& parts);

/// The distances within which ghosts are needed by short-range forces, by the other force terms and
/// by observers; 0: no ghosts are needed. `margin`: the skin of the pair lists.
struct Reaches {
  double cutoff = 0, margin = 0;
  double terms = 0, observers = 0;
};
Reaches reaches(const SimulationParts& parts, double margin);
/// The width of the halo of ghosts. Pair lists and observers need the margin in addition, because
/// ghosts may have moved by it before lists are rebuilt. Other terms, such as bonds, do not: their
/// reach is a limit, and an interaction that is longer at any step ends the run with an error.
double halo_width(const Reaches& reaches);

/// The state of a simulation and its time loop.
class Simulation {
 public:
  Simulation(SimulationOptions options, SimulationParts parts, const Box& box);

  /// Begins at `step` with the owned atoms of particles(), at any positions: migrates them,
  /// computes forces and, if `is_new` (not after a restart), samples the first step.
  /// Collective.
  void begin(Index step, bool is_new);
  /// Integrates steps [first, first + count); stops early, on all ranks, when the state of a rank
  /// is invalid. Velocities are those of the last step afterwards. Collective.
  void advance(Index first, Index count);

  /// The error message, which contains its step, or empty if the state is valid. If several ranks
  /// have errors, only those with the earliest one return a message.
  const std::string& health() const { return fault_; }
  bool is_done() const { return parts_.integrator->is_done(); }
  /// Restores atoms and box of the last valid state at the end of advance() or begin(), so that
  /// they can be written; integrator and observers are not restored. Returns its step.
  Index restore_last_valid();

  /// Thermodynamics of the state after advance() or begin(), labelled with `step`. Collective.
  Thermo measure(Index step);
  /// The current state, labelled with `step`.
  Snapshot snapshot(Index step, const Thermo* thermo = nullptr);

  Particles& particles() { return *parts_.particles; }
  const Box& box() const { return box_; }
  Integrator& integrator() { return *parts_.integrator; }
  const std::vector<std::unique_ptr<Observer>>& observers() const { return parts_.observers; }
  /// Writes the state under "atoms/", "box/", "motion/" and the observers' names. restore() reads
  /// it in place of filling particles(), and must be followed by begin().
  void save(DatasetWriter& writer) const;
  void restore(DatasetReader& reader);
  /// Digest of all atoms' positions, images and velocities, the same on every rank. Collective.
  std::uint64_t state_digest() const;

 private:
  /// Measures the work of this rank, without waiting for others, for load balancing.
  class WorkTimer;
  /// Whether the states of all ranks are valid: the same on every rank.
  enum class StateCheck { valid, invalid };
  /// A valid state of this rank's atoms, in host memory.
  struct ValidState {
    Index step = 0, locals = 0;
    std::vector<std::vector<std::byte>> columns;
    std::optional<Box> box;
  };
  /// Copies the state to last_valid_.
  void keep_valid_state(Index step);
  ForceContext force_context(bool with_sums);
  IntegratorContext integrator_context(Index step, bool is_observed);
  /// Integrates from the state at `step` to the next one; `is_last`: the last step of advance().
  void step(Index step, bool is_last);
  /// The number of steps from `step` on that run_batch() may compute; `end`: the end of advance().
  Index steps_to_batch(Index step, Index end) const;
  /// Integrates `count` steps whose kernels are launched together, before the host reads whether
  /// lists have become stale or atoms overlap. In these cases restores the state at `step` and
  /// returns false.
  bool run_batch(Index step, Index count);
  void launch_batch(Index step, Index count);
  /// Whether there are other ranks.
  bool has_others() const { return options_.communicator.size() > 1; }
  /// Loads positions, and rebuilds lists that are stale or starts the halo exchange, unless
  /// compute() does so. Collective.
  StateCheck update_lists(bool must_rebuild);
  /// Whether ghosts get records for the kernels of forces in this step, in place of positions: the
  /// same on all ranks.
  bool sends_records() const;
  /// Rebuilds the lists if those of any rank are stale; else sends the halo, after packing it
  /// unless `is_packed`. `lists`: the state of the lists of this rank. Collective.
  StateCheck agree_on_lists(ListState lists, bool is_packed);
  /// agree_on_lists() with the state that update_lists() has not read. Collective.
  StateCheck read_pending_lists();
  /// Balances the load and sorts the atoms at intervals, and rebuilds the lists. Collective.
  StateCheck rebuild();
  /// `sorted`: the atoms of this rank are put in spatial order.
  StateCheck migrate_and_build_lists(bool sorted);
  /// Reduces the skin if the box has become too narrow for it.
  void fit_skin_to_box();
  /// Moves the borders of the ranks' bricks if their work is unequal.
  Borders balance();
  void rebuild_pairs(const ForceContext& context);
  /// Passes a box that has changed to the forces.
  void update_box();
  /// Whether the device can compute the change of the box in step `step`, which is not observed.
  bool can_step_on_device(Index step) const;
  /// Lets the device change the box from now on, unless it does.
  void enter_device();
  /// Copies the box from the device if that has changed it, and computes forces in it on.
  void leave_device();
  /// Computes all forces; `with_sums`: also energies and virial. Rebuilds the lists if
  /// update_lists() has not read their state and they are stale.
  StateCheck compute(bool with_sums);
  /// Sets the forces to zero, unless the short-range forces replace them.
  void clear_forces();
  /// Computes the short-range forces between the atoms of this rank, and those with ghosts.
  void compute_locals(bool with_sums);
  void compute_ghosts(bool with_sums);
  /// Runs `body`; a NumericalError becomes the fault of this rank.
  void record_numerical_errors(const std::function<void()>& body);
  /// Keeps `fault` unless there is an earlier one.
  void record_fault(const Fault& fault);
  void record_integrator_fault();
  /// Clears the message of this rank if another rank has an earlier fault. Collective.
  void reduce_faults();
  /// Whether an observer samples `step`; sets *with_thermo to true if one of them needs thermo.
  bool is_due(Index step, bool* with_thermo) const;
  /// Whether an observer that samples `step` needs ghosts farther away than those of the lists.
  bool observers_exceed_ghosts(Index step) const;
  /// Calls observe() if the states of all ranks are valid. Collective.
  void sample(Index step);
  /// Calls the observers that sample `step`.
  void observe(Index step);

  SimulationOptions options_;
  SimulationParts parts_;
  Box box_, force_box_, rebuild_box_;  // now; at the last forces; at the last rebuild of the lists
  Thermodynamics thermodynamics_;
  Domain domain_;
  std::vector<ForceSums> sums_;  // those of short-range forces, then of each term
  ForceTotals totals_;
  std::string fault_;      // error message of this rank
  Index fault_step_ = -1;  // step whose forces or positions are invalid
  bool is_invalid_ = false;
  bool is_on_device_ = false;           // the box is in device memory
  bool is_list_state_pending_ = false;  // compute() reads the state of the lists
  bool has_new_ghosts_ =
      false;  // ghosts were built by rebuild(), so that no halo exchange is pending
  Index rebuilds_ = 0;
  Index step_ = 0;               // step of the forces that are computed
  Index rebuilt_at_ = 0;         // the step of the last rebuild
  Index last_interval_ = 0;      // number of steps between the last two rebuilds
  bool may_batch_steps_ = true;  // false after steps were undone, until the next rebuild
  SavedAtoms before_;            // at the beginning of run_batch()
  LaunchGraph graph_;            // the launches of run_batch()
  ValidState last_valid_;
};

}  // namespace gsim::md
