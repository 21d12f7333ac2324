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

using namespace gsim;
using namespace gsim::transport;

namespace {

/// Two groups in a slab from x = 0 to x = 4, with a plane in the middle; `run` goes into
/// [transport].
std::string slab(const std::string& run, const std::string& more) {
  return "[transport]\nmode = \"fixed_source\"\n" + run +
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
         more;
}
const std::string face =
    "[[source]]\nstrength = 3.0\nenergy = {kind = \"group\", group = 1}\n"
    "space = {kind = \"point\", position = [1e-6, 0.0, 0.0]}\n"
    "angle = {kind = \"cosine\", axis = [1.0, 0.0, 0.0]}\n";
const std::string short_run = "particles = 500\nbatches = 8\n";

std::string writes(const std::string& path, const std::string& keys) {
  return "[particle_file]\nfile = \"" + path + "\"\n" + keys;
}
std::vector<McplParticle> read(const std::string& path) {
  McplReader reader(path);
  std::vector<McplParticle> all(reader.particles());
  CHECK(reader.read(all) == all.size());
  return all;
}
test::Outcome run(const std::string& text, Index batches) {
  return test::run<TransportModule>(text, 1, 0, batches, batches);
}
Index whole_number(const test::Outcome& outcome, const std::string& path) {
  Index value = 0;
  std::memcpy(&value, outcome.results.datasets.at(path).bytes.data(), sizeof value);
  return value;
}

}  // namespace

TEST_CASE("particle file: a run continues from the particles of another") {
  const test::ScratchFolder folder;
  const std::string path = folder / "middle.mcpl";
  const test::Outcome whole = run(slab("particles = 4000\nbatches = 20\n", face), 20);
  const test::Outcome first =
      run(slab("particles = 4000\nbatches = 20\n",
               face + writes(path, "surfaces = [\"middle\"]\nside = \"positive\"\nend = true\n")),
          20);
  // Particles end at the plane.
  CHECK(first.numbers("tallies/flux/flux")[2] == 0);
  CHECK(first.numbers("tallies/flux/flux")[3] == 0);
  const Index particles = whole_number(first, "particle_file/particles");
  REQUIRE(particles > 10000);
  // Each particle starts once.
  const std::string all = "particles = " + std::to_string(particles / 20) + "\nbatches = 20\n";
  const test::Outcome second =
      run(slab(all, "[[source]]\nfile = \"" + path + "\"\nstrength_of_file = true\n"), 20);
  const auto& written = first.numbers("particle_file/weight");
  double mean = 0, squares = 0;
  for (const double w : written) mean += w / 20;
  for (const double w : written) squares += (w - mean) * (w - mean);
  const double error_of_written = std::sqrt(squares / 19 / 20) / mean;
  for (const std::size_t row : {2, 3}) {  // behind the plane, by group
    const auto value = [&](const test::Outcome& o) { return o.numbers("tallies/flux/flux")[row]; };
    const auto error = [&](const test::Outcome& o) {
      return o.numbers("tallies/flux/flux_standard_error")[row];
    };
    const double all_errors =
        std::sqrt(error(whole) * error(whole) + error(second) * error(second) +
                  std::pow(value(second) * error_of_written, 2));
    CAPTURE(row);
    CAPTURE(value(whole));
    CAPTURE(value(second));
    CAPTURE(all_errors);
    CHECK(all_errors < 0.03 * value(whole));
    CHECK(std::abs(value(whole) - value(second)) < 3.5 * all_errors);
  }
  // In front of the plane: particles before their crossing, and those that return.
  const double before = first.numbers("tallies/flux/flux")[0];
  const double back = second.numbers("tallies/flux/flux")[0];
  CHECK(whole.numbers("tallies/flux/flux")[0] == doctest::Approx(before + back).epsilon(0.03));
}

TEST_CASE("particle file: particles have their state at the crossing") {
  const test::ScratchFolder folder;
  const std::string path = folder / "middle.mcpl";
  const test::Outcome outcome =
      run(slab(short_run, face + writes(path, "surfaces = [\"middle\", \"b.x_max\"]\n")), 8);
  const auto particles = read(path);
  REQUIRE(!particles.empty());
  double forth = 0, back = 0, out = 0;
  bool is_any_slow = false;
  for (const McplParticle& p : particles) {
    CHECK(std::abs(p.position[0] - (p.flags == 1 ? 2 : 4)) < 1e-9);
    const double* const u = p.direction;
    CHECK(std::abs(u[0] * u[0] + u[1] * u[1] + u[2] * u[2] - 1) < 1e-14);
    CHECK(p.pdg == 2112);
    CHECK(p.time > 1e-6);  // ms: 1 cm at 1e9 cm/s
    // The energy is the middle of a group: sqrt(20 MeV * 1 eV), or 0.5 eV.
    const bool is_slow = p.energy == 0.5e-6;
    is_any_slow = is_any_slow || is_slow;
    if (!is_slow) CHECK(p.energy == doctest::Approx(std::sqrt(20.0 * 1e-6)));
    if (p.flags == 2) {
      CHECK(u[0] > 0);
      out += p.weight;
    } else {
      (u[0] > 0 ? forth : back) += p.weight;
    }
  }
  CHECK(is_any_slow);
  CHECK(back > 0);
  CHECK(forth > back);
  McplReader reader(path);
  CHECK(reader.header().has_flags);
  CHECK(reader.header().comments.at(1) == "user flags: surfaces 1=middle 2=b.x_max");
  CHECK(mcpl_sum(reader.header(), "gsim_sources") == doctest::Approx(500 * 8 / 3.0));
  CHECK(McplSource(path, 2112, {2e7, 1, 0}).strength() ==
        doctest::Approx((forth + back + out) / (500 * 8 / 3.0)));
  // Without `surfaces`: all particles that leak, on both sides.
  const test::Outcome leaking = run(slab(short_run, face + writes(path, "")), 8);
  double left = 0;
  for (const McplParticle& p : read(path)) left += p.weight;
  double leakage = 0;
  for (const double batch : leaking.numbers("batches/leakage")) leakage += batch * 500;
  CHECK(left == doctest::Approx(leakage).epsilon(1e-12));
  CHECK(leaking.numbers("tallies/flux/flux") == outcome.numbers("tallies/flux/flux"));
  // Crossings in one direction only, for each of the two directions.
  const auto one_way = [&](const std::string& side) {
    run(slab(short_run, face + writes(path, "surfaces = [\"middle\"]\nside = \"" + side + "\"\n")),
        8);
    double sum = 0;
    for (const McplParticle& p : read(path)) {
      CHECK((p.direction[0] > 0) == (side == "positive"));
      CHECK(p.flags == 0);
      sum += p.weight;
    }
    return sum;
  };
  CHECK(one_way("positive") == doctest::Approx(forth));
  CHECK(one_way("negative") == doctest::Approx(back));
}

TEST_CASE("particle file: delta tracking records leakage") {
  const test::ScratchFolder folder;
  const std::string path = folder / "out.mcpl";
  const test::Outcome outcome =
      run(slab("tracking = \"delta\"\n" + short_run,
               face + writes(path,
                             "surfaces = [\"b.x_max\"]\n[[tally]]\nname = \"out\"\nscores = "
                             "[\"current\"]\nsurfaces = [\"b.x_max\"]\n")),
          8);
  double sum = 0;
  for (const McplParticle& p : read(path)) sum += p.weight;
  CHECK(sum * 3 / (500 * 8) ==
        doctest::Approx(outcome.numbers("tallies/out/current").front()).epsilon(1e-9));
}

TEST_CASE("particle file: no batch is added once it is full") {
  const test::ScratchFolder folder;
  const std::string path = folder / "few.mcpl";
  const test::Outcome outcome =
      run(slab(short_run, face + writes(path, "surfaces = [\"middle\"]\nlimit = 600\n")), 8);
  const Index particles = whole_number(outcome, "particle_file/particles");
  const Index batches = whole_number(outcome, "particle_file/batches");
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
  // Copies and secondaries: their order must not depend on ranks and threads.
  std::string text = slab("particles = 700\nbatches = 6\n",
                          face + writes(path, "surfaces = [\"middle\", \"b.x_min\"]\n") +
                              "[weight_windows]\nx = [0.0, 2.0, 4.0]\nlower = [[0.3, 0.1], [0.05, "
                              "0.02]]\n");
  const test::Outcome whole = run(text, 6);
  const std::string bytes = test::bytes_of(path);
  REQUIRE(bytes.size() > 100000);
  for (const int ranks : {1, 2, 3, 4, 7}) {
    CAPTURE(ranks);
    std::filesystem::remove(path);
    test::check_same<TransportModule>(text, whole, ranks, 6, 4, 2);
    CHECK(test::bytes_of(path) == bytes);
  }
  std::string divided = text;
  divided.insert(divided.find("particles"), "domain = \"decomposed\"\n");
  for (const int ranks : {2, 3, 4}) {
    CAPTURE(ranks);
    std::filesystem::remove(path);
    test::check_same<TransportModule>(divided, whole, ranks, 6, 4, 2);
    CHECK(test::bytes_of(path) == bytes);
  }
  for (const char* const flights : {"flights_a_pass = 1\n", "flights_a_pass = 3\n"})
    for (std::string passes : {text, divided}) {
      CAPTURE(passes);
      passes.insert(passes.find("particles"), flights);
      std::filesystem::remove(path);
      test::check_same<TransportModule>(passes, whole, 2, 6, 4, 2);
      CHECK(test::bytes_of(path) == bytes);
    }
  // A run that is killed leaves more data than its checkpoint accounts for.
  std::filesystem::remove(path);
  MemoryDatasets::Contents saved;
  {
    TransportModule module;
    ConfigFile file = ConfigFile::parse(text, "test.toml");
    configure(module, file);
    Context context{Communicator::self(), Executor::host(1)};
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
  const test::Outcome rest = test::run<TransportModule>(text, 3, 3, 6, 6, &saved);
  CHECK(rest.digest == whole.digest);
  CHECK(test::bytes_of(path) == bytes);
}

TEST_CASE("particle file: a previous file of the same name is kept and reported") {
  const test::ScratchFolder folder;
  const std::string path = folder / "run.mcpl";
  const std::string text = slab(short_run, face + writes(path, ""));
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
  const auto check = [](const std::string& text, const char* words) {
    const std::string message = test::refused<TransportModule>(text);
    CAPTURE(text);
    CHECK_MESSAGE(message.find(words) != std::string::npos, message);
  };
  const std::string run = short_run;
  check(slab(run, face + writes("a.mcpl", "surfaces = [\"midle\"]\n")),
        "there is no surface `midle`");
  check(slab(run, face + writes("a.mcpl", "surfaces = [\"b.y_min\"]\n")), "it is reflective");
  check(slab(run, face + writes("a.mcpl.gz", "")), "cannot be compressed");
  check(slab(run, face + writes("a.mcpl", "pdg = 0\n")), "the code of no particle");
  check(slab(run, face + writes("/dev/null/a.mcpl", "")), "cannot write /dev/null/a.mcpl");
  check(slab(run, face + writes("/dev/null", "")), "not a regular file");
  check(slab("tracking = \"delta\"\n" + run, face + writes("a.mcpl", "surfaces = [\"middle\"]\n")),
        "delta tracking has no crossings of `middle`");
  std::string text = slab(run, face + writes("a.mcpl", ""));
  text.replace(text.find("[groups]\nbounds = [2e7, 1.0, 0.0]\n"), 34, "");
  check(text, "the groups have no energy bounds");
  text = slab(run, face + writes("a.mcpl", ""));
  text.replace(text.find("[\"vacuum\", \"vacuum\""), 19, "[\"reflective\", \"reflective\"");
  check(text, "no particle can leak from this geometry");
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
  check(slab(run, "[[source]]\nfile = \"" + path + "\"\nstrength_of_file = true\n"),
        "does not contain the number of source particles of its run");
}
