#pragma once
// Reading a configuration. A module describes its keys once, in one function; that function is run
// on a parsed file to fill the module's options, and run without a file to print the schema
// (`gsim schema`). A key that no description reads is an error with file, line and column.
//
//   void describe(Section& s, HestonOptions& o) {
//     s.required("kappa", o.kappa, {.doc = "speed of mean reversion", .unit = "1/year",
//                                   .minimum = 0, .exclusive_minimum = true});
//     s.optional("rho", o.rho, {.doc = "correlation of spot and variance", .minimum = -1,
//                               .maximum = 1});                       // default: o.rho's value
//   }
//
// For writers of describing functions:
// - They also run to print the schema, without values: once, and with all alternatives of a key,
//   both forms of a number_or_table, and one element of each list. Targets keep their defaults
//   there, so a describing function declares keys and nothing else.
// - Checks that need more than one key of a table, values that follow from several keys, and files
//   that a key names belong into a second function, which is called after the table was read, but
//   not to print the schema:
//
//   void validate(const Section& s, HestonOptions& o) {
//     if (o.rho == 0 && s.has("kappa")) s.fail("kappa", "…");
//   }
//   s.required_table("heston", validated(describe, validate), "…");
//
// - Checks that need more than one table belong into Module::validate(), which runs once after the
//   whole configuration was read. Keep `s.locations()` (or `s.location("key")`) beside the values
//   for the errors of such checks.
// - The default of an optional key is the target's value at the call. One that fails the key's own
//   check (NaN, or a value out of range) means "absent": it is neither shown in the schema nor
//   written by resolved(). A key whose presence is tested with has() needs such a default:
//   otherwise the resolved file, which holds every default, would not mean the same as the
//   original.
// - A describing function may run more than once on one target: lists must be set, not appended to
//   (named_tables: clear them first).
// - Errors of checks belong to a key: fail("key", …) shows the line and the caret.

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "gsim/config/input_file.hpp"
#include "gsim/config/location.hpp"
#include "gsim/core/types.hpp"

namespace gsim {

/// The properties of a key: documentation, unit, and the range that is checked.
struct KeyInfo {
  std::string doc = {};
  std::string unit = {};
  double minimum = -std::numeric_limits<double>::infinity();
  double maximum = std::numeric_limits<double>::infinity();
  bool exclusive_minimum = false;
  bool exclusive_maximum = false;
  bool allow_infinity = false;  ///< of numbers; NaN is always refused
  Index min_size = 0;           ///< of arrays
  Index max_size = std::numeric_limits<Index>::max();
  /// Whether the key sets the length of the run only: no state before the end depends on it. A run
  /// may be resumed with another value and then has the same bits as one long run.
  bool is_run_length = false;
  /// Whether the value is a date. A number is the time in years from today until then. A text or a
  /// TOML date is accepted, too: a key of numbers converts it to years
  /// (Section::read_dates_with()), and a key of strings receives it as a text ("2026-11-28").
  bool is_date = false;
};

/// Converts a date or a length of time from today ("2026-11-28", "6M") to years from today. Throws
/// an InputError when the text is neither.
using DateReader = std::function<double(const std::string& text)>;

namespace config_detail {
struct Node;
struct SchemaNode;
}  // namespace config_detail

/// One table of the input while it is read, or of the schema while it is described.
class Section {
 public:
  // --- single keys. An absent key is an error for `required`; `optional` then does not change the
  // target, whose value is the documented default.
  void required(std::string_view key, double& value, const KeyInfo& info);
  void required(std::string_view key, Index& value, const KeyInfo& info);
  void required(std::string_view key, bool& value, const KeyInfo& info);
  void required(std::string_view key, std::string& value, const KeyInfo& info);
  void required(std::string_view key, std::vector<double>& value, const KeyInfo& info);
  void required(std::string_view key, std::vector<Index>& value, const KeyInfo& info);
  void required(std::string_view key, std::vector<std::string>& value, const KeyInfo& info);
  void required(std::string_view key, std::vector<std::vector<double>>& value, const KeyInfo& info);

  void optional(std::string_view key, double& value, const KeyInfo& info);
  void optional(std::string_view key, Index& value, const KeyInfo& info);
  void optional(std::string_view key, bool& value, const KeyInfo& info);
  void optional(std::string_view key, std::string& value, const KeyInfo& info);
  void optional(std::string_view key, std::vector<double>& value, const KeyInfo& info);
  void optional(std::string_view key, std::vector<Index>& value, const KeyInfo& info);
  void optional(std::string_view key, std::vector<std::string>& value, const KeyInfo& info);
  void optional(std::string_view key, std::vector<std::vector<double>>& value, const KeyInfo& info);

  // --- lists of a fixed length, of numbers (double, Index or a smaller integer type) or strings:
  // min_size and max_size of `info` are replaced by the length. A list of another length is an
  // error at the key.
  template <class T, std::size_t N>
  void required(std::string_view key, std::array<T, N>& values, KeyInfo info) {
    fixed(key, values, info, true);
  }
  template <class T, std::size_t N>
  void optional(std::string_view key, std::array<T, N>& values, KeyInfo info) {
    fixed(key, values, info, false);
  }

  /// A length of time: a number of seconds, or a string such as "90 s", "10 min", "1.5 h", "2 d".
  void optional_duration(std::string_view key, double& seconds, const KeyInfo& info);

  /// One of a fixed list of words; the target receives the position of the word in `words`.
  void required_word(std::string_view key, int& position, std::span<const std::string_view> words,
                     const KeyInfo& info);
  void optional_word(std::string_view key, int& position, std::span<const std::string_view> words,
                     const KeyInfo& info);
  /// The same for an enum whose enumerators are 0, 1, 2, … in the order of `words`.
  template <class Enum>
  requires std::is_enum_v<Enum>
  void required(std::string_view key, Enum& value, std::span<const std::string_view> words,
                const KeyInfo& info) {
    int position = static_cast<int>(value);
    required_word(key, position, words, info);
    value = static_cast<Enum>(position);
  }
  template <class Enum>
  requires std::is_enum_v<Enum>
  void optional(std::string_view key, Enum& value, std::span<const std::string_view> words,
                const KeyInfo& info) {
    int position = static_cast<int>(value);
    optional_word(key, position, words, info);
    value = static_cast<Enum>(position);
  }

  // --- tables
  using Describe = std::function<void(Section&)>;
  void required_table(std::string_view key, const Describe& describe, const std::string& doc);
  /// Returns whether the table is present; an absent one is described to the schema all the same,
  /// and `describe` is then not run on any values.
  bool optional_table(std::string_view key, const Describe& describe, const std::string& doc);
  /// The array of tables [[key]]: calls `resize(n)` with the number n of elements, then
  /// `describe(section, i)` for each element i. In schema mode n is 1.
  void tables(std::string_view key, const std::function<void(Index)>& resize,
              const std::function<void(Section&, Index)>& describe, const std::string& doc);
  template <class T>
  void tables(std::string_view key, std::vector<T>& list,
              const std::type_identity_t<std::function<void(Section&, T&)>>& describe,
              const std::string& doc) {
    tables(
        key, [&](Index n) { list.assign(static_cast<std::size_t>(n), T{}); },
        [&](Section& s, Index i) { describe(s, list[static_cast<std::size_t>(i)]); }, doc);
  }
  /// The tables [key.NAME] with names that the user chooses: calls `describe(section, name)` for
  /// each, in file order.
  void named_tables(std::string_view key,
                    const std::function<void(Section&, const std::string& name)>& describe,
                    const std::string& doc);
  /// A value that may be a plain number or a table (a flat rate or a term structure): returns
  /// whether it is a table. In schema mode both forms are described and false is returned.
  bool number_or_table(std::string_view key, double& number, const KeyInfo& info,
                       const Describe& table, bool is_required);
  /// The same for a value that may also be a string (the name of a curve), which `text` then
  /// receives; otherwise `text` is left unchanged.
  bool number_text_or_table(std::string_view key, double& number, std::string& text,
                            const KeyInfo& info, const Describe& table, bool is_required);
  /// A word that decides which further keys of this section exist. Each alternative is described
  /// to the schema; only the chosen one reads values. Returns the position of the chosen one.
  struct Alternative {
    std::string word;
    std::string doc;
    Describe describe;
  };
  int alternatives(std::string_view key, const std::vector<Alternative>& list, int default_position,
                   const KeyInfo& info);  ///< default_position -1: required

  // --- dates
  /// Sets the conversion of dates for all keys of this configuration that are read from now on
  /// (KeyInfo::is_date). An InputError of `reader` becomes a ConfigError at the value. Without a
  /// conversion these keys accept numbers only. Does nothing in schema mode.
  void read_dates_with(DateReader reader);

  // --- files
  /// The file that `key` names: `name` is relative to the folder of the configuration file unless
  /// it is absolute. Every file besides the configuration is to be read through this: it is read
  /// once, the same on every rank, and kept with the results. ConfigError at the key when it cannot
  /// be read. Not for sections of a CsvTable, nor in schema mode.
  const InputFile& input_file(std::string_view key, const std::string& name) const;
  /// The path of the HDF5 file that `key` names, which is not copied: rank 0 checks that it exists,
  /// results keep its name, and each rank opens it when needed. What is read from it must be part
  /// of Module::input_digest(). ConfigError as above, and when it is no HDF5 file.
  std::string input_hdf5(std::string_view key, const std::string& name) const;
  /// The same for a binary file of another format, which may be compressed by gzip; ConfigError
  /// when it is a text file or an HDF5 file.
  std::string input_path(std::string_view key, const std::string& name) const;

  // --- for checks that need more than one key
  bool has(std::string_view key) const;
  /// The location that fail() reports: that of the key's value, or of the table where the key is
  /// absent. For checks that are made after this section was read.
  SourceLocation location(std::string_view key = {}) const;
  /// The locations of all keys of this table, for checks after the whole configuration was read
  /// (Module::validate()). Empty in schema mode.
  KeyLocations locations() const;
  /// Dotted path of this table ("market.assets.SPX").
  std::string path() const;
  /// Throws a ConfigError at the key.
  [[noreturn]] void fail(std::string_view key, const std::string& problem,
                         const std::string& suggestion = {}) const;
  /// For a key of this table that was renamed: where the input still has `old_key`, a ConfigError
  /// at that key, "`old_key` was renamed to `new_key`". The schema does not contain it.
  void renamed(std::string_view old_key, std::string_view new_key) const;
  /// For a renamed value of the text key `key`: where the input has `old_word`, a ConfigError at
  /// the key, "`mirror` was renamed to `antithetic`".
  void renamed_word(std::string_view key, std::string_view old_word,
                    std::string_view new_word) const;
  /// Counts every key of this table and of the tables in it as read: for a table that is skipped
  /// after an error in it was noted (a trade with on_error = "skip").
  void ignore_unread() const;
  Section(config_detail::Node* node, config_detail::SchemaNode* schema)
      : node_(node), schema_(schema) {}

 private:
  friend class ConfigFile;
  friend class CsvTable;
  template <class DescribeFunction, class ValidateFunction>
  friend auto validated(DescribeFunction describe, ValidateFunction validate);
  /// Whether the section describes the schema, without values.
  bool describing() const { return schema_ != nullptr && node_ == nullptr; }
  template <class T, std::size_t N>
  void fixed(std::string_view key, std::array<T, N>& values, KeyInfo& info, bool is_required) {
    constexpr bool is_whole = std::is_integral_v<T> && !std::is_same_v<T, bool>;
    using Element = std::conditional_t<is_whole, Index, T>;
    info.min_size = info.max_size = static_cast<Index>(N);
    if constexpr (is_whole && sizeof(T) < sizeof(Index)) {
      info.minimum = std::max(info.minimum, static_cast<double>(std::numeric_limits<T>::min()));
      info.maximum = std::min(info.maximum, static_cast<double>(std::numeric_limits<T>::max()));
    }
    std::vector<Element> list(values.begin(), values.end());
    if (is_required)
      required(key, list, info);
    else
      optional(key, list, info);
    for (std::size_t i = 0; i < N && i < list.size(); ++i) values[i] = static_cast<T>(list[i]);
  }
  bool number_or_table(std::string_view key, double& number, std::string* text, const KeyInfo& info,
                       const Describe& table, bool is_required);
  config_detail::Node* node_;          // null in schema mode
  config_detail::SchemaNode* schema_;  // null while reading
};

/// The describing function that runs `describe(section, arguments…)` and then, where there are
/// values, `validate(section, arguments…)`. `validate` may be a null pointer to a function: then
/// nothing is validated. For all functions above that take a describing function.
template <class DescribeFunction, class ValidateFunction>
auto validated(DescribeFunction describe, ValidateFunction validate) {
  return [describe = std::move(describe), validate = std::move(validate)](Section& section,
                                                                          auto&&... arguments) {
    describe(section, arguments...);
    if constexpr (std::is_pointer_v<ValidateFunction>)
      if (validate == nullptr) return;
    if (!section.describing()) validate(std::as_const(section), arguments...);
  };
}

/// A parsed configuration: TOML text plus overrides.
class ConfigFile {
 public:
  /// Parses TOML `text` that came from `name`. Throws ConfigError.
  static ConfigFile parse(std::string text, std::string name);
  static ConfigFile load(const std::string& path);
  ~ConfigFile();
  ConfigFile(ConfigFile&&) noexcept;
  ConfigFile& operator=(ConfigFile&&) noexcept;

  /// Applies `--set path.to.key=value`. A value that is not valid TOML is taken as a string.
  void set(const std::string& assignment);

  /// Sets the reader of Section::input_file(); by default files are read from the disk.
  void read_files_with(FileReader reader);
  /// The files that were read, each once, including those with a problem.
  std::vector<InputFile> input_files() const;

  /// Runs `describe` on the top level and refuses every key that it did not read, with the nearest
  /// known key as suggestion.
  void read(const Section::Describe& describe);

  /// The value of a top-level string key ("module") before anything else is read; empty if absent.
  std::string peek_string(std::string_view key) const;

  const std::string& name() const;
  const std::string& text() const;  ///< as given
  std::string resolved() const;     ///< TOML with all overrides and defaults, after read()
  /// resolved() without the keys that set the length of a run (KeyInfo::is_run_length).
  std::string without_run_lengths() const;
  std::string directory() const;  ///< of the file, to which paths in it are relative

 private:
  ConfigFile();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// A CSV table whose rows are read with the same describing functions as TOML tables: the header
/// names the keys (dotted for nested ones), an empty cell is an absent key, a cell may hold a list
/// separated by spaces or semicolons. Lines above the header that begin with # are comments; below
/// it such a line is a row. Errors name file, line and column.
class CsvTable {
 public:
  /// Parses CSV `text` that came from `name`, as an InputFile holds them. Throws ConfigError.
  static CsvTable parse(std::string text, std::string name);
  ~CsvTable();
  CsvTable(CsvTable&&) noexcept;
  Index rows() const;
  /// Dates in all rows are converted as those of the configuration of `section`
  /// (Section::read_dates_with()).
  void read_dates_as(const Section& section);
  /// Runs `describe` on row i and refuses columns that no description of any row could use.
  void read_row(Index i, const Section::Describe& describe);

 private:
  CsvTable();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The schema of the keys that `describe` describes: a table as text, or JSON Schema (draft
/// 2020-12).
std::string schema_text(const Section::Describe& describe);
std::string schema_json(const Section::Describe& describe, const std::string& title);

/// The word in `known` nearest to `word` by edit distance, or empty when none is near.
std::string did_you_mean(std::string_view word, std::span<const std::string> known);

/// A suggestion where `word` is none of `known`: "did you mean `B`?", or, if none of them is near,
/// `what` and all of them: "the assets are A, B, C".
std::string suggest_known(std::string_view word, std::span<const std::string> known,
                          std::string_view what);

}  // namespace gsim
