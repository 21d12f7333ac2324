#include "configuration.hpp"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

#include "gsim/core/json.hpp"
#include "gsim/core/terminal.hpp"
#include "gsim/core/text.hpp"
#include "named_outputs.hpp"
#include "plugins.hpp"
#include "reading_display.hpp"
#include "src/app/start/standard_streams.hpp"

namespace gsim::app {
namespace {

/// Describes the whole top level: the keys of the engine and of the chosen module.
void describe_all(Section& top, const Session& session, const std::string& directory,
                  RunOptions& options, std::unique_ptr<Module>& module) {
  options.describe(top);
  if (session.arguments.no_plugins && !options.plugins.empty())
    top.fail("plugins", "the configuration names plugins, but --no-plugins is given",
             "leave out --no-plugins if you trust them");
  if (session.communicator.is_root()) {  // share_plugins() loads them on the other ranks
    for (const std::string& named : options.plugins) {
      locate_errors(top.location("plugins"),
                    [&] { return session.plugins.load(find_plugin(named, directory)); });
    }
  }
  const Registry::Entry* entry = nullptr;
  try {
    entry = &session.registry.find(options.module);
  } catch (const InputError& e) {
    top.fail("module", e.what());
  }
  module = entry->factory(session.registry);
  module->describe(top);
}

/// Reads the configuration of `source`, and with its reader the files that it names, into `c`.
void read_configuration(const Session& session, const ConfigSource& source, Configuration& c) {
  const std::string& path = source.path;
  ConfigFile file = ConfigFile::parse(source.text, path);
  file.read_files_with(source.reader);
  for (const std::string& assignment : session.arguments.set) file.set(assignment);
  for (const std::string& assignment : source.set) file.set(assignment);
  c.directory = file.directory();
  RunOptions& options = c.request.options;
  file.read([&](Section& top) { describe_all(top, session, c.directory, options, c.module); });
  c.module->validate();
  c.request.config_name = path;
  c.request.config_text = file.text();
  c.request.config_resolved = file.resolved();
  c.outputs = outputs_of(session.registry, options.module, c.request.config_resolved);
  c.request.provenance.emplace_back("outputs", outputs_text(c.outputs));
  c.request.input_files = file.input_files();
  const auto has_word = [&](std::string_view word) {
    const auto contains = [&](const std::string& text) { return text.find(word) != text.npos; };
    const auto& files = c.request.input_files;
    return contains(c.request.config_resolved) ||
           std::any_of(files.begin(), files.end(),
                       [&](const InputFile& f) { return contains(f.text); });
  };
  const std::vector<Plugin> plugins =
      needed_plugins(session, options.module, has_word, [&](const Registry& registry) {
        ConfigFile resolved = ConfigFile::parse(file.resolved(), path);
        resolved.read_files_with(reader_of(c.request.input_files));
        const auto module = registry.find(c.request.options.module).factory(registry);
        RunOptions::read(resolved, *module);
      });
  c.request.plugins = digests_of(plugins);
  const std::string without_run_lengths = file.without_run_lengths();
  c.request.identity = {options.module, version_with(plugins), config_identity(without_run_lengths),
                        identity_text(without_run_lengths)};
  options.default_paths(path);
}

std::vector<std::string> broadcast(const Communicator& comm, std::vector<std::string> texts) {
  texts.resize(static_cast<std::size_t>(comm.broadcast(static_cast<Index>(texts.size()))));
  for (std::string& text : texts) text = comm.broadcast(std::move(text));
  return texts;
}

std::vector<InputFile> broadcast(const Communicator& comm, std::vector<InputFile> files) {
  files.resize(static_cast<std::size_t>(comm.broadcast(static_cast<Index>(files.size()))));
  for (InputFile& file : files) {
    file.path = comm.broadcast(std::move(file.path));
    file.text = comm.broadcast(std::move(file.text));
    file.problem = comm.broadcast(std::move(file.problem));
    file.is_hdf5 = comm.broadcast(file.is_hdf5);
    file.is_binary = comm.broadcast(file.is_binary);
  }
  return files;
}

}  // namespace

ConfigSource load_source(const Session& session) {
  ConfigSource source{session.arguments.config, {}, read_input_file};
  session.communicator.agree([&] {
    if (session.communicator.is_root()) source.text = ConfigFile::load(source.path).text();
  });
  source.text = session.communicator.broadcast(std::move(source.text));
  return source;
}

Configuration load_configuration(const Session& session) {
  return load_configuration(session, load_source(session));
}

Configuration load_configuration(const Session& session, ConfigSource source) {
  const Communicator& comm = session.communicator;
  source.path = comm.broadcast(std::move(source.path));
  source.text = comm.broadcast(std::move(source.text));
  source.set = broadcast(comm, std::move(source.set));
  Configuration c;
  // Rank 0 alone reads the files that the configuration names and sends them to the others, which
  // may not have access to them.
  {
    const ReadingDisplay show(comm.is_root(), session.arguments.log);
    comm.agree([&] {
      if (comm.is_root()) read_configuration(session, source, c);
    });
  }
  share_plugins(session);
  if (comm.size() == 1) return c;
  source.reader = reader_of(broadcast(comm, c.request.input_files));
  comm.agree([&] {
    if (!comm.is_root()) read_configuration(session, source, c);
  });
  return c;
}

Context make_context(const Session& session, const Configuration& c, Executor executor) {
  Context context{session.communicator, std::move(executor)};
  context.arithmetic = c.request.options.arithmetic;
  context.seed = c.request.options.seed;
  context.stop = c.request.options.stop;
  context.config_directory = c.directory;
  context.output = c.request.options.output;
  if (context.output.ends_with(".h5")) context.output.resize(context.output.size() - 3);
  const bool is_printing = session.communicator.is_root();
  const bool json = session.arguments.log == LogStyle::json;
  context.warn = [is_printing, json](const std::string& text) {
    if (!is_printing) return;
    if (json) {
      std::puts(Json::event("warning").set("message", text).text().c_str());
      std::fflush(stdout);
      return;
    }
    const bool colour = use_colour(STDERR_FILENO);
    print_to_stderr(fmt::format("{}warning:{} {}\n", colour ? "\x1b[33m" : "",
                                colour ? "\x1b[0m" : "", escape_controls_by_line(text)));
  };
  return context;
}

Executor make_executor(const Session& session, const RunOptions& options) {
  std::optional<Executor> executor;
  session.communicator.agree([&] {
    executor = bind_executor(static_cast<DeviceChoice>(options.device), session.launch,
                             static_cast<int>(options.threads));
  });
  return *executor;
}

Platform probe_platform(const Communicator& communicator, const Executor& executor,
                        const RunOptions& options) {
  return {report_binding(communicator, executor),
          probe_buffer_path(communicator, executor, static_cast<GpuAware>(options.gpu_aware),
                            static_cast<CudaIpc>(options.ipc))};
}

std::string describe_platform(const Platform& platform, const Context& context,
                              const RunOptions& options) {
  const Communicator& comm = context.communicator;
  const auto& [binding, buffers] = platform;
  std::string ranks = fmt::format("{} rank{}", comm.size(), comm.size() == 1 ? "" : "s");
  if (comm.size() > 1)
    ranks += fmt::format(" on {} node{}", binding.nodes, binding.nodes == 1 ? "" : "s");
  const std::string arithmetic =
      context.arithmetic == Arithmetic::strict ? "strict arithmetic" : "fast arithmetic";
  if (!context.executor.is_cuda()) {
    std::string reason = "GPUs not requested";
    if (options.device != static_cast<int>(DeviceChoice::cpu)) reason = why_no_device();
    // A GPU may have become usable since the executor was chosen.
    if (reason.empty()) reason = "GPU not used";
    return fmt::format("{} × {} · {} · {}", ranks, context.executor.describe(), reason, arithmetic);
  }
  std::string text = binding.summary;
  if (binding.shared) text += " (shared by several ranks)";
  if (comm.size() > 1) {
    text += fmt::format(" · buffers: {} ({})", to_string(buffers.path), buffers.reason);
  }
  return text + " · " + arithmetic;
}

}  // namespace gsim::app
