#include "src/modules/md/setup/assembly.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "src/modules/md/bonded/scaled_pairs.hpp"
#include "src/modules/md/long_range/ewald.hpp"
#include "src/modules/md/many_body/eam.hpp"
#include "src/modules/md/many_body/three_body_forces.hpp"
#include "src/modules/md/neighbour_lists/list_limits.hpp"
#include "src/modules/md/pair_forces/full_list_pair_forces.hpp"
#include "src/modules/md/pair_forces/pair_forces.hpp"
#include "src/modules/md/simulation/fill_particles.hpp"
#include "src/modules/md/simulation/quanta.hpp"

namespace gsim::md {

Assembly::Assembly(const MdConfig& config, const StartSystem& system, const Context& context,
                   int ranks)
    : config_(config), system_(system), executor_(context.executor), buffers_(context.buffers) {
  plan_short_range(context);
  margin_ = choose_margin(context, ranks);
  bonded_ = locate_errors(config.start.where, [&] {
    return bonded_parameters(config.bonded, system.topology(), config.start.bonded_of_file());
  });
  if (has_bonded_terms() && table_ == std::nullopt)
    throw ConfigError(
        config.bonded.is_given ? config.bonded.where : config.start.where,
        fmt::format("the start has bonds, and there is a table {}, but {} cannot exclude pairs of "
                    "bonded atoms",
                    config.has_eam ? "[eam]" : "[triplet]",
                    config.has_eam ? "the embedded-atom method" : "three-body potentials"),
        "use pair potentials, or a start without bonds");
  if (has_bonded_terms())
    locate_errors(config.bonded.is_given ? config.bonded.special_at : config.start.where,
                  [&] { bonded_parameters_of(&*table_); });
  check_box();
}

void Assembly::plan_short_range(const Context& context) {
  if (config_.has_eam)
    cutoff_ = config_.eam.potential.cutoff;
  else if (config_.has_three_body)
    cutoff_ = config_.three_body.cutoff();
  else
    plan_pairs(context);
  ghost_reach_ = config_.has_three_body ? 2 * cutoff_ : cutoff_;
}

// All ranks need the same margin, because the ghosts of a rank are chosen by the ranks that own
// them, with their halo width.
double Assembly::choose_margin(const Context& context, int ranks) const {
  // The box may shrink to this fraction of its width before lists need a smaller radius.
  const double narrowing = config_.motion.barostat ? 0.6 : 0.8;
  const Box& box = system_.box();
  const double skin = config_.skin;
  const double widest = context.communicator.any(executor_.is_cuda())
                            ? widest_full_margin(cutoff_, skin)
                            : widest_cluster_margin(skin);
  double margin =
      config_.has_three_body ? skin : list_margin(box, ranks, cutoff_, skin, widest, narrowing);
  // The margin applies to the distances of observers, too, which may be as large as half the box.
  if (const double reach = observed_reach(config_.observe); reach > 0)
    margin = std::min(margin, list_margin(box, 1, reach, skin, widest, narrowing));
  return margin;
}

// The message names the distance that determines the minimum width, and the place of its key.
void Assembly::check_box() const {
  const CoulombConfig& coulomb = config_.pairs.coulomb;
  const bool is_coulomb_cutoff = coulomb.is_on() && coulomb.cutoff == cutoff_;
  const SourceLocation& cutoff_at = config_.has_eam          ? config_.eam.where
                                    : config_.has_three_body ? config_.three_body.where
                                    : is_coulomb_cutoff      ? coulomb.cutoff_at
                                                             : config_.pairs.cutoff_at;
  const double bonded = bonded_reach(bonded_, system_.topology());
  const double reach = std::max(ghost_reach_ + config_.skin, bonded);
  const std::string reason =
      bonded == reach ? fmt::format("the reach of bonds and angles, {:.6g} ({})", bonded,
                                    to_string(config_.bonded.where))
                      : fmt::format("the sum of {} {:.6g} ({}) and the skin {:.6g}",
                                    config_.has_three_body ? "two cutoffs," : "the cutoff",
                                    ghost_reach_, to_string(cutoff_at), config_.skin);
  const Box& box = system_.box();
  for (int a = 0; a < 3; ++a)
    if (box.boundary(a) == Boundary::periodic && box.width(a) < 2 * reach)
      throw ConfigError(
          config_.start.box_location,
          fmt::format("the box is {:.6g} wide across {}, and must be {:.6g} at least: twice {}",
                      box.width(a), "xyz"[a], 2 * reach, reason),
          "make the box larger, or this distance shorter");
}

void Assembly::plan_pairs(const Context& context) {
  const PairConfig& pairs = config_.pairs;
  const CoulombConfig& coulomb = pairs.coulomb;
  const Units& units = units_of(config_.units);
  if (!pairs.is_given())
    throw ConfigError(config_.keys.location(), "no table says which forces act between atoms",
                      "add [pair] with a [[pair.potential]], [coulomb] or [eam]");
  if (coulomb.is_on()) charges_ = start_charges(context.communicator, system_, config_.start);
  if (!coulomb.is_on() && coulomb.method != CoulombMethod::none) refuse_charges(context);
  if (coulomb.is_on() && coulomb.method == CoulombMethod::ewald)
    ewald_ = locate_errors(coulomb.where, [&] {
      return choose_ewald(coulomb.ewald, system_.box(), coulomb.cutoff, charges_,
                          coulomb.constant(units));
    });
  table_ = make_pair_table(pairs, config_.start.type_names(), units,
                           ewald_ ? ewald_->parameters.alpha : 0);
  cutoff_ = table_->cutoff();
}

void Assembly::refuse_charges(const Context& context) const {
  const StartConfig& start = config_.start;
  const bool may_be_charged =
      !start.file.empty() || std::any_of(start.types.begin(), start.types.end(),
                                         [](const TypeConfig& t) { return t.charge != 0; });
  if (may_be_charged && start_charges(context.communicator, system_, start).largest > 0)
    throw ConfigError(
        start.where, "atoms have charges, and no table says how these interact",
        "add [coulomb] with method = \"none\" if they do not interact, else with another method");
}

double Assembly::halo_width() const {
  return md::halo_width({ghost_reach_, margin_, bonded_reach(bonded_, system_.topology()),
                         observed_reach(config_.observe)});
}

PairMemory Assembly::pair_memory() const {
  PairMemory memory;
  memory.list_radius = list_radius();
  memory.cutoff = cutoff_;
  memory.mixed = config_.precision == PairPrecision::mixed;
  memory.on_device = executor_.is_cuda();
  memory.full_lists = memory.on_device || config_.has_three_body;
  memory.ghosts_listed = config_.has_three_body;
  memory.threads = executor_.threads();
  if (config_.has_eam) memory.densities = config_.eam.tables().types() > 1 ? 2 : 1;
  return memory;
}

std::vector<std::string> Assembly::notes() const {
  std::vector<std::string> notes;
  if (config_.has_eam) notes.push_back(config_.eam.summary);
  if (config_.has_three_body) notes.push_back(config_.three_body.summary);
  if (table_ && !config_.pairs.summary.empty()) notes.push_back(config_.pairs.summary);
  if (has_bonded_terms() && !config_.bonded.is_given)
    notes.push_back(fmt::format("bonded interactions, exclusions and 1-4 factors are those of {}",
                                config_.start.file));
  if (ewald_)
    for (std::string& note : ewald_notes(*ewald_)) notes.push_back(std::move(note));
  return notes;
}

std::string Assembly::warning() const {
  if (!ewald_) return {};
  const std::string text = charge_warning(charges_, units_of(config_.units).charge_name);
  return text.empty() ? "" : fmt::format("{}: {}", to_string(config_.pairs.coulomb.where), text);
}

BondedParameters Assembly::bonded_parameters_of(const PairTable* table) const {
  BondedParameters parameters = bonded_;
  const SpecialPairs& special = parameters.special;
  const bool is_scaled = special.scale_14 != 1 || special.coulomb_scale_14 != 1;
  if (table != nullptr && is_scaled)
    parameters.pairs =
        scaled_pairs(*table, config_.pairs.coulomb.is_on()
                                 ? config_.pairs.coulomb.constant(units_of(config_.units))
                                 : 0);
  parameters.id_of = atom_id_function();
  return parameters;
}

std::function<Index(Index)> Assembly::atom_id_function() const {
  const std::vector<Index>& given = system_.given_ids();
  return [&given](Index atom) {
    return given.empty() ? atom + 1 : given[static_cast<std::size_t>(atom)];
  };
}

std::unique_ptr<ShortRange> Assembly::make_pairs(std::span<const Index> type_counts,
                                                 const Exclusions* exclusions) const {
  auto pairs = make_pair_forces(executor_, system_.box(), *table_,
                                {margin_, config_.precision, charges_.largest, atom_id_function()});
  if (config_.pairs.tail)
    pairs->add_tail(TailFunction(*config_.pairs.table), {type_counts.begin(), type_counts.end()});
  pairs->use_exclusions(exclusions);
  return pairs;
}

void Assembly::require_pairs_alone() const {
  const char* other = config_.has_eam          ? "[eam]"
                      : config_.has_three_body ? "[triplet]"
                      : ewald_                 ? "Ewald's sum"
                      : has_bonded_terms()     ? "[bonded]"
                                               : nullptr;
  if (other != nullptr)
    throw InputError(
        fmt::format("a thermal conductivity can be measured only if all forces are pair forces; "
                    "this configuration has {0}; remove the observer or {0}",
                    other));
}

std::unique_ptr<FullListPairForces> Assembly::make_single_atom_pairs() const {
  require_pairs_alone();
  return make_full_list_pair_forces(executor_, system_.box(), *table_,
                                    {0, config_.precision, charges_.largest, atom_id_function()});
}

SimulationParts Assembly::make_forces(std::span<const Index> type_counts,
                                      ForceQuanta& quanta) const {
  const Box& box = system_.box();
  SimulationParts parts;
  parts.particles = std::make_unique<Particles>(
      executor_, ParticleOptions{.charges = config_.pairs.coulomb.is_on()});
  if (config_.has_eam) {
    parts.short_range =
        make_eam(executor_, box, config_.eam.tables(),
                 {margin_, config_.precision, buffers_, 1, atom_id_function()}, *parts.particles);
  } else if (config_.has_three_body) {
    parts.short_range = make_three_body_forces(executor_, box, config_.three_body,
                                               {margin_, config_.precision, atom_id_function()});
  } else {
    const Exclusions* const exclusions = add_bonded(parts, &*table_);
    parts.short_range = make_pairs(type_counts, exclusions);
    if (ewald_)
      parts.terms.push_back(
          std::make_unique<Ewald>(executor_, box, ewald_->parameters, charges_, exclusions));
  }
  quanta = agree_on_quanta(parts);
  return parts;
}

const Exclusions* Assembly::add_bonded(SimulationParts& parts, const PairTable* table) const {
  if (!has_bonded_terms()) return nullptr;
  auto bonded = std::make_unique<BondedForces>(*parts.particles, system_.box(), system_.topology(),
                                               system_.atoms(), bonded_parameters_of(table));
  const Exclusions* const exclusions = &bonded->exclusions();
  parts.terms.push_back(std::move(bonded));
  return exclusions;
}

ForceQuanta Assembly::agree_on_quanta(SimulationParts& parts) const {
  const ForceQuanta quanta = choose_quanta(parts);
  parts.short_range->set_quanta(quanta);
  for (const auto& term : parts.terms) term->set_quanta(quanta);
  return quanta;
}

SimulationParts Assembly::make_push_off(const PairTable& table, double skin,
                                        ForceQuanta& quanta) const {
  SimulationParts parts;
  parts.particles = std::make_unique<Particles>(executor_, ParticleOptions{});
  const Exclusions* const exclusions = add_bonded(parts, nullptr);
  auto pairs = make_pair_forces(executor_, system_.box(), table,
                                {skin, config_.precision, 0, atom_id_function()});
  pairs->use_exclusions(exclusions);
  parts.short_range = std::move(pairs);
  quanta = agree_on_quanta(parts);
  return parts;
}

}  // namespace gsim::md
