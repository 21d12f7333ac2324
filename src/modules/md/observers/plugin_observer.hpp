#pragma once
// A plugin's observer as the simulation's loop sees it.

#include <memory>
#include <string>

#include "gsim/md/observers/atom_observer.hpp"
#include "src/modules/md/correlations/sample_steps.hpp"
#include "src/modules/md/observers/observer.hpp"

namespace gsim::md {

/// Names of its estimates begin with its own.
class PluginObserver final : public Observer {
 public:
  PluginObserver(std::string name, const SampleSteps& steps, const MakeAtomObserver& make,
                 const ObserverSetup& setup);

  Index next(Index step) const override { return steps_.next(step); }
  bool needs_thermo() const override { return true; }
  void observe(const Snapshot& snapshot) override;
  std::vector<Estimate> estimates() const override;
  void save(DatasetWriter& writer) const override { theirs_->save(writer, "observe/" + name_); }
  void restore(DatasetReader& reader) override { theirs_->restore(reader, "observe/" + name_); }
  void write_results(DatasetWriter& writer) const override {
    theirs_->write_results(writer, "observables/" + name_);
  }
  std::uint64_t digest() const override { return theirs_->digest(); }

 private:
  std::string name_;
  SampleSteps steps_;
  Executor executor_;
  std::unique_ptr<AtomObserver> theirs_;
};

}  // namespace gsim::md
