// Files of particles at surface crossings: their contents, runs that start from them, and identical
// files for any number of ranks, with and without restarts.

#include "src/modules/transport/particle_files/particle_file.hpp"

#include <cmath>
#include <cstring>
#include <filesystem>
#include <string>

#include "src/modules/transport/particle_files/mcpl_source.hpp"
#include "src/modules/transport/transport_module.hpp"
#include "support/folder_contents.hpp"
#include "support/messages.hpp"
#include "support/module_runs.hpp"
#include "support/scratch_folder.hpp"
#include "support/test_executor.hpp"

using namespace gsim;
using namespace gsim::transport;

namespace {

/// Configuration of a two-group slab from x = 0 to x = 4 with a plane in the middle. `run_keys` are
/// keys of [transport], `tables` further tables.
std::string slab_config(const std::string& run_keys, const std::string& tables) {
  return "[transport]\nmode = \"fixed_source\"\n" + run_keys +
         "[groups]\nbounds = [2e7, 1.0, 0.0]\n"
         "[[material]]\nname = \"water\"\ntotal = [0.8, 1.5]\nspeed = [1e9, 2e5]\n"
         "scatter = [[0.4, 0.3], [0.0, 1.2]]\n"
         "[[box]]\nname = \"b\"\nlower = [0.0, -1.0, -1.0]\nupper = [4.0, 1.0, 1.0]\n"
         "boundaries = [\"vacuum\", \"vacuum\", \"reflective\", \"reflective\", \"reflective\", "
         "\"reflective\"]\n"
         "[[surface]]\nname = \"middle\"\nkind = \"x_plane\"\nx = 2.0\n"
         "[[cell]]\nname = \"near\"\nregion = \"-b -middle\"\nfill = \"water\"\n"
         "[[cell]]\nname = \"far\"\nregion = \"-b +middle\"\nfill = \"water\"\n"
         "[[tally]]\nname = \"flux\"\nscores = [\"flux\"]\ncells = [\"near\", \"far\"]\n"
         "energy = \"groups\"\n" +
         tables;
}
const std::string face_source =
    "[[source]]\nstrength = 3.0\nenergy = {kind = \"group\", group = 1}\n"
    "space = {kind = \"point\", position = [1e-6, 0.0, 0.0]}\n"
    "angle = {kind = \"cosine\", axis = [1.0, 0.0, 0.0]}\n";
const std::string short_run = "particles = 500\nbatches = 8\n";

std::string particle_file_table(const std::string& path, const std::string& keys) {
  return "[particle_file]\nfile = \"" + path + "\"\n" + keys;
}
std::vector<McplParticle> read(const std::string& path) {
  McplReader reader(path);
  std::vector<McplParticle> all_particles(reader.particles());
  CHECK(reader.read(all_particles) == all_particles.size());
  return all_particles;
}
test::Outcome run(const std::string& text, Index batches) {
  return test::run<TransportModule>(text, 1, 0, batches, batches);
}
Index integer_dataset(const test::Outcome& outcome, const std::string& path) {
  Index value = 0;
  std::memcpy(&value, outcome.results.datasets.at(path).bytes.data(), sizeof value);
  return value;
}

}  // namespace

TEST_CASE(
    "particle file: a run that starts from recorded particles reproduces the flux behind the "
    "surface") {
  const test::ScratchFolder folder;
  const std::string path = folder / "middle.mcpl";
  const test::Outcome single_run =
      run(slab_config("particles = 4000\nbatches = 20\n", face_source), 20);
  const test::Outcome first =
      run(slab_config("particles = 4000\nbatches = 20\n",
                      face_source +
                          particle_file_table(
                              path, "surfaces = [\"middle\"]\nside = \"positive\"\nend = true\n")),
          20);
  // Particles end at the plane.
  CHECK(first.numbers("tallies/flux/flux")[2] == 0);
  CHECK(first.numbers("tallies/flux/flux")[3] == 0);
  const Index particles = integer_dataset(first, "particle_file/particles");
  REQUIRE(particles > 10000);
  // Each particle starts once.
  const std::string all_particles =
      "particles = " + std::to_string(particles / 20) + "\nbatches = 20\n";
  const test::Outcome second = run(
      slab_config(all_particles, "[[source]]\nfile = \"" + path + "\"\nstrength_of_file = true\n"),
      20);
  const auto& written = first.numbers("particle_file/weight");
  double mean = 0, sum_of_squares = 0;
  for (const double w : written) mean += w / 20;
  for (const double w : written) sum_of_squares += (w - mean) * (w - mean);
  const double relative_weight_error = std::sqrt(sum_of_squares / 19 / 20) / mean;
  for (const std::size_t row : {2, 3}) {  // behind the plane, by group
    const auto value = [&](const test::Outcome& o) { return o.numbers("tallies/flux/flux")[row]; };
    const auto error = [&](const test::Outcome& o) {
      return o.numbers("tallies/flux/flux_standard_error")[row];
    };
    const double combined_error =
        std::sqrt(error(single_run) * error(single_run) + error(second) * error(second) +
                  std::pow(value(second) * relative_weight_error, 2));
    CAPTURE(row);
    CAPTURE(value(single_run));
    CAPTURE(value(second));
    CAPTURE(combined_error);
    CHECK(combined_error < 0.03 * value(single_run));
    CHECK(std::abs(value(single_run) - value(second)) < 3.5 * combined_error);
  }
  // In front of the plane: particles before their crossing, and those that return.
  const double flux_before_crossing = first.numbers("tallies/flux/flux")[0];
  const double flux_of_returning = second.numbers("tallies/flux/flux")[0];
  CHECK(single_run.numbers("tallies/flux/flux")[0] ==
        doctest::Approx(flux_before_crossing + flux_of_returning).epsilon(0.03));
}

TEST_CASE(
    "particle file: particles have the position, direction, time and energy of their crossing") {
  const test::ScratchFolder folder;
  const std::string path = folder / "middle.mcpl";
  const test::Outcome outcome =
      run(slab_config(short_run, face_source + particle_file_table(
                                                   path, "surfaces = [\"middle\", \"b.x_max\"]\n")),
          8);
  const auto particles = read(path);
  REQUIRE(!particles.empty());
  double positive_weight = 0, negative_weight = 0, leaked_weight = 0;
  bool is_any_slow = false;
  for (const McplParticle& p : particles) {
    CHECK(std::abs(p.position[0] - (p.flags == 1 ? 2 : 4)) < 1e-9);
    const double* const u = p.direction;
    CHECK(std::abs(u[0] * u[0] + u[1] * u[1] + u[2] * u[2] - 1) < 1e-14);
    CHECK(p.pdg == 2112);  // the Particle Data Group's code of neutrons
    CHECK(p.time > 1e-6);  // ms: 1 cm at 1e9 cm/s
    // The energy is the middle of a group: sqrt(20 MeV * 1 eV), or 0.5 eV.
    const bool is_slow = p.energy == 0.5e-6;
    is_any_slow = is_any_slow || is_slow;
    if (!is_slow) CHECK(p.energy == doctest::Approx(std::sqrt(20.0 * 1e-6)));
    if (p.flags == 2) {
      CHECK(u[0] > 0);
      leaked_weight += p.weight;
    } else {
      (u[0] > 0 ? positive_weight : negative_weight) += p.weight;
    }
  }
  CHECK(is_any_slow);
  CHECK(negative_weight > 0);
  CHECK(positive_weight > negative_weight);
  McplReader reader(path);
  CHECK(reader.header().has_flags);
  CHECK(reader.header().comments.at(1) == "user flags: surfaces 1=middle 2=b.x_max");
  CHECK(mcpl_sum(reader.header(), "gsim_sources") == doctest::Approx(500 * 8 / 3.0));
  CHECK(McplSource(path, 2112, {2e7, 1, 0}).strength() ==
        doctest::Approx((positive_weight + negative_weight + leaked_weight) / (500 * 8 / 3.0)));
  // Without `surfaces`: all particles that leak, on both sides.
  const test::Outcome leaking =
      run(slab_config(short_run, face_source + particle_file_table(path, "")), 8);
  double written_weight = 0;
  for (const McplParticle& p : read(path)) written_weight += p.weight;
  double leakage = 0;
  for (const double batch : leaking.numbers("batches/leakage")) leakage += batch * 500;
  CHECK(written_weight == doctest::Approx(leakage).epsilon(1e-12));
  CHECK(leaking.numbers("tallies/flux/flux") == outcome.numbers("tallies/flux/flux"));
  // Crossings in one direction only, for each of the two directions.
  const auto weight_of_side = [&](const std::string& side) {
    run(slab_config(short_run,
                    face_source + particle_file_table(
                                      path, "surfaces = [\"middle\"]\nside = \"" + side + "\"\n")),
        8);
    double sum = 0;
    for (const McplParticle& p : read(path)) {
      CHECK((p.direction[0] > 0) == (side == "positive"));
      CHECK(p.flags == 0);
      sum += p.weight;
    }
    return sum;
  };
  CHECK(weight_of_side("positive") == doctest::Approx(positive_weight));
  CHECK(weight_of_side("negative") == doctest::Approx(negative_weight));
}

TEST_CASE("particle file: delta tracking records leaking particles") {
  const test::ScratchFolder folder;
  const std::string path = folder / "out.mcpl";
  const test::Outcome outcome = run(
      slab_config("tracking = \"delta\"\n" + short_run,
                  face_source + particle_file_table(
                                    path,
                                    "surfaces = [\"b.x_max\"]\n[[tally]]\nname = \"out\"\nscores = "
                                    "[\"current\"]\nsurfaces = [\"b.x_max\"]\n")),
      8);
  double sum = 0;
  for (const McplParticle& p : read(path)) sum += p.weight;
  CHECK(sum * 3 / (500 * 8) ==
        doctest::Approx(outcome.numbers("tallies/out/current").front()).epsilon(1e-9));
}

TEST_CASE("particle file: no batch is added after the limit of particles is reached") {
  const test::ScratchFolder folder;
  const std::string path = folder / "few.mcpl";
  const test::Outcome outcome =
      run(slab_config(short_run, face_source + particle_file_table(
                                                   path, "surfaces = [\"middle\"]\nlimit = 600\n")),
          8);
  const Index particles = integer_dataset(outcome, "particle_file/particles");
  const Index batches = integer_dataset(outcome, "particle_file/batches");
  CHECK(particles >= 600);
  CHECK(batches > 1);
  CHECK(batches < 8);
  CHECK(read(path).size() == static_cast<std::size_t>(particles));
  McplReader reader(path);
  CHECK(mcpl_sum(reader.header(), "gsim_sources") ==
        doctest::Approx(500.0 * static_cast<double>(batches) / 3));
  CHECK(outcome.numbers("particle_file/weight").size() == 8);
}

TEST_CASE("particle file: the same bytes on any ranks and threads, resumed or not") {
  const test::ScratchFolder folder;
  const std::string path = folder / "run.mcpl";
  // Weight windows split particles: the order of the copies must not depend on ranks and threads.
  std::string text = slab_config(
      "particles = 700\nbatches = 6\n",
      face_source + particle_file_table(path, "surfaces = [\"middle\", \"b.x_min\"]\n") +
          "[weight_windows]\nx = [0.0, 2.0, 4.0]\nlower = [[0.3, 0.1], [0.05, "
          "0.02]]\n");
  const test::Outcome single_run = run(text, 6);
  const std::string bytes = test::bytes_of(path);
  REQUIRE(bytes.size() > 100000);
  for (const int ranks : {2, 3, 7}) {
    CAPTURE(ranks);
    std::filesystem::remove(path);
    test::check_outcome_is_reproduced<TransportModule>(text, single_run, ranks, 6, 4, 2);
    CHECK(test::bytes_of(path) == bytes);
  }
  std::string decomposed = text;
  decomposed.insert(decomposed.find("particles"), "domain = \"decomposed\"\n");
  for (const int ranks : {2, 4}) {
    CAPTURE(ranks);
    std::filesystem::remove(path);
    test::check_outcome_is_reproduced<TransportModule>(decomposed, single_run, ranks, 6, 4, 2);
    CHECK(test::bytes_of(path) == bytes);
  }
  std::string in_passes = text, decomposed_in_passes = decomposed;
  in_passes.insert(text.find("particles"), "flights_per_pass = 3\n");
  decomposed_in_passes.insert(decomposed.find("particles"), "flights_per_pass = 1\n");
  for (const std::string& with_passes : {in_passes, decomposed_in_passes}) {
    CAPTURE(with_passes);
    std::filesystem::remove(path);
    test::check_outcome_is_reproduced<TransportModule>(with_passes, single_run, 2, 6, 4, 2);
    CHECK(test::bytes_of(path) == bytes);
  }
  // A run that is killed leaves more data than its checkpoint accounts for.
  std::filesystem::remove(path);
  MemoryDatasets::Contents saved;
  {
    TransportModule module;
    ConfigFile file = ConfigFile::parse(text, "test.toml");
    configure(module, file);
    Context context{Communicator::self(), gsim::test::test_executor(1)};
    context.seed = 7;
    module.plan(context);
    module.prepare();
    module.advance(0, 3);
    MemoryDatasets state(Communicator::self());
    module.save(state);
    saved = state.contents();
    module.advance(3, 2);
  }
  CHECK(!std::filesystem::exists(path));
  const test::Outcome resumed = test::run<TransportModule>(text, 3, 3, 6, 6, &saved);
  CHECK(resumed.digest == single_run.digest);
  CHECK(test::bytes_of(path) == bytes);
}

TEST_CASE("particle file: a previous file of the same name is kept and reported") {
  const test::ScratchFolder folder;
  const std::string path = folder / "run.mcpl";
  const std::string text = slab_config(short_run, face_source + particle_file_table(path, ""));
  const auto last_line = [&](std::uint64_t seed) {
    return test::run<TransportModule>(text, 2, 0, 2, 2, nullptr, 1, {}, seed).report.footer.back();
  };
  CHECK(last_line(1).find("kept as") == std::string::npos);
  const std::string bytes = test::bytes_of(path);
  CHECK(last_line(1).find("kept as") == std::string::npos);  // the same particles
  CHECK(last_line(2).find("kept as " + (folder / "run.1.mcpl")) != std::string::npos);
  CHECK(test::bytes_of(folder / "run.1.mcpl") == bytes);
  CHECK(test::bytes_of(path) != bytes);
}

TEST_CASE("particle file: invalid configurations are refused") {
  const auto check_refused = [](const std::string& text, const char* expected) {
    const std::string message = test::config_error_message<TransportModule>(text);
    CAPTURE(text);
    CHECK_MESSAGE(message.find(expected) != std::string::npos, message);
  };
  const std::string run_keys = short_run;
  check_refused(slab_config(run_keys, face_source + particle_file_table(
                                                        "a.mcpl", "surfaces = [\"midle\"]\n")),
                "there is no surface `midle`");
  check_refused(slab_config(run_keys, face_source + particle_file_table(
                                                        "a.mcpl", "surfaces = [\"b.y_min\"]\n")),
                "it is reflective");
  check_refused(slab_config(run_keys, face_source + particle_file_table("a.mcpl.gz", "")),
                "cannot be compressed");
  check_refused(slab_config(run_keys, face_source + particle_file_table("a.mcpl", "pdg = 0\n")),
                "the code of no particle");
  check_refused(slab_config(run_keys, face_source + particle_file_table("/dev/null/a.mcpl", "")),
                "cannot write /dev/null/a.mcpl");
  check_refused(slab_config(run_keys, face_source + particle_file_table("/dev/null", "")),
                "not a regular file");
  check_refused(
      slab_config("tracking = \"delta\"\n" + run_keys,
                  face_source + particle_file_table("a.mcpl", "surfaces = [\"middle\"]\n")),
      "delta tracking has no crossings of `middle`");
  std::string text = slab_config(run_keys, face_source + particle_file_table("a.mcpl", ""));
  text.replace(text.find("[groups]\nbounds = [2e7, 1.0, 0.0]\n"), 34, "");
  check_refused(text, "the groups have no energy bounds");
  text = slab_config(run_keys, face_source + particle_file_table("a.mcpl", ""));
  text.replace(text.find("[\"vacuum\", \"vacuum\""), 19, "[\"reflective\", \"reflective\"");
  check_refused(text, "no particle can leak from this geometry");
  // A file of another program does not contain the number of source particles.
  const test::ScratchFolder folder;
  const std::string path = folder / "other.mcpl";
  {
    McplHeader header;
    header.common_weight = 1;
    McplWriter writer(path, header);
    McplParticle p;
    p.direction[0] = 1;
    p.position[0] = 1;
    p.energy = 1;
    writer.write(p);
    writer.close();
  }
  check_refused(
      slab_config(run_keys, "[[source]]\nfile = \"" + path + "\"\nstrength_of_file = true\n"),
      "does not contain the number of source particles of its run");
}
