#pragma once
// One history: a particle from its start to its end, and all that it makes, by surface or delta
// tracking.
//
// Free paths are drawn once a flight: what is left of them at a boundary goes on behind it, without
// a draw. `Banks` takes the sites of fission neutrons, add(site); crossings of surfaces,
// note(crossing); particles of this history that wait for their turn, put(record), and
// take(record), false when there is none; those that leave the rank's domain, leave(migrant); and
// has room for one that outlives the pass, survivor(). `Banks::sees_whole_histories`: that all
// particles of a history come to the same History, one after the other, while there is one domain
// and one pass.

#include "kernels/transport/collisions/collision.hpp"
#include "kernels/transport/geometry/geometry.hpp"
#include "kernels/transport/tallies/exact_score.hpp"
#include "kernels/transport/tallies/next_event.hpp"
#include "kernels/transport/tallies/tallies.hpp"
#include "kernels/transport/tracking/histories.hpp"
#include "kernels/transport/variance_reduction/population.hpp"

GSIM_TARGET_BEGIN
namespace transport_kernels {

using transport::Capture;
using transport::CrossingRecord;
using transport::Fission;
using transport::HistoryRules;
using transport::LifeScores;
using transport::Migrant;
using transport::ParticleRecord;
using transport::Site;
using transport::Start;
using transport::Tracking;

template <class Banks>
class History {
 public:
  /// Tallies are added to `sink`; null: there are none.
  GSIM_HD History(const HistoriesArgs& args, Banks& banks, HistoryScores& scores,
                  const TallySink* sink)
      : args_(args),
        rules_(args.rules),
        banks_(banks),
        scores_(scores),
        sink_(sink),
        random_(args.key, 0) {}

  /// Runs item number i of a pass: what is left of a history, or one from its start.
  GSIM_HD void run(Index i) {
    const Index n = i - args_.arrivals.size;
    // One call: compilers put all of a life in its place.
    live(n < 0                      ? take_up(args_.arrivals[i])
         : n < args_.continued.size ? take_up(args_.continued[n])
                                    : start(n - args_.continued.size) && is_at_home());
  }

 private:
  /// A particle's life, and that of all that it makes. `is_alive`: the particle is.
  GSIM_HD void live(bool is_alive) {
    for (;;) {
      if (is_alive) {
        fly();
        end_life();
      }
      ParticleRecord next;
      if (!banks_.take(next)) return;
      is_alive = take_up(next);
    }
  }
  GSIM_HD void fly() {
    if (rules_.tracking == Tracking::surface)
      fly_by_surfaces();
    else
      fly_by_majorant();
  }

  /// Scores of a life that goes on elsewhere went with it.
  GSIM_HD void end_life() {
    add_score(scores_.k_collision, life_.k_collision);
    add_score(scores_.k_absorption, life_.k_absorption);
    add_score(scores_.k_track_length, life_.k_track_length);
  }

  GSIM_HD bool start(Index i) {
    begin_life();
    made_ = 0;
    random_ = HistoryRandom(args_.key, static_cast<std::uint64_t>(args_.first_history + i));
    if (args_.start == Start::sites) {
      const Site& site = args_.sites[i];
      direction_ = isotropic_direction(random_);
      weight_ = 1;
      time_ = 0;
      group_ = site.group;
      begin_flight(at_, site.position, direction_);
      cell_ = -1;
      if (has_detectors()) reach_detectors({}, 0, nullptr);
      return fit_window();
    }
    transport::SourceParticle particle;
    const bool is_started = args_.start == Start::particles || sample_start(particle);
    if (args_.start == Start::particles) particle = args_.particles[i];
    direction_ = particle.direction;
    weight_ = particle.weight;
    time_ = particle.time;
    group_ = particle.group;
    begin_flight(at_, particle.position, direction_);
    cell_ = -1;
    if (!is_started) lose(LostParticle::Reason::no_start);
    if (!(is_started && is_in_time())) return false;
    if (has_detectors()) reach_from_source(particle);
    return fit_window();
  }
  /// Whether the particle begins before the time cutoff; else it ends there.
  GSIM_HD bool is_in_time() {
    if (rules_.is_timed == 0 || time_ < rules_.time_cutoff) return true;
    add_score(scores_.timed_out, weight_);
    return false;
  }
  GSIM_TRANSPORT_CALLED bool sample_start(transport::SourceParticle& particle) {
    const auto accept = [&](std::int32_t source, const Vector3& position) {
      const transport::Source& s = args_.sources.sources[source];
      if (s.cells == 0 && s.materials == 0) return true;
      const transport::CellAt here = cell_at(args_.geometry, position, Vector3{0, 0, 1});
      return is_admitted(args_.sources, source, here.cell, here.material);
    };
    return sample_source(args_.sources, random_, accept, particle);
  }
  // --- point detectors

  GSIM_HD bool has_detectors() const { return args_.tallies.detectors.size != 0; }
  /// What the particle, as it leaves where it is with the distribution of directions `law`,
  /// contributes to point detectors. `at`: its cells, where they are located.
  GSIM_TRANSPORT_CALLED void reach_detectors(const EmissionLaw& law, std::int32_t is_collided,
                                             const Coordinates* at) {
    score_emission(args_, sink_, scores_,
                   {position_of(at_), weight_, time_, &random_, group_, is_collided, law}, at);
  }
  /// Particles that are given one by one come from isotropic sources (check_detectors()).
  GSIM_TRANSPORT_CALLED void reach_from_source(const transport::SourceParticle& particle) {
    const bool is_sampled = args_.start == Start::sources;
    reach_detectors(is_sampled
                        ? law_of_source(args_.sources.sources[particle.source], particle.position)
                        : EmissionLaw{},
                    0, nullptr);
  }
  /// After a scattering from the group of `data` and `direction`.
  GSIM_TRANSPORT_CALLED void reach_from_scattering(const GroupData& data,
                                                   const Vector3& direction) {
    EmissionLaw law;
    law.kind = EmissionLaw::Kind::scattered;
    law.axis = direction;
    law.transfer = transfer_between(args_.materials, data, group_);
    reach_detectors(law, 1, located());
  }
  /// The place of a collision, where surface tracking has located its cells.
  GSIM_HD const Coordinates* located() const {
    return rules_.tracking == Tracking::surface ? &at_ : nullptr;
  }

  GSIM_HD void begin_life() {
    paths_ = tracked_ = -1;
    flights_ = 0;
    births_ = noted_ = 0;
    is_flying_ = false;
    flight_ = {};
    excess_ = 0;
    stretch_ = 0;
    life_ = LifeScores{};
  }
  GSIM_HD void set(const ParticleRecord& from) {
    random_ = HistoryRandom(args_.key, from.random);
    direction_ = from.direction;
    weight_ = from.weight;
    time_ = from.time;
    paths_ = from.free_paths;
    group_ = from.group;
    cell_ = from.cell;
    flight_ = from.flight;
    if (!sees_whole_histories()) made_ = from.made;
  }
  GSIM_HD bool take_up(const ParticleRecord& from) {
    begin_life();
    set(from);
    begin_flight(at_, from.position, direction_);
    return is_in_time() && is_at_home();
  }
  GSIM_TRANSPORT_CALLED bool take_up(const Migrant& from) {
    begin_life();
    set(from.particle);
    if (from.stage == Migrant::Stage::starts) {
      begin_flight(at_, from.particle.position, direction_);
      return true;
    }
    copy_levels(at_, from.at);
    outer_ = from.outer;
    tracked_ = from.tracked;
    stretch_ = from.stretch;
    life_ = from.scores;
    flights_ = from.flights;
    births_ = from.births;
    noted_ = from.noted;
    is_flying_ = true;
    if (from.stage == Migrant::Stage::arrives) tally_arrival();
    return true;
  }

  /// Where the pass ends for this particle, or its life.
  GSIM_HD std::int64_t flights_ahead() const {
    const std::int64_t pass = rules_.flights_a_pass;
    return pass > 0 && pass < rules_.most_flights - flights_ ? flights_ + pass
                                                             : rules_.most_flights;
  }
  /// The particle has flown as far as flights_ahead() lets it. Called: the loops over flights are
  /// slower by a tenth with it in them.
  GSIM_TRANSPORT_CALLED void rest() {
    if (flights_ >= rules_.most_flights) return lose(LostParticle::Reason::endless);
    describe(*banks_.survivor(), args_.domains.rank, Migrant::Stage::is_flying, tracked_);
  }

  GSIM_HD void fly_by_surfaces() {
    const GeometryView& g = args_.geometry;
    if (!is_flying_) {
      if (!locate(g, at_)) return lose(LostParticle::Reason::no_cell);
      if (!enter(innermost_cell())) return;
      if (paths_ < 0) paths_ = sample_free_paths(random_);
    }
    for (const std::int64_t last = flights_ahead(); flights_ < last; ++flights_) {
      const std::int32_t material = g.cells[innermost_cell()].fill;
      const GroupData* const data = data_of(material);
      const double total = data != nullptr ? data->total : 0.0;
      const Boundary ahead = next_boundary(g, at_);
      const double way = ahead.path - at_.path;
      if (tracked_ < 0) ++scores_.flights;
      double drawn = total;  // the cross section that free paths come from
      if (has_biases() && !bias_flight(total, way, drawn)) return;
      if (has_windows() && flight_.is_committed == 0) {
        const double stop = way_to_window();
        if (stop < way && !(paths_ < drawn * stop)) {
          if (!pass(material, data, stop, at_.path + stop)) return;
          paths_ -= drawn * stop;
          at_.path += stop;
          correct_weight(stop);
          if (!fit_window()) return;
          continue;
        }
      }
      if (drawn > 0 && paths_ < drawn * way) {
        const double flown = paths_ / drawn;
        if (!pass(material, data, flown, at_.path + flown)) return;
        at_.path += flown;
        if (excess_ != 0) {
          correct_weight(flown);
          weight_ *= total / drawn;
        }
        flight_ = {};
        tally_flight(at_.level[0].origin, at_.path);
        tally_collision(material, data, total);
        if (!collide(material, *data)) return;
        turn(g, at_, direction_);
        stretch_ = at_.path;
        paths_ = sample_free_paths(random_);
        continue;
      }
      if (ahead.side == Boundary::none) return lose(LostParticle::Reason::no_cell);
      if (!pass(material, data, way, ahead.path)) return;
      paths_ -= drawn * way;
      correct_weight(way);
      const Vector3 origin = at_.level[0].origin;
      const Crossing crossing = cross(g, at_, ahead, random_);
      note_entry(crossing);
      tally_crossing(origin, ahead.path, data, crossing);
      if (!(note(origin, ahead.path, crossing) && goes_on(crossing, origin, ahead.path))) return;
      if (crossing.kind == CrossingKind::next_cell && !(enter(innermost_cell()) && fit_window()))
        return;
      if (!arrive(crossing)) return;
    }
    rest();
  }

  /// E. R. Woodcock et al., ANL-7050 (1965) 557: flights are drawn from the largest cross section
  /// anywhere, and a collision is real with the probability total / majorant.
  GSIM_HD void fly_by_majorant() {
    const GeometryView& g = args_.geometry;
    if (!is_flying_) {
      if (!is_within_walls(g, position_of(at_), direction_))
        return lose(LostParticle::Reason::no_cell);
      if (paths_ < 0) paths_ = sample_free_paths(random_);
      outer_ = next_outer_surface(g, at_);
    }
    for (const std::int64_t last = flights_ahead(); flights_ < last; ++flights_) {
      const double majorant = args_.materials.majorant[group_];
      const double way = outer_.path - at_.path;
      if (tracked_ < 0) ++scores_.flights;
      if (!(paths_ < majorant * way)) {
        if (!pass(Cell::void_material, nullptr, way, outer_.path)) return;
        paths_ -= majorant * way;
        const Vector3 origin = at_.level[0].origin;
        const Crossing crossing = cross_outer_surface(g, at_, outer_, random_);
        tally_crossing(origin, outer_.path, nullptr, crossing);
        if (!(note(origin, outer_.path, crossing) && goes_on(crossing, origin, outer_.path)))
          return;
        outer_ = next_outer_surface(g, at_);
        if (!arrive(crossing)) return;
        continue;
      }
      const double flown = paths_ / majorant;
      if (!pass(Cell::void_material, nullptr, flown, at_.path + flown)) return;
      at_.path += flown;
      const transport::CellAt here =
          cell_at<Whereabouts::within_walls>(g, position_of(at_), direction_);
      if (here.cell < 0) return lose(LostParticle::Reason::no_cell);
      at_.known = -1;
      // Copies have yet to collide here: no way is left to them.
      if (!(enter(here.cell, 0) && fit_window(0))) return;
      paths_ = sample_free_paths(random_);
      const GroupData* const data = data_of(here.material);
      if (sink_ != nullptr && args_.tallies.needs_levels != 0) locate(g, at_);
      tally_collision(here.material, data, majorant);
      if (data == nullptr || !(random_.uniform() * majorant < data->total)) continue;
      tally_flight(at_.level[0].origin, at_.path);
      if (!collide(here.material, *data)) return;
      begin_flight(at_, position_of(at_), direction_);
      stretch_ = at_.path;
      outer_ = next_outer_surface(g, at_);
    }
    rest();
  }

  GSIM_HD std::int32_t innermost_cell() const { return at_.level[at_.depth - 1].cell; }
  GSIM_HD const GroupData* data_of(std::int32_t material) const {
    return material < 0 ? nullptr : &group_data(args_.materials, material, group_);
  }

  /// Flies `way` on from at_.path, which stays, to the path `end`. `data` are those of the material
  /// around; null in void, and in delta tracking, where they are not known. False: the time cutoff
  /// is on the way, or the end of this rank's domain.
  GSIM_HD bool pass(std::int32_t material, const GroupData* data, double way, double end) {
    if (rules_.is_timed == 0) {
      if (!track(material, data, end)) return false;
      score_track(data, way);
      return true;
    }
    const double speed = speed_of(data);
    const double left = (rules_.time_cutoff - time_) * speed;
    if (!track(material, data, way < left ? end : at_.path + left)) return false;
    score_track(data, way < left ? way : left);
    time_ += way / speed;
    if (way < left) return true;
    tally_flight(at_.level[0].origin, at_.path + left);
    add_score(scores_.timed_out, weight_after(left));
    return false;
  }
  /// Tells tallies of the way to the path `end`. False: the domain ends before. Only tallies are
  /// told of a part of a way; all else happens whole, on the rank where the way ends.
  GSIM_HD bool track(std::int32_t material, const GroupData* data, double end) {
    if (args_.domains.cuts.size == 0) {
      tally_track(material, data, at_.path, end);
      return true;
    }
    const Vector3& origin = at_.level[0].origin;
    const DomainExit exit = domain_exit(args_.domains, origin, direction_);
    const double from = tracked_ > at_.path ? tracked_ : at_.path;
    const bool is_home = !(exit.path < end);
    const double to = is_home ? end : exit.path;
    if (from < to) tally_track(material, data, from, to);
    tracked_ = -1;
    if (is_home) return true;
    const double told = from < to ? to : from;
    tally_flight(origin, told);
    leave(owner_behind(args_.domains, exit, origin, direction_), Migrant::Stage::is_flying, told);
    return false;
  }
  /// False: the particle's place belongs to another rank, which goes on with it.
  GSIM_HD bool is_at_home(Migrant::Stage stage = Migrant::Stage::starts) {
    if (args_.domains.cuts.size == 0) return true;
    const std::int32_t owner = domain_owner(args_.domains, position_of(at_), direction_);
    if (owner == args_.domains.rank) return true;
    leave(owner, stage, -1);
    return false;
  }
  GSIM_TRANSPORT_CALLED void leave(std::int32_t owner, Migrant::Stage stage, double tracked) {
    Migrant m;
    describe(m, owner, stage, tracked);
    banks_.leave(m);
  }
  /// Hands all over that another History needs to go on from here.
  GSIM_TRANSPORT_CALLED void describe(Migrant& m, std::int32_t owner, Migrant::Stage stage,
                                      double tracked) {
    m.particle =
        record(position_of(at_), direction_, weight_, time_, paths_, random_.state(), group_);
    m.outer = outer_;
    m.tracked = tracked;
    m.stretch = stretch_;
    m.scores = life_;
    life_ = LifeScores{};
    m.flights = flights_;
    m.births = births_;
    m.noted = noted_;
    m.owner = owner;
    m.stage = stage;
    copy_levels(m.at, at_);
  }
  GSIM_HD bool sees_whole_histories() const {
    return Banks::sees_whole_histories && args_.domains.cuts.size == 0 &&
           rules_.flights_a_pass <= 0;
  }
  GSIM_HD double speed_of(const GroupData* data) const {
    return data != nullptr ? data->speed : args_.materials.free_speed[group_];
  }
  GSIM_HD void score_track(const GroupData* data, double way) {
    if (data != nullptr && data->nu_fission > 0)
      life_.k_track_length += weight_ * data->nu_fission * weighted_way(way);
  }

  // --- forced collisions and the exponential transform

  GSIM_HD bool has_biases() const { return args_.population.biases.size != 0; }
  /// The cross section that free paths come from in this cell, whose total one is `total`, and what
  /// else the cell does to a flight that leaves it after `way`. False: the particle has ended.
  GSIM_TRANSPORT_CALLED bool bias_flight(double total, double way, double& drawn) {
    const transport::FlightBias& bias = args_.population.biases[innermost_cell()];
    const bool enters = flight_.enters != 0;
    flight_.enters = 0;
    excess_ = 0;
    if (!(total > 0)) return true;
    if (bias.stretching != 0) {
      excess_ = total * bias.stretching * cosine_with(bias);
      drawn = total - excess_;
    }
    return !enters || bias.is_forced == 0 || force_collision(drawn * way);
  }
  /// Of the direction with that of an exponential transform.
  GSIM_HD double cosine_with(const transport::FlightBias& bias) const {
    if (bias.is_towards == 0) return dot(direction_, bias.target);
    const Vector3 way = difference(bias.target, position_of(at_));
    const double square = dot(way, way);
    return square > 0 ? dot(direction_, way) / sqrt(square) : 0.0;
  }
  /// Splits the particle, `paths` free paths before it leaves its cell: the part of it that does
  /// not collide there is banked, where roulette for low weights lets it pass; what collides goes
  /// on.
  GSIM_HD bool force_collision(double paths) {
    const double colliding = -gsim::expm1<Strict>(-paths);
    if (!(colliding > 0 && paths < never)) return true;
    const double u = random_.uniform();
    tally_flight(at_.level[0].origin, at_.path);
    Population through{1, weight_ * gsim::exp<Strict>(-paths)};
    const double unit = unit_weight();
    if (!has_windows() && through.weight < rules_.cutoff * unit)
      through = play(through.weight, rules_.survival * unit, random_);
    const double left = paths + sample_free_paths(random_);
    flight_.is_committed = 1;
    if (through.count > 0 && !put(record(position_of(at_), direction_, through.weight, time_, left,
                                         random_.child(1), group_)))
      return false;
    weight_ *= colliding;
    const double drawn = -gsim::log1p<Strict>(-u * colliding);
    constexpr double below_1 = 1 - 0x1p-53;
    paths_ = drawn < paths ? drawn : paths * below_1;
    return true;
  }
  /// After a crossing: a condition on the flight ends, and another cell may begin.
  GSIM_HD void note_entry(const Crossing& crossing) {
    if (!has_biases()) return;
    flight_.is_committed = 0;
    flight_.enters =
        crossing.kind == CrossingKind::next_cell || crossing.kind == CrossingKind::translated;
  }
  /// The weight `way` cm on along the flight, from where weight_ is.
  GSIM_HD double weight_after(double way) const {
    return excess_ == 0 ? weight_ : weight_ * gsim::exp<Strict>(-excess_ * way);
  }
  GSIM_HD void correct_weight(double way) {
    if (excess_ != 0) weight_ = weight_after(way);
  }
  /// The integral over `way` of the weight over what it is at the beginning.
  GSIM_HD double weighted_way(double way) const {
    return excess_ == 0 ? way : -gsim::expm1<Strict>(-excess_ * way) / excess_;
  }

  /// False: the particle has ended.
  GSIM_HD bool collide(std::int32_t material, const GroupData& data) {
    ++scores_.collisions;
    if (rules_.checks_overlaps != 0 && !is_in_one_cell()) return false;
    if (data.nu_fission > 0) {
      const double yield = weight_ * data.nu_fission / data.total;
      life_.k_collision += yield;
      if (rules_.fission == Fission::next)
        leave_sites(material, yield / args_.k);
      else if (rules_.fission == Fission::same_batch && !make_neutrons(material, yield))
        return false;
    }
    const double weight = weight_;
    const std::int32_t group = group_;
    const Vector3 direction = direction_;
    if (rules_.capture == Capture::analog) {
      const bool is_scattered = collide_analog(args_.materials, material, group_, direction_,
                                               weight_, random_) == CollisionKind::scattered;
      if (!is_scattered) score_absorption(data, weight);
      tally_events(material, data, group, direction, weight, is_scattered ? 0.0 : weight,
                   is_scattered ? weight : 0.0);
      if (is_scattered && has_detectors()) reach_from_scattering(data, direction);
      return is_scattered;
    }
    const double absorbed = weight * data.absorption / data.total;
    score_absorption(data, absorbed);
    const bool is_scattered = collide_implicit(args_.materials, material, group_, direction_,
                                               weight_, random_) == CollisionKind::scattered;
    tally_events(material, data, group, direction, weight, absorbed,
                 weight * data.scattering_ratio);
    if (is_scattered && has_detectors()) reach_from_scattering(data, direction);
    return is_scattered && has_weight();
  }

  /// False: two cells hold this place, and the particle is lost.
  GSIM_TRANSPORT_CALLED bool is_in_one_cell() {
    if (!is_overlapping(args_.geometry, position_of(at_), direction_)) return true;
    lose(LostParticle::Reason::overlap);
    return false;
  }

  GSIM_HD void score_absorption(const GroupData& data, double absorbed) {
    if (data.nu_fission > 0) life_.k_absorption += absorbed * data.nu_fission / data.absorption;
  }

  /// Plays roulette where the weight is low, or does what the window here says. False: the particle
  /// has ended.
  GSIM_HD bool has_weight() {
    if (args_.population.windows.lower.size != 0 &&
        window_at(args_.population.windows, position_of(at_), group_) != 0)
      return fit_window();
    const double unit = unit_weight();
    if (weight_ >= rules_.cutoff * unit) return true;
    return become(play(weight_, rules_.survival * unit, random_));
  }
  /// The weight that particles here are meant to have.
  GSIM_HD double unit_weight() const {
    const auto& importance = args_.population.importance;
    return importance.size != 0 && cell_ >= 0 ? 1 / importance[cell_] : 1.0;
  }
  GSIM_HD bool has_windows() const { return args_.population.windows.lower.size != 0; }
  /// Distance to the next plane between weight windows. Free paths are exponentially distributed:
  /// at such a plane, the distance that remains to the collision has the distribution of a new one,
  /// so that copies made there may sample their own.
  GSIM_TRANSPORT_CALLED double way_to_window() const {
    return window_ahead(args_.population.windows, position_of(at_), direction_, group_).way;
  }
  /// `paths`: that copies have left, as ParticleRecord::free_paths.
  GSIM_HD bool fit_window(double paths = -1) { return !has_windows() || fit_window_here(paths); }
  GSIM_TRANSPORT_CALLED bool fit_window_here(double paths) {
    const WindowView& windows = args_.population.windows;
    const double lower = window_ahead(windows, position_of(at_), direction_, group_).lower;
    return lower == 0 || become(fit(windows, lower, weight_, random_), paths);
  }
  /// Notes that the particle is in `cell`, and does what its importance says.
  GSIM_HD bool enter(std::int32_t cell, double paths = -1) {
    const std::int32_t from = cell_;
    cell_ = cell;
    const auto& importance = args_.population.importance;
    return importance.size == 0 || from == cell || fit_importance(from, cell, paths);
  }
  GSIM_TRANSPORT_CALLED bool fit_importance(std::int32_t from, std::int32_t cell, double paths) {
    const auto& importance = args_.population.importance;
    // A particle that starts has the importance of where it starts.
    if (from < 0) {
      if (importance[cell] > 0) return true;
      tally_flight(at_.level[0].origin, at_.path);
      return false;
    }
    return become(cross_importance(importance[from], importance[cell], weight_, random_), paths);
  }
  /// Banks all but one of what the particle becomes. False: it has ended.
  GSIM_HD bool become(const Population& population, double paths = -1) {
    if (population.count != 1 || population.weight != weight_)
      tally_flight(at_.level[0].origin, at_.path);
    weight_ = population.weight;
    return population.count < 2 ? population.count == 1 : bank_copies(population.count, paths);
  }
  GSIM_TRANSPORT_CALLED bool bank_copies(std::int32_t count, double paths) {
    random_.uniform();  // copies are numbered from a draw on: no other copies begin there
    for (std::int32_t n = 1; n < count; ++n)
      if (!put(record(position_of(at_), direction_, weight_, time_, paths,
                      random_.child(static_cast<std::uint32_t>(n)), group_)))
        return false;
    return true;
  }

  GSIM_TRANSPORT_CALLED void leave_sites(std::int32_t material, double expected) {
    const std::int32_t count = sample_count(expected, random_);
    const std::int64_t parent = static_cast<std::int64_t>(random_.state().history) -
                                args_.first_history + args_.first_parent;
    for (std::int32_t n = 0; n < count; ++n) {
      const FissionNeutron neutron =
          sample_fission_neutron(args_.materials, material, group_, random_);
      banks_.add(Site{position_of(at_), parent, random_.branch(), births_++,
                      static_cast<std::int16_t>(neutron.group),
                      static_cast<std::int16_t>(neutron.delayed_group)});
    }
  }
  /// Banks the neutrons of fissions here, with weights that roulette lets pass. False: there are
  /// too many of them.
  GSIM_TRANSPORT_CALLED bool make_neutrons(std::int32_t material, double yield) {
    const double weight =
        args_.population.windows.lower.size != 0 ? weight_ : rules_.survival * unit_weight();
    const std::int32_t count = sample_count(yield / weight, random_);
    add_score(scores_.bred, count * weight);
    for (std::int32_t n = 0; n < count; ++n) {
      const FissionNeutron neutron =
          sample_fission_neutron(args_.materials, material, group_, random_);
      const Vector3 direction = isotropic_direction(random_);
      if (has_detectors())
        score_emission(
            args_, sink_, scores_,
            {position_of(at_), weight, time_ + neutron.delay, &random_, neutron.group, 1, {}},
            located());
      if (!put(record(position_of(at_), direction, weight, time_ + neutron.delay, -1,
                      random_.child(static_cast<std::uint32_t>(n)), neutron.group)))
        return false;
    }
    return true;
  }
  /// A particle at this place of the history.
  GSIM_HD ParticleRecord record(const Vector3& position, const Vector3& direction, double weight,
                                double time, double paths, const RandomState& random,
                                std::int32_t group) const {
    return {position, direction, weight, time, paths, random, group, cell_, made_, flight_};
  }
  GSIM_TRANSPORT_CALLED bool put(ParticleRecord particle) {
    ++scores_.secondaries;
    particle.made = ++made_;
    if (made_ > rules_.most_secondaries) {
      lose(LostParticle::Reason::multiplying);
      ParticleRecord waiting;
      while (banks_.take(waiting)) {
      }
      return false;
    }
    banks_.put(particle);
    return true;
  }

  /// Notes a crossing at `path` of a flight from `origin` in direction_, if that is wanted. False:
  /// the particle ends there.
  GSIM_HD bool note(const Vector3& origin, double path, const Crossing& crossing) {
    if (args_.recorded.sides.size == 0) return true;
    return note_recorded(origin, path, crossing);
  }
  GSIM_TRANSPORT_CALLED bool note_recorded(const Vector3& origin, double path,
                                           const Crossing& crossing) {
    const transport::RecordedSurfaces& recorded = args_.recorded;
    const bool is_leaked = crossing.kind == CrossingKind::leaked;
    if (crossing.half_space < 0 || !(is_leaked || crossing.kind == CrossingKind::next_cell))
      return true;
    const std::int32_t side = (crossing.half_space & 1) + 1;
    if ((recorded.sides[crossing.half_space >> 1] & side) == 0) return true;
    banks_.note(CrossingRecord{along(origin, path, direction_), direction_, weight_, time_,
                               random_.state(), noted_++, group_, crossing.half_space});
    if (is_leaked || recorded.ends == 0) return true;
    tally_flight(origin, path);
    return false;
  }
  /// After a crossing at `path` of the flight from `origin`. False: the particle has ended.
  GSIM_HD bool goes_on(const Crossing& crossing, const Vector3& origin, double path) {
    if (crossing.kind != CrossingKind::same_cell && crossing.kind != CrossingKind::next_cell) {
      tally_flight(origin, path);
      stretch_ = at_.path;
    }
    direction_ = at_.level[0].direction;
    if (crossing.kind == CrossingKind::leaked) {
      add_score(scores_.leakage, weight_);
      return false;
    }
    if (crossing.kind != CrossingKind::lost) return true;
    lose(LostParticle::Reason::no_cell);
    return false;
  }

  /// After a boundary condition that sent the particle on: tallies hear of its way back in, where
  /// that is. False: another rank goes on with it.
  GSIM_HD bool arrive(const Crossing& crossing) {
    if (crossing.kind == CrossingKind::translated && !is_at_home(Migrant::Stage::arrives))
      return false;
    if (crossing.kind == CrossingKind::translated || crossing.kind == CrossingKind::reflected)
      tally_arrival();
    return true;
  }

  GSIM_TRANSPORT_CALLED void lose(LostParticle::Reason reason) {
    tally_flight(at_.level[0].origin, at_.path);
    if (reason == LostParticle::Reason::multiplying) ++scores_.multiplying;
    if (reason == LostParticle::Reason::overlap) ++scores_.overlapping;
    ++scores_.lost;
    LostParticle lost;
    lost.reason = reason;
    lost.cell = at_.depth > 0 ? at_.level[at_.depth - 1].cell : -1;
    lost.history = static_cast<std::int64_t>(random_.state().history);
    lost.stream = random_.state().position;
    lost.position = position_of(at_);
    lost.direction = direction_;
    if (lost.comes_before(scores_.first_lost)) scores_.first_lost = lost;
  }

  /// The particle as it is at `path` of its flight.
  GSIM_HD TallyState tally_state(std::int32_t material, const GroupData* data, double path) const {
    TallyState state;
    state.origin = at_.level[0].origin;
    state.direction = direction_;
    state.weight = weight_;
    state.group = group_;
    state.material = material;
    state.data = data;
    state.at = &at_;
    state.excess = excess_;
    state.excess_from = at_.path;
    if (rules_.is_timed != 0) {
      state.inverse_speed = 1 / speed_of(data);
      state.time = time_ - path * state.inverse_speed;
    }
    return state;
  }
  GSIM_HD void tally_track(std::int32_t material, const GroupData* data, double from, double to) {
    if (sink_ != nullptr)
      transport_kernels::score_track(args_.tallies, *sink_, tally_state(material, data, at_.path),
                                     from, to);
  }
  /// Tells tallies by flight of the stretch that ends at `path` of the flight from `origin`.
  GSIM_HD void tally_flight(const Vector3& origin, double path) {
    if (sink_ != nullptr && args_.tallies.by_flight != 0) score_flight_to(origin, path);
  }
  GSIM_TRANSPORT_CALLED void score_flight_to(const Vector3& origin, double path) {
    if (stretch_ < path) {
      TallyState state = tally_state(Cell::void_material, nullptr, path);
      state.origin = origin;
      score_flight(args_.tallies, *sink_, state, stretch_, path);
    }
    stretch_ = path;
  }
  GSIM_HD void tally_collision(std::int32_t material, const GroupData* data, double drawn_from) {
    if (sink_ != nullptr) score_collision_here(material, data, drawn_from);
  }
  GSIM_TRANSPORT_CALLED void score_collision_here(std::int32_t material, const GroupData* data,
                                                  double drawn_from) {
    score_collision(args_.tallies, *sink_, tally_state(material, data, at_.path), at_.path,
                    drawn_from);
  }
  /// A real collision of the particle that had this group, direction and weight.
  GSIM_HD void tally_events(std::int32_t material, const GroupData& data, std::int32_t group,
                            const Vector3& direction, double weight, double absorbed,
                            double scattered) {
    if (sink_ != nullptr)
      score_events_here(material, data, group, direction, weight, absorbed, scattered);
  }
  GSIM_TRANSPORT_CALLED void score_events_here(std::int32_t material, const GroupData& data,
                                               std::int32_t group, const Vector3& direction,
                                               double weight, double absorbed, double scattered) {
    TallyState state = tally_state(material, &data, at_.path);
    state.group = group;
    state.direction = direction;
    state.weight = weight;
    score_analog(args_.tallies, *sink_, state, at_.path, absorbed, scattered, weight_);
  }
  /// A crossing at `path` of a flight from `origin` in direction_.
  GSIM_HD void tally_crossing(const Vector3& origin, double path, const GroupData* data,
                              const Crossing& crossing) {
    if (sink_ != nullptr) score_crossing_at(origin, path, data, crossing);
  }
  GSIM_TRANSPORT_CALLED void score_crossing_at(const Vector3& origin, double path,
                                               const GroupData* data, const Crossing& crossing) {
    TallyState state = tally_state(Cell::void_material, data, path);
    state.origin = origin;
    score_crossing(args_.tallies, *sink_, args_.geometry, state, path, crossing, at_);
  }
  GSIM_HD void tally_arrival() {
    if (sink_ != nullptr) score_arrival_here();
  }
  GSIM_TRANSPORT_CALLED void score_arrival_here() {
    score_arrival(args_.tallies, *sink_, args_.geometry,
                  tally_state(Cell::void_material, nullptr, at_.path), at_);
  }

  const HistoriesArgs& args_;
  const HistoryRules& rules_;
  Banks& banks_;
  HistoryScores& scores_;
  const TallySink* sink_;
  HistoryRandom random_;
  Coordinates at_;
  Vector3 direction_;
  double weight_ = 1;
  double time_ = 0;
  double paths_ = -1;    ///< free paths left of the flight; negative: to be drawn
  double tracked_ = -1;  ///< path up to which tallies know the way; negative: none of it
  double stretch_ = 0;   ///< path from which on tallies by flight know nothing
  LifeScores life_;
  Boundary outer_;            ///< delta tracking: ahead on this flight
  std::int64_t made_ = 0;     ///< particles that this history has banked
  std::int64_t flights_ = 0;  ///< of this particle
  std::int32_t group_ = 0, births_ = 0, noted_ = 0;
  double excess_ = 0;  ///< total cross section over that which free paths come from, 1/cm
  transport::FlightState flight_;
  std::int32_t cell_ = -1;  ///< the innermost one, as far as importances need it
  bool is_flying_ = false;  ///< taken up between two events
};

}  // namespace transport_kernels
GSIM_TARGET_END
