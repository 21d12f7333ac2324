#pragma once
// Before a file is written: whether it can be, and what becomes of one whose name it takes.

#include <string>

namespace gsim {

/// What becomes of a file whose name a new one takes: it gets another name; it goes, once the new
/// one is complete; the new one is refused.
enum class ExistingFile { keep, replace, refuse };

/// The choice for all files that this process writes from now on (at first ExistingFile::keep):
/// results, trajectories, fields. The driver makes it when a run starts (key output.existing).
void set_existing_file_policy(ExistingFile choice);
ExistingFile existing_file_policy();

/// Why no file can be made at `path`, in folders that may have to be made first ("results is not
/// writable", "run.toml is no folder"): also that it exists where ExistingFile::refuse was chosen,
/// that the names which it has while it is written are longer than the file system takes, and that
/// the disk has less room than any file of gsim's needs. Empty where nothing speaks against it.
std::string why_not_writable(const std::string& path);

/// Throws InputError where ExistingFile::refuse was chosen and there is something at `path`.
void refuse_existing(const std::string& path);

/// Gives the file at `path` a second name, the first free one of NAME.1.EXT, NAME.2.EXT, …, so that
/// a new one may take its first; by a hard link, or by renaming where there are no links. Returns
/// that name; an empty one, and nothing is done, where ExistingFile::replace was chosen. IoError
/// where neither can be done.
std::string back_up_file(const std::string& path);

}  // namespace gsim
