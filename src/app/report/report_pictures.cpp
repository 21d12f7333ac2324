#include "report_pictures.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gsim/config/section.hpp"
#include "gsim/core/error.hpp"
#include "gsim/core/regular_file.hpp"
#include "gsim/core/text.hpp"
#include "last_frame.hpp"
#include "report.hpp"
#include "src/app/comparison/output_files.hpp"
#include "src/app/input/configuration.hpp"
#include "src/app/pictures/field_picture.hpp"
#include "src/app/pictures/field_plane.hpp"
#include "src/app/replay/stored_run.hpp"
#include "src/app/start/scratch_folder.hpp"

namespace gsim::app {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t most_picture_bytes = 8u << 20;
constexpr Index field_pixels = 400, film_frames = 30;

/// Whether a picture is one of the numbered pictures BASE.NUMBER.png of the film BASE.apng beside.
bool is_of_film(const fs::path& picture) {
  const fs::path base = picture.stem();
  const std::string number = base.extension().string();
  std::error_code none;
  return number.size() > 1 && number.find_first_not_of("0123456789", 1) == number.npos &&
         fs::exists(picture.parent_path() / (base.stem().string() + ".apng"), none);
}

/// IoError if there is no regular file at `path`: reading a pipe could block forever.
void require_regular(const fs::path& path) {
  if (const std::string problem = regular_file_problem(path.string()); !problem.empty())
    throw IoError(problem);
}

class PictureMaker {
 public:
  PictureMaker(const Session& session, std::string file)
      : session_(session), file_(std::move(file)), scratch_("gsim-report") {}

  void draw_fields_beside() {
    for (const fs::path path : files_beside(file_, {".vtkhdf"}))
      attempt(path.filename().string(), [&] { draw_all_fields(path); });
  }

  void read_frames_beside() {
    for (const fs::path path : files_beside(file_, {".h5md"}))
      attempt(path.filename().string(), [&] {
        require_regular(path);
        if (const auto frame = last_frame(path.string())) result_.frames.push(*frame);
      });
  }

  /// Returns whether the module draws pictures.
  bool draw_by_module() {
    bool has_drawn = false;
    attempt("the pictures of the configuration", [&] {
      for (const Drawing& drawing : drawings_of_module()) {
        has_drawn = true;
        add(drawing.file, fs::path(drawing.file).filename().string(), drawing.legend);
      }
    });
    return has_drawn;
  }

  void add_pictures_beside() {
    for (const char* extension : {".png", ".apng"})
      for (const fs::path path : files_beside(file_, {extension}))
        if (!names_.contains(path.filename().string()) && !is_of_film(path))
          attempt(path.filename().string(), [&] { add(path, path.filename().string(), {}); });
  }

  ReportPictures result() { return std::move(result_); }

 private:
  /// What fails leaves a sentence on the page; the other parts are as they are.
  template <class Body>
  void attempt(const std::string& what, const Body& body) {
    try {
      body();
    } catch (const Error& error) {
      result_.problems.push(fmt::format("{} cannot be drawn: {}", what, error.what()));
    }
  }

  void add(const fs::path& path, const std::string& name, const std::vector<std::string>& legend) {
    require_regular(path);
    if (const std::uintmax_t bytes = fs::file_size(path); bytes > most_picture_bytes) {
      result_.problems.push(fmt::format("{} is not shown: it has {}, more than {}", name,
                                        human_bytes(static_cast<double>(bytes)),
                                        human_bytes(static_cast<double>(most_picture_bytes))));
      return;
    }
    std::ifstream stream(path, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(stream)),
                            std::istreambuf_iterator<char>());
    names_.insert(name);
    result_.pictures.push(Json::object()
                              .set("name", name)
                              .set("text", fmt::format("{}", fmt::join(legend, "; ")))
                              .set("data", "data:image/png;base64," + base64(bytes)));
  }

  void draw_all_fields(const fs::path& path) {
    require_regular(path);
    std::vector<std::string> fields;
    bool is_series = false;
    {
      ResultReader reader(Communicator::self(), path.string());
      fields = fields_of(reader);
      is_series = grid_of(reader, path.string(), -1).steps > 1;
    }
    for (const std::string& field : fields) {
      const std::string name = fmt::format("{}.{}", path.stem().string(), field);
      attempt(name, [&] { draw_field(path, field, name, is_series); });
    }
  }

  void draw_field(const fs::path& path, const std::string& field, const std::string& name,
                  bool is_series) {
    FieldPictureOptions options;
    options.field = field;
    options.is_animated = is_series;
    options.pixels = field_pixels;
    options.most_frames = film_frames;
    options.is_numbered = false;
    options.picture = (scratch_.path() / (is_series ? "field.apng" : "field.png")).string();
    const Drawing drawing = draw_fields(path.string(), options);
    add(drawing.file, name + fs::path(drawing.file).extension().string(), drawing.legend);
  }

  /// Draws in the scratch folder, in which the results have their usual name. The configuration is
  /// that of the results; plugins that it names are not loaded.
  std::vector<Drawing> drawings_of_module() {
    StoredRun stored = read_stored_run(file_);
    if (stored.config_resolved.find("\nplugins = [\"") != std::string::npos)
      throw InputError("it names plugins, whose code does not run for a page");
    Arguments arguments;
    arguments.command = session_.arguments.command;
    arguments.no_plugins = true;
    const Session session{arguments, session_.registry, session_.plugins, Communicator::self(),
                          session_.launch};
    Configuration c = load_configuration(
        session, source_of(std::move(stored), (scratch_.path() / "drawing").string()));
    const fs::path results = scratch_.path() / fs::path(file_).filename();
    std::error_code error;
    fs::create_symlink(fs::absolute(file_), results, error);
    if (error)
      throw IoError(fmt::format("cannot link to {}: {}", results.string(), error.message()));
    c.request.options.output = results.string();
    return c.module->draw(make_context(session, c, Executor::host(1)));
  }

  const Session& session_;
  std::string file_;
  ScratchFolder scratch_;
  ReportPictures result_;
  std::set<std::string> names_;  // of the pictures
};

/// Whether a module of the registry draws pictures of its configurations: it has tables [[plot]].
bool has_plots(const Registry& registry, const std::string& module) {
  const auto& entries = registry.entries();
  const auto entry = std::find_if(entries.begin(), entries.end(),
                                  [&](const Registry::Entry& e) { return e.name == module; });
  if (entry == entries.end()) return false;
  const auto made = entry->factory(registry);
  return schema_text([&](Section& s) { made->describe(s); }).find("[[plot]]") != std::string::npos;
}

}  // namespace

ReportPictures report_pictures(const Session& session, const std::string& file,
                               const std::string& module) {
  PictureMaker maker(session, file);
  const bool has_drawn = has_plots(session.registry, module) && maker.draw_by_module();
  if (!has_drawn) maker.draw_fields_beside();
  maker.read_frames_beside();
  maker.add_pictures_beside();
  return maker.result();
}

}  // namespace gsim::app
