#include <memory>
#include <vector>

#include "gsim/core/text.hpp"
#include "gsim/core/utf8.hpp"
#include "reading.hpp"
#include "src/config/input/input_files.hpp"
#include "src/config/input/node.hpp"
#include "src/config/input/override.hpp"
#include "src/config/input/read_toml.hpp"

namespace gsim {
using namespace config_detail;

struct ConfigFile::Impl {
  Impl(std::string name, std::string text)
      : source(std::make_shared<const Source>(std::move(name), std::move(text))) {
    root.keep_values = true;
    root.place = root.key_place = Place{source.get(), 0, 0, 1};
    root.files = &files;
  }
  std::shared_ptr<const Source> source;  // nodes point to the sources
  std::vector<std::shared_ptr<const Source>> overrides;
  InputFiles files;
  Node root;
};

ConfigFile::ConfigFile() = default;
ConfigFile::~ConfigFile() = default;
ConfigFile::ConfigFile(ConfigFile&&) noexcept = default;
ConfigFile& ConfigFile::operator=(ConfigFile&&) noexcept = default;

ConfigFile ConfigFile::parse(std::string text, std::string name) {
  ConfigFile file;
  file.impl_ = std::make_unique<Impl>(std::move(name), std::move(text));
  read_toml(*file.impl_->source, file.impl_->root);
  return file;
}

ConfigFile ConfigFile::load(const std::string& path) { return parse(read_text(path), path); }

void ConfigFile::read_files_with(FileReader reader) { impl_->files.reader = std::move(reader); }

std::vector<InputFile> ConfigFile::input_files() const {
  return {impl_->files.opened.begin(), impl_->files.opened.end()};
}

void ConfigFile::set(const std::string& assignment) {
  impl_->overrides.push_back(
      std::make_shared<const Source>("--set " + shorten(replace_controls(assignment), 80), ""));
  apply_override(impl_->root, *impl_->overrides.back(), assignment);
}

void ConfigFile::read(const Section::Describe& describe) {
  impl_->root.reset();
  Section top(&impl_->root, nullptr);
  try {
    describe(top);
  } catch (MissingKey& missing) {
    refuse_misspelt(missing, describe);
    refuse_misspelt(impl_->root, describe);
    add_unknown(missing, impl_->root, describe);
    add_misplaced(missing, missing.table(), describe);
    throw;
  } catch (ConfigError& error) {
    refuse_misspelt(impl_->root, describe);
    add_unknown(error, impl_->root, describe);
    throw;
  }
  refuse_unknown(impl_->root, describe);
}

std::string ConfigFile::peek_string(std::string_view key) const {
  const Node* node = impl_->root.find(key);
  return node != nullptr && node->kind == Kind::text ? node->text : std::string();
}

const std::string& ConfigFile::name() const { return impl_->source->name(); }
const std::string& ConfigFile::text() const { return impl_->source->text(); }
std::string ConfigFile::resolved() const { return resolved_text(impl_->root); }
std::string ConfigFile::without_run_lengths() const { return resolved_text(impl_->root, false); }
std::string ConfigFile::directory() const { return folder_of(impl_->source->name()); }

}  // namespace gsim
