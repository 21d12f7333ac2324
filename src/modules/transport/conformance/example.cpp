#include "example.hpp"

#include "gsim/engine/driver.hpp"

namespace gsim::transport {

TransportConfig read_example(const ConformanceSubject& subject) {
  TransportConfig config;
  const auto extensions = Extensions::of(subject.registry);
  ConfigFile file = ConfigFile::parse(subject.config, subject.config_name);
  RunOptions::read(file, [&](Section& top) { describe_transport(top, config, extensions); });
  validate_transport(config);
  return config;
}

}  // namespace gsim::transport
