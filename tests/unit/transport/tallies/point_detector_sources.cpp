// Point detectors need the angular density of the source; sources without one are refused.

#include <string>
#include <vector>

#include "src/modules/transport/particle_files/mcpl_file.hpp"
#include "src/modules/transport/transport_module.hpp"
#include "support/messages.hpp"
#include "support/module_runs.hpp"
#include "support/scratch_folder.hpp"

using namespace gsim;
using namespace gsim::transport;

namespace {

std::vector<double> no_keys(Section&, std::int32_t) { return {}; }
/// All particles start at the origin along z.
void sample_beam(const Executor&, const SourceJob& job) {
  for (Index i = 0; i < job.particles.size; ++i) job.particles[i].direction = {0, 0, 1};
}
const SourceKind beam_kind{"beam_sampler", "a sampler whose directions are unknown", no_keys,
                           sample_beam};
/// Declared isotropic by its last member. No particle is sampled in these tests.
const SourceKind isotropic_kind{
    "isotropic_sampler", "an isotropic sampler", no_keys, sample_beam, {}, true};

Extensions extensions_with_samplers() {
  Extensions extensions = Extensions::builtin();
  extensions.sources.samplers = {&beam_kind, &isotropic_kind};
  return extensions;
}

class SampledModule : public TransportModule {
 public:
  SampledModule() : TransportModule(extensions_with_samplers()) {}
};

/// Configuration of an absorbing sphere of radius 2 cm with a point detector in it.
std::string sphere_config(const std::string& source) {
  return "[transport]\nmode = \"fixed_source\"\nparticles = 100\nbatches = 2\n"
         "[[material]]\nname = \"absorber\"\ncapture = [0.7]\nscatter = [[0.0]]\n"
         "[[surface]]\nname = \"end\"\nkind = \"sphere\"\nradius = 2.0\nboundary = \"vacuum\"\n"
         "[[cell]]\nname = \"ball\"\nregion = \"-end\"\nfill = \"absorber\"\n" +
         source +
         "[[point_detector]]\nname = \"d\"\nposition = [0.0, 1.0, 0.0]\n"
         "[[tally]]\nname = \"t\"\nscores = [\"flux\"]\ndetectors = [\"d\"]\n";
}

}  // namespace

TEST_CASE("point detectors refuse a sampler that is not declared isotropic") {
  const std::string message = test::config_error_message<SampledModule>(
      sphere_config("[[source]]\nsampler = {kind = \"beam_sampler\"}\n"));
  CHECK_MESSAGE(message.find("source `beam_sampler` of a plugin is not declared isotropic") !=
                    std::string::npos,
                message);
  CHECK(test::config_error_message<SampledModule>(
            sphere_config("[[source]]\nsampler = {kind = \"isotropic_sampler\"}\n"))
            .empty());
}

TEST_CASE("point detectors refuse a source of particles from a file") {
  const test::ScratchFolder folder;
  McplHeader header;
  McplWriter writer(folder / "s.mcpl", header);
  McplParticle particle;
  particle.direction[2] = 1;
  particle.energy = 1;
  particle.weight = 1;
  particle.pdg = 2112;  // a neutron
  for (int i = 0; i < 3; ++i) writer.write(particle);
  writer.close();
  const std::string source = "[[source]]\nfile = \"" + std::string(folder / "s.mcpl") + "\"\n";
  const std::string message = test::config_error_message<TransportModule>(sphere_config(source));
  CHECK_MESSAGE(message.find("point detectors") != std::string::npos, message);
  CHECK_MESSAGE(message.find("file") != std::string::npos, message);
}
