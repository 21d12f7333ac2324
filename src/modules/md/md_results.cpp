// The estimates, report and results of a run of molecular dynamics.

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "gsim/core/digest.hpp"
#include "src/modules/md/md_module.hpp"

namespace gsim::md {

std::vector<Estimate> MdModule::thermo_estimates() const {
  const bool is_sampled = !config_.motion.plan.is_minimiser();
  std::vector<Estimate> list = thermo_->estimates();
  for (Estimate& e : list) {
    e.is_judged = is_sampled &&
                  (e.name == "temperature" || e.name == "potential_energy" || e.name == "pressure");
    e.converged = e.is_judged && context_->stop.converged(e);
  }
  return list;
}

Module::Evaluation MdModule::evaluate(Index done) {
  if (const std::string remark = unfinished(); done == config_.steps && !remark.empty())
    if (context_->warn) context_->warn(remark);
  // The result of a minimiser is its last state, whether or not the table has a row of it.
  const bool ends = simulation_->is_done() || done == config_.steps;
  if (config_.motion.plan.is_minimiser() && ends) {
    const Thermo thermo = simulation_->measure(done);
    thermo_->observe_end(simulation_->snapshot(done, &thermo));
  }
  Evaluation result;
  const StopRule& stop = context_->stop;
  for (const Estimate& e : thermo_estimates())
    if (e.is_judged) result.add(e, stop);
  const bool all = stop.has_error_target() && thermo_->rows() > 0 && result.judged > 0 &&
                   result.converged == result.judged;
  result.all_converged = all || simulation_->is_done();
  return result;
}

std::string MdModule::unfinished() const {
  const MotionConfig& motion = config_.motion;
  if (!motion.plan.is_minimiser() || simulation_->is_done()) return {};
  return fmt::format(
      "the minimiser has not converged in {} steps: the force on an atom is still above {:g}; give "
      "it more steps, or a larger force_tolerance",
      done_, motion.plan.force_tolerance);
}

std::vector<Estimate> MdModule::estimates() const {
  std::vector<Estimate> all;
  for (const auto& observer : simulation_->observers()) {
    const bool is_thermo = observer.get() == thermo_;
    for (Estimate& e : is_thermo ? thermo_estimates() : observer->estimates()) {
      if (!is_thermo) e.is_judged = false;
      all.push_back(std::move(e));
    }
  }
  return all;
}

void MdModule::write_results(DatasetWriter& writer) const {
  for (const auto& observer : simulation_->observers()) observer->write_results(writer);
  if (!config_.motion.plan.is_minimiser()) return;
  const std::string remark = unfinished();
  const std::vector<std::string> words{remark.empty() ? "yes" : "no: " + remark};
  writer.write_strings("minimiser/converged", words);
}

namespace {

/// Remarks on estimates, each once with the names of the estimates.
class Remarks {
 public:
  void add(const std::string& name, const std::string& remark) {
    const auto found = std::find_if(list_.begin(), list_.end(),
                                    [&](const auto& entry) { return entry.first == remark; });
    auto& names = found != list_.end() ? found->second : list_.emplace_back(remark, Names{}).second;
    names.push_back(name);
  }
  /// "pressure, density and 12 more: standard error unknown, 8 samples are too few".
  std::vector<std::string> lines() const {
    constexpr std::size_t max_named = 3;
    std::vector<std::string> lines;
    for (const auto& [remark, names] : list_) {
      const bool is_long = names.size() > max_named;
      const std::size_t shown = is_long ? max_named - 1 : names.size();
      std::string subject;
      for (std::size_t i = 0; i < shown; ++i) subject += (i > 0 ? ", " : "") + names[i];
      if (is_long) subject += fmt::format(" and {} more", names.size() - shown);
      lines.push_back(fmt::format("{}: {}", subject, remark));
    }
    return lines;
  }

 private:
  using Names = std::vector<std::string>;
  std::vector<std::pair<std::string, Names>> list_;
};

}  // namespace

ReportTable MdModule::report() const {
  Remarks remarks;
  ReportTable table;
  table.columns = {"", "mean", "error", "last", "unit"};
  table.right_aligned = {false, true, true, true, false};
  const auto last_of = [&](std::size_t column) {
    return fmt::format("{:.6g}", thermo_->value(thermo_->rows() - 1, column));
  };
  std::size_t last = 0;
  for (const auto& observer : simulation_->observers())
    for (const Estimate& e : observer->estimates()) {
      std::string now;
      if (observer.get() == thermo_ && thermo_->rows() > 0) {
        while (thermo_->columns()[last].name != e.name) ++last;
        now = last_of(last);
      }
      table.rows.push_back({e.name, fmt::format("{:.6g}", e.mean),
                            fmt::format("{:.2g}", e.standard_error), now, e.unit});
      if (!e.remark.empty()) remarks.add(e.name, e.remark);
    }
  table.footer = remarks.lines();
  if (const std::string remark = unfinished(); !remark.empty()) {
    table.footer.push_back(remark);
  } else if (config_.motion.plan.is_minimiser()) {
    table.footer.push_back(fmt::format(
        "the minimiser has converged by step {}: the force on every atom is at most {:g}", done_,
        config_.motion.plan.force_tolerance));
  }
  const auto& columns = thermo_->columns();
  for (std::size_t c = 0; c < columns.size() && thermo_->rows() > 0; ++c)
    if (thermo_->is_of_integrator(c))
      table.rows.push_back({columns[c].name, "", "", last_of(c), columns[c].unit});
  return table;
}

std::uint64_t MdModule::digest() const {
  Digest digest;
  digest.add(simulation_->state_digest());
  for (const auto& observer : simulation_->observers()) digest.add(observer->digest());
  return digest.value();
}

}  // namespace gsim::md
