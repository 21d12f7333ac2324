#pragma once
// What a page of `gsim report` holds, for `gsim inspect`.

#include <string>

namespace gsim {

/// Whether the file's name is that of a page.
bool is_page(const std::string& path);

/// The results in the page as a JSON array: what the page draws. InputError where the file cannot
/// be read or is no page of gsim.
std::string page_json(const std::string& path);

/// A line for each result in the page, and one for each of its tables, pictures and frames.
/// InputError as above.
std::string page_text(const std::string& path);

/// A table as CSV, with numbers that read back exactly: TABLE, or RESULT:TABLE where several
/// results of the page have a table of that name. InputError as above, and if there is no such
/// table.
std::string page_table(const std::string& path, const std::string& table);

}  // namespace gsim
