#pragma once
// One rank's part of a molecular dynamics run, and its loop: move, exchange ghosts while own pairs
// are computed, forces, finish, look.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gsim/core/timer.hpp"
#include "gsim/md/observers/observer.hpp"
#include "src/modules/md/forces/short_range.hpp"
#include "src/modules/md/simulation/domain.hpp"
#include "src/modules/md/simulation/thermodynamics.hpp"

namespace gsim::md {

struct SimulationOptions {
  Executor executor;
  Communicator communicator;
  BufferPath buffers = BufferPath::host;
  std::shared_ptr<RegionTimer> timer;
  const Units* units = nullptr;
  double time_step = 0;
  double skin = 0;    ///< what typical speeds are measured by
  double margin = 0;  ///< how far lists and ghosts reach beyond the distances that matter
  Index atoms = 0;    ///< of the whole system
  std::vector<MotionClass> classes;
  ForceQuanta quanta;
  BalanceConfig balance;
};

/// What makes a simulation, ready for use: short-range forces have the quanta already.
struct SimulationParts {
  std::unique_ptr<Particles> particles;
  std::unique_ptr<ShortRange> short_range;
  std::vector<std::unique_ptr<ForceTerm>> terms;
  std::unique_ptr<Motion> motion;
  std::vector<std::unique_ptr<Observer>> observers;
};

/// Parts of the potential energy, in the order in which sums hold them.
std::vector<std::string> energy_names(const SimulationParts& parts);

/// Distances within which ghosts are needed: of short-range forces, of the largest of other terms
/// and of observers; 0: none. `margin`: how far lists reach beyond.
struct Reaches {
  double cutoff = 0, margin = 0;
  double terms = 0, observers = 0;
};
Reaches reaches(const SimulationParts& parts, double margin);
/// How far ghosts must reach: terms watch their reach themselves at every step, lists and observers
/// need it until the lists are built anew.
double halo_width(const Reaches& reaches);

class Simulation {
 public:
  Simulation(SimulationOptions options, SimulationParts parts, const Box& box);

  /// Begins at `step` with the locals that particles() holds, wherever they are: forces, and what
  /// observers see of the first step (`observe`: not after a restart). Collective.
  void begin(Index step, bool observe);
  /// Does steps [first, first + count); stops early, on all ranks alike, when a rank's state is
  /// sick. Velocities are whole afterwards. Collective.
  void advance(Index first, Index count);

  /// What is wrong on this rank, and since which step: empty, or a message for people. Of several
  /// ranks only those know of it that found it first.
  const std::string& health() const { return fault_; }
  bool is_done() const { return parts_.motion->is_done(); }
  /// Back to the last state that was sound at the end of advance() or begin(): atoms and box, for
  /// writing them; motion and observers stay as they are. Returns its step.
  Index go_back();

  /// Thermodynamics of the state after advance() or begin(), said to be of `step`. Collective.
  Thermo measure(Index step);
  /// The atoms as they are, said to be of `step`.
  Snapshot snapshot(Index step, const Thermo* thermo = nullptr);

  Particles& particles() { return *parts_.particles; }
  const Box& box() const { return box_; }
  Motion& motion() { return *parts_.motion; }
  const std::vector<std::unique_ptr<Observer>>& observers() const { return parts_.observers; }
  /// State under "atoms/", "box/", "motion/" and the observers' names; and back, in the place of
  /// filling particles(): begin() follows.
  void save(DatasetWriter& writer) const;
  void restore(DatasetReader& reader);
  /// Digest of all atoms' positions, images and velocities, the same on every rank. Collective.
  std::uint64_t state_digest() const;

 private:
  class Work;
  /// A sound state of this rank's atoms, in host memory.
  struct Kept {
    Index step = 0, locals = 0;
    std::vector<std::vector<std::byte>> columns;
    std::optional<Box> box;
  };
  void keep(Index step);
  ForceContext force_context(bool with_sums);
  MotionContext motion_context(Index step, bool is_observed);
  void step(Index step, bool is_last);
  bool refresh(bool must_rebuild);
  bool rebuild();
  bool place_atoms(bool sorted);
  void fit_reaches();
  bool balance();
  void rebuild_pairs(const ForceContext& context);
  void follow_box();
  void compute(bool with_sums);
  bool guard(const std::function<void()>& body);
  void note_fault(const Fault& fault);
  void look_at_motion();
  void agree_on_fault();
  bool is_due(Index step, bool* with_thermo) const;
  bool is_beyond_lists(Index step) const;
  void look(Index step);
  void observe(Index step);

  SimulationOptions options_;
  SimulationParts parts_;
  Box box_, known_box_, listed_box_;  // now; that forces know; of the last rebuild
  Thermodynamics thermodynamics_;
  Domain domain_;
  std::vector<ForceSums> sums_;  // of the short-range forces, then of each term
  ForceTotals totals_;
  std::string fault_;      // what went wrong on this rank
  Index fault_step_ = -1;  // whose forces or positions were found to be wrong
  bool is_sick_ = false, fresh_ = false;
  Index rebuilds_ = 0;
  Index step_ = 0;        // whose forces are computed
  Index rebuilt_at_ = 0;  // the step of the last rebuild
  Kept kept_;
};

}  // namespace gsim::md
