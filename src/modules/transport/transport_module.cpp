#include "src/modules/transport/transport_module.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "gsim/core/digest.hpp"
#include "gsim/engine/registry.hpp"
#include "gsim/io/backup_file.hpp"
#include "gsim/transport/module.hpp"
#include "src/modules/transport/checks/run_checks.hpp"
#include "src/modules/transport/tracking/passes.hpp"
#include "src/modules/transport/variance_reduction/window_generator.hpp"

namespace gsim::transport {
namespace {

/// Number of batches between evaluations.
constexpr Index evaluation_interval = 10;
/// Smallest number of degrees of freedom with which the error of k is compared with a target. With
/// fewer, the error itself and the correlation of generations are very uncertain.
constexpr Index min_generations = 19;

bool has_mesh(const TallyModel& t) {
  return std::any_of(t.axes.begin(), t.axes.end(),
                     [](const TallyAxis& axis) { return axis.mesh >= 0; });
}

/// Upper bound of the bytes of a mesh in the arrays of a VTKHDF file: two arrays per score, and the
/// points and corners of cells unless the mesh is an image.
double vtk_bytes(const MeshConfig& mesh) {
  // Per cell: two numbers; a point, eight corners with an offset, and the type of the cell. Arcs of
  // 15 degrees at most divide a turn into up to 24 more cells than bins.
  constexpr double arrays = 2 * 8, corners = 3 * 8 + 9 * 8 + 1, max_more_arcs = 24;
  const auto bins = [&](std::size_t k) { return static_cast<double>(mesh.bins(k)); };
  const double arcs = mesh.kind == TallyMeshKind::cylindrical ? max_more_arcs : 0.0;
  return bins(0) * (bins(1) + arcs) * bins(2) * (arrays + (mesh.is_regular ? 0.0 : corners));
}

/// Largest memory on rank 0 for the files of one tally, bytes: the whole table, the part of this
/// rank, and the arrays that are written.
double bytes_of_files(const TalliesConfig& config, const TallyPlan& plan, int ranks) {
  double max_bytes = 0;
  for (const TallyModel& t : plan.tallies) {
    const bool is_drawn = config.vtk && has_mesh(t);
    if (!is_drawn && !config.statepoint) continue;
    double written = config.statepoint ? 16.0 * static_cast<double>(t.values()) : 0.0;
    for (const TallyAxis& axis : t.axes)
      if (is_drawn && axis.mesh >= 0)
        written = std::max(written, vtk_bytes(plan.meshes[static_cast<std::size_t>(axis.mesh)]));
    max_bytes =
        std::max(max_bytes, 16.0 * static_cast<double>(t.values()) * (1 + 1.0 / ranks) + written);
  }
  return max_bytes;
}

}  // namespace

std::vector<Drawing> TransportModule::draw(const Context& context) {
  const Geometry geometry = locate_errors(config_.where, [&] { return make_geometry(config_); });
  return draw_plots(config_.plots, geometry, box_around(geometry), context.executor.pool(),
                    context.output, [&] { return plan_tallies(config_, geometry); });
}

PointCounts TransportModule::check_run() const {
  const Context& context = *context_;
  std::vector<bool> is_sampled;
  PointCounts counts = examine_geometry(is_sampled);
  const RunToCheck run_to_check{config_, *system_, context.executor.pool(), context.seed,
                                is_sampled};
  const std::vector<std::string> source_warnings = check_sources(run_to_check);
  const std::vector<std::string> mesh_warnings = check_meshes(run_to_check);
  const std::vector<std::string> history_warnings = check_histories(run_to_check);
  const std::vector<std::string> detector_warnings = check_detectors(run_to_check);
  check_particle_file();
  if (context.warn) {
    for (const std::string& line : detector_warnings) context.warn(line);
    for (const std::string& line : source_warnings) context.warn(line);
    for (const std::string& line : mesh_warnings) context.warn(line);
    for (const std::string& line : history_warnings) context.warn(line);
    for (const std::string& line : system_->geometry().warnings) context.warn(line);
    for (const std::string& line : config_.materials.notes) context.warn(line);
    for (const std::string& line : config_.sources.notes) context.warn(line);
    if (config_.tallies.statepoint)
      for (const std::string& line : statepoint_omissions(system_->tallies())) context.warn(line);
    if (!config_.biases.transforms.empty() && !config_.windows.is_set)
      context.warn(
          "an exponential transform without [weight_windows]: weights of particles may change by "
          "orders of magnitude, so that few particles dominate a result; add windows");
    if (context.stop.max_samples > 0)
      context.warn(
          "stop.samples has no effect here: transport.particles and batches set the length of the "
          "run");
  }
  return counts;
}

WorkPlan TransportModule::plan(const Context& context) {
  context_ = std::make_unique<Context>(context);
  calculation_.reset();
  system_ = locate_errors(config_.where, [&] {
    return std::make_unique<System>(config_, context.executor, context.seed);
  });
  // The checks give the same on every rank. Where ranks share a node, one of them checks for all.
  PointCounts counts;
  if (context.communicator.is_root()) counts = check_run();
  WorkPlan plan;
  const bool is_eigenvalue = config_.mode == Mode::k_eigenvalue;
  plan.unit_name = is_eigenvalue ? "generation" : "batch";
  plan.total_units = config_.batches;
  plan.has_own_targets =
      std::any_of(system_->tallies().tallies.begin(), system_->tallies().tallies.end(),
                  [](const TallyModel& t) { return t.trigger.is_set(); });
  plan.summary = fmt::format("{}, cells: {}, materials: {}, groups: {}, {} particles per {}",
                             mode_names()[static_cast<std::size_t>(config_.mode)],
                             system_->geometry().cells.size(), config_.materials.materials.size(),
                             config_.materials.groups, config_.particles, plan.unit_name);
  plan.item_name = "particles";
  plan.items_per_unit = mean_particles_per_batch();
  plan.samples_per_unit = std::llround(plan.items_per_unit);
  const int ranks = context.planned_ranks();
  // Sites of two generations, in lists that grow by factors of 1.5, and on a device their order.
  if (is_eigenvalue)
    plan.bytes_per_rank = (3.0 * sizeof(FissionSite) +
                           (context.executor.is_cuda() ? 3.0 * sizeof(std::int32_t) : 0.0)) *
                          static_cast<double>(config_.particles) / ranks;
  plan.bytes_per_rank += TallySet::bytes(system_->tallies(), Calculation::batch_plan(config_),
                                         context.executor.threads(), ranks,
                                         tally_values_of_rank(config_, context, *system_, ranks));
  const Index largest = config_.windows.is_generated
                            ? std::max(config_.particles, generator_particles())
                            : config_.particles;
  plan.bytes_per_rank +=
      bytes_in_flight(context.executor, config_.rules, (largest + ranks - 1) / ranks);
  if (!context.output.empty())
    plan.bytes_per_rank += bytes_of_files(config_.tallies, system_->tallies(), ranks);
  if (config_.windows.is_set)
    plan.bytes_per_rank += 2.0 * sizeof(double) * static_cast<double>(config_.windows.mesh.bins()) *
                           static_cast<double>(config_.materials.groups);
  if (config_.windows.is_generated)
    plan.bytes_per_rank +=
        WindowGenerator::bytes(config_, *system_, context.executor.threads(), ranks);
  if (context.communicator.is_root()) plan.notes = volume_notes(counts);
  if (config_.windows.is_generated)
    plan.notes.push_back(fmt::format(
        "windows   are generated first, {} times, in {} batches of {} particles each; a time "
        "measured in these batches says nothing about later ones",
        config_.windows.generator.iterations, config_.windows.generator.batches,
        generator_particles()));
  return plan;
}

Index TransportModule::generator_particles() const {
  const Index given = config_.windows.generator.particles;
  return given > 0 ? given : config_.particles;
}

/// The mean number of particles: batches that generate weight windows may have another size.
double TransportModule::mean_particles_per_batch() const {
  const auto all = static_cast<double>(config_.batches);
  const auto first = static_cast<double>(config_.windows.generator_batches());
  return ((all - first) * static_cast<double>(config_.particles) +
          first * static_cast<double>(generator_particles())) /
         all;
}

void TransportModule::check_particle_file() const {
  const ParticleFileConfig& c = config_.particle_file;
  if (!c.is_set) return;
  ParticleFile::check(c, system_->geometry(), config_.materials,
                      config_.rules.tracking == Tracking::delta);
  const std::string path = c.path(context_->output);
  const auto is_same = [&path](const std::string& other) {
    namespace fs = std::filesystem;
    const fs::path here = fs::current_path();
    return (here / path).lexically_normal() == (here / other).lexically_normal();
  };
  if (config_.sources.is_file() && is_same(config_.sources.list.front().file))
    throw ConfigError(c.keys.location(), fmt::format("{} is the source file of this run", path),
                      "choose another `file`");
  if (is_same(context_->output) || is_same(context_->output + ".h5"))
    throw ConfigError(c.keys.location(), fmt::format("{} is the results file of this run", path),
                      "choose another `file`");
  if (const std::string reason = why_not_writable(path); !reason.empty())
    throw ConfigError(c.keys.location(), fmt::format("cannot write {}: {}", path, reason),
                      "choose another `file`");
}

std::uint64_t TransportModule::input_digest() const {
  const std::uint64_t particles =
      system_ != nullptr && system_->supply() != nullptr ? system_->supply()->digest() : 0;
  const std::uint64_t inputs[] = {particles, config_.windows.digest(),
                                  config_.materials.input_digest};
  if (std::all_of(std::begin(inputs), std::end(inputs), [](std::uint64_t d) { return d == 0; }))
    return 0;
  return Digest().add(std::span<const std::uint64_t>(inputs)).value();
}

void TransportModule::build() {
  calculation_ = config_.mode == Mode::k_eigenvalue
                     ? make_eigenvalue(config_, *context_, *system_)
                     : make_fixed_source(config_, *context_, *system_);
}

void TransportModule::prepare() {
  build();
  if (ParticleFile* file = calculation_->particle_file()) file->start();
  calculation_->begin();
}

Index TransportModule::next_evaluation(Index done) const {
  Index next = config_.inactive + evaluation_interval;
  if (done >= next) next += ((done - next) / evaluation_interval + 1) * evaluation_interval;
  return std::min(next, config_.batches);
}

void TransportModule::advance(Index first, Index count) {
  for (Index batch = first; batch < first + count; ++batch) calculation_->run(batch);
}

Module::Evaluation TransportModule::evaluate(Index /*done*/) {
  Evaluation result;
  const std::vector<Estimate> all = estimates();
  update_estimates();
  if (all.front().count == 0) return result;
  const bool has_target = context_->stop.has_error_target();
  const TriggerResults triggers = calculation_->tallies().evaluate_triggers();
  // Errors are shown even without a target.
  if (has_target || !triggers.has_trigger) {
    for (const Estimate& e : all)
      if (e.is_judged) result.add(e, context_->stop);
  }
  const bool meets_target = result.judged > 0 && result.converged == result.judged;
  for (const TriggerResults::Result& r : triggers.results) {
    const TallyModel& t = calculation_->tallies().plan().tallies[r.tally];
    StopRule targets;
    targets.relative_error = t.trigger.relative_error;
    targets.absolute_error = t.trigger.absolute_error;
    result.add(fmt::format("tally {}", t.name), r.relative_error, r.absolute_error, targets,
               r.is_met);
  }
  result.all_converged = (has_target || triggers.has_trigger) && (!has_target || meets_target) &&
                         (!triggers.has_trigger || triggers.all_met) &&
                         calculation_->caution().empty();
  return result;
}

void TransportModule::update_estimates() {
  tally_lines_ = calculation_->tallies().summary(calculation_->tally_work_seconds());
}

std::string TransportModule::health() {
  // In overlapping cells the cell of a particle is arbitrary: one such particle ends the run.
  const BatchSeries& series = calculation_->series();
  return series.lost > config_.max_lost || series.overlapping > 0 ? lost_message() : std::string{};
}

// The targets of [stop] apply to the error of k_effective, once the fission source has converged,
// and in fixed-source calculations to all estimates except those that are 0, whose errors are
// unknown.
std::vector<Estimate> TransportModule::estimates() const {
  std::vector<Estimate> list = calculation_->estimates();
  const bool is_eigenvalue = config_.mode == Mode::k_eigenvalue;
  const std::string caution = calculation_->caution();
  for (std::size_t i = 0; i < list.size(); ++i) {
    Estimate& e = list[i];
    e.is_judged = is_eigenvalue ? i == 0 : e.mean != 0;
    e.converged = e.is_judged && caution.empty() &&
                  (!is_eigenvalue || e.degrees_of_freedom >= min_generations) &&
                  context_->stop.converged(e);
  }
  std::string& remark = list.front().remark;
  if (!caution.empty()) remark = remark.empty() ? caution : caution + "; " + remark;
  return list;
}

void TransportModule::save(DatasetWriter& writer) const {
  calculation_->save(writer);
  if (!calculation_->tallies().empty()) calculation_->tallies().save(writer);
  if (const ParticleFile* file = calculation_->particle_file()) file->save(writer);
}

void TransportModule::restore(DatasetReader& reader) {
  build();
  calculation_->restore(reader);
  if (!calculation_->tallies().empty()) calculation_->tallies().restore(reader);
  if (ParticleFile* file = calculation_->particle_file()) file->restore(reader);
}

void TransportModule::write_results(DatasetWriter& writer) const {
  std::vector<std::string> names;
  std::vector<double> mean, error;
  for (const Estimate& e : estimates()) {
    names.push_back(e.name);
    mean.push_back(e.mean);
    error.push_back(e.standard_error);
  }
  writer.write_strings("estimates/name", names);
  writer.write("estimates/mean", mean);
  writer.write("estimates/standard_error", error);
  calculation_->write_results(writer);
  const std::string caution = calculation_->caution();
  if (!caution.empty() && context_->warn) context_->warn(caution);
  calculation_->tallies().write_results(writer);
  if (const ParticleFile* file = calculation_->particle_file()) file->write_results(writer);
  if (!context_->output.empty()) write_tally_files();
}

void TransportModule::write_tally_files() const {
  const TallySet& set = calculation_->tallies();
  for (std::size_t i = 0; i < set.plan().tallies.size(); ++i) {
    const TallyModel& t = set.plan().tallies[i];
    if (!config_.tallies.vtk || !has_mesh(t)) continue;
    write_vtk_file(context_->communicator, set, i,
                   fmt::format("{}.{}.vtkhdf", context_->output, name_in_files(t.name)));
  }
  if (config_.tallies.statepoint && !set.empty())
    write_statepoint(context_->communicator, set, system_->geometry(),
                     calculation_->statepoint_run(), context_->output + ".statepoint.h5");
}

ReportTable TransportModule::report() const {
  ReportTable table;
  table.columns = {"", "mean", "std. error", "batches"};
  table.right_aligned = {false, true, true, true};
  for (const Estimate& e : estimates())
    table.rows.push_back({e.name, fmt::format("{:.5f}", e.mean),
                          fmt::format("{:.5f}", e.standard_error), fmt::format("{}", e.count)});
  table.footer = calculation_->remarks();
  for (const Estimate& e : calculation_->estimates())
    if (!e.remark.empty()) table.footer.push_back(fmt::format("{}: {}", e.name, e.remark));
  table.footer.insert(table.footer.end(), tally_lines_.begin(), tally_lines_.end());
  if (const ParticleFile* file = calculation_->particle_file())
    table.footer.push_back(file->summary());
  if (calculation_->series().lost > 0) table.footer.push_back(lost_message());
  return table;
}

std::uint64_t TransportModule::digest() const {
  Digest digest;
  calculation_->add_to(digest);
  if (!calculation_->tallies().empty()) digest.add(calculation_->tallies().digest());
  if (const ParticleFile* file = calculation_->particle_file()) digest.add(file->digest());
  return digest.value();
}

/// The build writes the definitions of these functions (GsimBuiltinParts.cmake).
void register_builtin_conformance(Registry& registry);
void register_builtin_validation(Registry& registry);

}  // namespace gsim::transport

namespace gsim {
void register_transport_module(Registry& registry) {
  transport::register_builtin_parts(registry);
  transport::register_builtin_conformance(registry);
  transport::register_builtin_validation(registry);
  registry.add({"transport", "neutral particles in matter", [](const Registry& all) {
                  return std::make_unique<transport::TransportModule>(
                      transport::Extensions::of(all));
                }});
}
}  // namespace gsim
