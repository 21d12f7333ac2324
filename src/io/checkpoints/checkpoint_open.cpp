#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gsim/core/error.hpp"
#include "src/io/checkpoints/checkpoint_layout.hpp"

namespace gsim {
namespace {

/// Reads the datasets saved under /state.
class CheckpointReader : public DatasetReader {
 public:
  CheckpointReader(Communicator communicator, std::unique_ptr<io::Hdf5Reader> file)
      : communicator_(std::move(communicator)), file_(std::move(file)) {}

  bool has(std::string_view path) const override { return file_->has(in_state(path)); }
  DatasetShape shape(std::string_view path) const override {
    const io::StoredShape stored = file_->shape(in_state(path));
    return {stored.type.element, stored.rows, stored.columns};
  }
  void read_rows(std::string_view path, ElementType type, IndexRange local, void* data) override {
    communicator_.agree([&] { file_->read_numbers(in_state(path), type, local, data); });
  }
  std::vector<std::string> read_strings(std::string_view path) override {
    std::vector<std::string> values;
    communicator_.agree([&] { values = file_->read_strings(in_state(path)); });
    return values;
  }

 private:
  static std::string in_state(std::string_view path) { return fmt::format("state/{}", path); }

  Communicator communicator_;
  std::unique_ptr<io::Hdf5Reader> file_;
};

/// The keys that differ, with their values; if the checkpoint does not hold its configuration, or
/// only input files differ, the two digests.
std::string what_differs(const io::Hdf5Reader& file, const CheckpointIdentity& identity) {
  constexpr std::size_t max_named = 5;
  std::vector<std::string> keys;
  if (file.has(io::configuration_path))
    keys =
        io::differing_keys(file.read_strings(io::configuration_path).at(0), identity.config_text);
  const std::size_t omitted = keys.size() > max_named ? keys.size() - max_named : 0;
  keys.resize(keys.size() - omitted);
  if (!keys.empty())
    return fmt::format(
        "{}{}", fmt::join(keys, ", "),
        omitted > 0 ? fmt::format(" and {} more {}", omitted, omitted == 1 ? "key" : "keys") : "");
  return fmt::format("its keys or input files differ (config_digest {}, this run's is {})",
                     file.attribute("checkpoint", "config_digest"), identity.config_digest);
}

/// Throws for a checkpoint of another run, naming the field that differs.
void refuse_other_run(const io::Hdf5Reader& file, const CheckpointIdentity& identity) {
  const auto field = [&file](const char* name) { return file.attribute("checkpoint", name); };
  if (const auto format = field("format"); format != io::checkpoint_format) {
    throw InputError(fmt::format(
        "checkpoint {} has the format \"{}\", this gsim reads \"{}\"; resume with the version "
        "that wrote it ({}), or start afresh without --resume",
        file.path(), format, io::checkpoint_format, field("gsim_version")));
  }
  if (const auto module = field("module"); module != identity.module) {
    throw InputError(fmt::format(
        "checkpoint {} is of module {}, this run is of module {}; give this run another output "
        "name, or start afresh without --resume",
        file.path(), module, identity.module));
  }
  if (const auto version = field("gsim_version"); version != identity.gsim_version) {
    throw InputError(fmt::format(
        "checkpoint {} was written by gsim {}, this is gsim {}, which need not give the same "
        "bits; resume with gsim {}, or start afresh without --resume",
        file.path(), version, identity.gsim_version, version));
  }
  if (const auto digest = field("config_digest"); digest != identity.config_digest) {
    throw InputError(fmt::format(
        "checkpoint {} was written with another configuration: {}; resume with the configuration "
        "it was written with, or start afresh without --resume (keys that can be changed are "
        "marked in `gsim schema {}`)",
        file.path(), what_differs(file, identity), identity.module));
  }
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const auto& line : lines) text += (text.empty() ? "" : "; ") + line;
  return text;
}

}  // namespace

OpenCheckpoint open_checkpoint(const Communicator& communicator, const std::string& base,
                               const CheckpointIdentity& identity) {
  const auto paths = io::agree_on_checkpoints(communicator, base);
  OpenCheckpoint result;
  for (const auto& path : paths) {
    io::VerifiedCheckpoint candidate = io::verify_checkpoint(communicator, path);
    if (!candidate.file) {
      result.refused.push_back(candidate.damage);
      continue;
    }
    communicator.agree([&] {
      refuse_other_run(*candidate.file, identity);
      result.units_done = candidate.file->read_all<Index>("checkpoint/units_done").at(0);
    });
    result.path = path;
    if (communicator.is_root()) io::discard_partial(base);
    result.reader = std::make_unique<CheckpointReader>(communicator, std::move(candidate.file));
    return result;
  }
  // All ranks have the same paths and the same results of the checks here.
  InputError error(
      paths.empty()
          ? fmt::format(
                "no checkpoint to resume from: there is no {}.ckpt.N; start without --resume", base)
          : fmt::format("no checkpoint of {} can be used: {}; start without --resume", base,
                        joined(result.refused)));
  error.mark_agreed();
  throw error;
}

}  // namespace gsim
