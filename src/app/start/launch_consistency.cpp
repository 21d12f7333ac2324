#include "launch_consistency.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string_view>

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>
#include <unistd.h>

#include "gsim/core/build_info.hpp"
#include "gsim/core/host_name.hpp"
#include "gsim/core/text.hpp"

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX requires the declaration

namespace gsim::app {
namespace {

/// The build ID in one loaded object's notes (ELF, NT_GNU_BUILD_ID), in hexadecimal digits; empty
/// where the linker wrote none.
std::string build_id(const dl_phdr_info& object) {
  for (int i = 0; i < object.dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = object.dlpi_phdr[i];
    if (part.p_type != PT_NOTE) continue;
    const auto* at = reinterpret_cast<const char*>(object.dlpi_addr + part.p_vaddr);  // NOLINT
    const char* const end = at + part.p_memsz;
    while (at + sizeof(ElfW(Nhdr)) <= end) {
      const auto* note = reinterpret_cast<const ElfW(Nhdr)*>(at);
      const char* const name = at + sizeof *note;
      const char* const value = name + (note->n_namesz + 3) / 4 * 4;
      if (note->n_type == NT_GNU_BUILD_ID && std::string_view(name, 3) == "GNU") {
        std::string digits;
        digits.reserve(std::size_t{2} * note->n_descsz);
        for (std::uint32_t k = 0; k < note->n_descsz; ++k)
          digits += fmt::format("{:02x}", static_cast<unsigned char>(value[k]));
        return digits;
      }
      at = value + (note->n_descsz + 3) / 4 * 4;
    }
  }
  return {};
}

/// The build IDs of the program and of libgsim, which may be one object.
std::string build_ids() {
  struct Search {
    ElfW(Addr) library = 0;
    std::string ids;
  } search;
  Dl_info info{};
  if (::dladdr(reinterpret_cast<const void*>(&gsim::build_info), &info) != 0)
    search.library = reinterpret_cast<ElfW(Addr)>(info.dli_fbase);
  const auto visit = [](dl_phdr_info* object, std::size_t, void* data) {
    auto& s = *static_cast<Search*>(data);
    const bool is_program = object->dlpi_name == nullptr || *object->dlpi_name == '\0';
    if (!is_program && object->dlpi_addr != s.library) return 0;
    const std::string id = build_id(*object);
    if (!id.empty()) s.ids += fmt::format(", {}", id.substr(0, 12));
    return 0;
  };
  dl_iterate_phdr(visit, &search);
  return search.ids;
}

std::string describe_build() {
  const BuildInfo& b = build_info();
  return fmt::format("gsim {} ({}), {}, {}, CUDA {}, MPI {}{}", b.version, b.git_hash, b.compiler,
                     b.build_type, b.cuda_version.empty() ? "none" : b.cuda_version, b.mpi,
                     build_ids());
}

std::string current_folder() {
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::current_path(error);
  return error ? fmt::format("(none: {})", error.message()) : folder.string();
}

constexpr std::string_view build_fact = "build", folder_fact = "folder";

bool is_argument(const std::string& name) { return name.starts_with("argument "); }

const std::string* find(const std::vector<LaunchFact>& facts, const std::string& name) {
  const auto found =
      std::find_if(facts.begin(), facts.end(), [&](const LaunchFact& f) { return f.name == name; });
  return found == facts.end() ? nullptr : &found->value;
}

/// Facts as a message: names and values alternately, each ended by a zero byte, which they cannot
/// contain.
std::string to_text(const std::vector<LaunchFact>& facts) {
  std::string text;
  for (const LaunchFact& fact : facts) {
    text += fact.name;
    text += '\0';
    text += fact.value;
    text += '\0';
  }
  return text;
}

std::vector<LaunchFact> from_text(std::string_view text) {
  std::vector<LaunchFact> facts;
  const auto next = [&text] {
    std::string word(text.substr(0, text.find('\0')));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    return word;
  };
  while (!text.empty()) {
    std::string name = next();
    facts.push_back({std::move(name), next()});
  }
  return facts;
}

/// The value in backquotes, such as "`--quiet`", or "missing". The limit is large because folders
/// and builds may differ in their last characters only.
std::string quoted(const std::string* value) {
  constexpr int max_columns = 300;
  return value == nullptr ? "missing"
                          : fmt::format("`{}`", shorten(escape_controls(*value), max_columns));
}

/// A message about the fact `name`, which is `mine` on a rank and `root` on rank 0; null: absent.
std::string difference(const std::string& name, const std::string* root, const std::string& on_root,
                       const std::string* mine, const std::string& this_rank) {
  if (name == build_fact)
    return fmt::format("{} runs another build than {}: {}, and {} on rank 0", this_rank, on_root,
                       quoted(mine), quoted(root));
  if (name == folder_fact)
    return fmt::format("{} was started in another folder than {}: in {}, and rank 0 in {}",
                       this_rank, on_root, quoted(mine), quoted(root));
  if (is_argument(name))
    return fmt::format("{} was started with other arguments than {}: {} is {}, and on rank 0 {}",
                       this_rank, on_root, name, quoted(mine), quoted(root));
  return fmt::format("the environment variable {} differs: on {} it is {}, and on {} {}", name,
                     this_rank, quoted(mine), on_root, quoted(root));
}

}  // namespace

std::vector<LaunchFact> launch_facts(int argc, const char* const* argv) {
  std::vector<LaunchFact> facts;
  facts.push_back({std::string(build_fact), describe_build()});
  for (int i = 1; i < argc; ++i) facts.push_back({fmt::format("argument {}", i), argv[i]});
  facts.push_back({std::string(folder_fact), current_folder()});
  std::vector<LaunchFact> variables;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::size_t equals = text.find('=');
    if (!text.starts_with("GSIM_") || equals == std::string_view::npos) continue;
    variables.push_back(
        {std::string(text.substr(0, equals)), std::string(text.substr(equals + 1))});
  }
  std::sort(variables.begin(), variables.end(),
            [](const LaunchFact& a, const LaunchFact& b) { return a.name < b.name; });
  facts.insert(facts.end(), variables.begin(), variables.end());
  return facts;
}

std::string launch_difference(const std::vector<LaunchFact>& root, const std::string& root_node,
                              const std::vector<LaunchFact>& mine, const std::string& node,
                              int rank) {
  if (root == mine) return {};
  const bool one_node = root_node == node;
  const std::string this_rank =
      one_node ? fmt::format("rank {}", rank) : fmt::format("rank {} (on {})", rank, node);
  const std::string on_root = one_node ? "rank 0" : fmt::format("rank 0 (on {})", root_node);
  std::string message;
  const auto compare = [&](const std::string& name) {
    const std::string* const root_value = find(root, name);
    const std::string* const own_value = find(mine, name);
    const bool differ =
        (root_value == nullptr) != (own_value == nullptr) ||
        (root_value != nullptr && own_value != nullptr && *root_value != *own_value);
    if (message.empty() && differ)
      message = difference(name, root_value, on_root, own_value, this_rank);
  };
  // Extra arguments of this rank are reported before a different folder.
  for (const LaunchFact& fact : root) {
    if (fact.name == folder_fact)
      for (const LaunchFact& own_fact : mine)
        if (is_argument(own_fact.name)) compare(own_fact.name);
    compare(fact.name);
  }
  for (const LaunchFact& fact : mine) compare(fact.name);
  return message +
         "; start all ranks with the same program and arguments, in the same folder, with the same "
         "GSIM_ variables";
}

void require_consistent_launch(const Communicator& communicator,
                               const std::vector<LaunchFact>& mine) {
  if (communicator.size() == 1) return;
  const std::string node = host_name();
  const std::string root_node = communicator.broadcast(node);
  const auto root = from_text(communicator.broadcast(to_text(mine)));
  communicator.agree([&] {
    const std::string difference =
        launch_difference(root, root_node, mine, node, communicator.rank());
    if (!difference.empty()) throw InputError(difference);
  });
}

void refuse_renamed_variables(const Communicator& communicator,
                              const std::vector<LaunchFact>& facts) {
  communicator.agree([&] {
    if (find(facts, "GSIM_IO_PATIENCE") != nullptr)
      throw InputError(
          "the environment variable GSIM_IO_PATIENCE was renamed to GSIM_IO_TIMEOUT; set that one");
  });
}

}  // namespace gsim::app
