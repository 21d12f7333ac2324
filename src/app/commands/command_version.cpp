// gsim version: version, compiler and options of this build.

#include "gsim/core/build_info.hpp"
#include "gsim/core/json.hpp"
#include "src/app/app.hpp"
#include "src/app/start/standard_streams.hpp"

namespace gsim::app {

int command_version(const Session& session) {
  if (!session.communicator.is_root()) return 0;
  const BuildInfo& b = build_info();
  if (session.arguments.json) {
    print_out("{}\n", Json::object()
                          .set("gsim", b.version)
                          .set("commit", b.git_hash)
                          .set("compiler", b.compiler)
                          .set("build_type", b.build_type)
                          .set("flags", b.flags)
                          .set("cuda", b.cuda_version)
                          .set("cpu_levels", b.cpu_levels)
                          .set("cuda_architectures", b.cuda_architectures)
                          .text());
    return 0;
  }
  print_out("gsim {} ({}), {}, {}, {}\n", b.version, b.git_hash, b.compiler, b.build_type,
            b.cuda_version.empty() ? "without CUDA" : "CUDA " + b.cuda_version);
  return 0;
}

}  // namespace gsim::app
