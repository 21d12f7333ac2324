#include "src/modules/md/correlations/time_correlation.hpp"

#include <utility>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "src/modules/md/sampling/atom_rows.hpp"

namespace gsim::md {

TimeCorrelation::TimeCorrelation(std::string name, const SampleSteps& steps, const OriginPlan& plan,
                                 const std::vector<std::string>& types, Layout layout,
                                 const ObserverSetup& setup, Particles& particles)
    : name_(std::move(name)),
      path_("observe/" + name_),
      steps_(steps),
      setup_(setup),
      particles_(particles),
      layout_(layout),
      reported_groups_(TypeGroups(setup, name_, types).reported_groups()),
      origins_(plan, 3 * static_cast<Index>(reported_groups_.size()), name_) {}

void TimeCorrelation::copy_at_origins(std::string_view name, ColumnId column, ElementType type,
                                      int components) {
  CopiedColumn copied{column, {}};
  for (Index s = 0; s < origins_.plan().slots(); ++s)
    copied.by_slot.push_back(particles_.store.add_column(fmt::format("{}/{}{}", name_, name, s),
                                                         type, components, Ghosts::none));
  copied_.push_back(std::move(copied));
}

void TimeCorrelation::observe(const Snapshot& snapshot) {
  if (steps_.index(snapshot.step) != samples_)
    throw Error("internal error: observer `" + name_ + "` has missed a step");
  const std::vector<TimeOrigins::Visit> visits = origins_.visits(samples_++);
  if (visits.empty()) return;
  std::vector<TimeOrigins::Visit> measured;
  for (const auto& visit : visits)
    if (visit.lag > 0) measured.push_back(visit);
  Sums sums(layout_.rows + measured.size(), setup_.type_masses.size(), layout_.terms);
  snapshot.communicator.agree([&] { measure(snapshot, measured, sums); });
  snapshot.communicator.sum(sums.sums);
  for (std::size_t k = 0; k < measured.size(); ++k) {
    record(measured[k], sums, layout_.rows + k);
    if (measured[k].lag == origins_.plan().lags) complete(measured[k].slot, measured[k].level);
  }
  for (const auto& visit : visits)
    if (visit.begins) {
      for (const CopiedColumn& copied : copied_)
        copy_rows(particles_.store, copied.from,
                  copied.by_slot[static_cast<std::size_t>(visit.slot)]);
      begin_window(visit.slot, sums);
    }
}

void TimeCorrelation::save(DatasetWriter& writer) const {
  const ParticleStore& store = particles_.store;
  writer.write(path_ + "/samples", samples_);
  origins_.save(writer, path_ + "/windows");
  save_averages(writer);
  for (Index s = 0; s < origins_.plan().slots(); ++s)
    for (const CopiedColumn& copied : copied_) {
      const ColumnId column = copied.by_slot[static_cast<std::size_t>(s)];
      save_rows(writer, "observe/" + store.column(column).name, setup_.communicator, store, column,
                setup_.atoms);
    }
}

void TimeCorrelation::restore(DatasetReader& reader) {
  ParticleStore& store = particles_.store;
  samples_ = reader.read_value<Index>(path_ + "/samples");
  origins_.restore(reader, path_ + "/windows");
  restore_averages(reader);
  for (Index s = 0; s < origins_.plan().slots(); ++s)
    for (const CopiedColumn& copied : copied_) {
      const ColumnId column = copied.by_slot[static_cast<std::size_t>(s)];
      restore_rows(reader, "observe/" + store.column(column).name, setup_.communicator, store,
                   column, setup_.atoms);
    }
}

}  // namespace gsim::md
