#pragma once
// Checks before a file is written, and the treatment of existing files of the same name.

#include <string>

namespace gsim {

/// Treatment of an existing file of the same name: it is kept as a backup under another name; it is
/// replaced when the new file is complete; it is an error.
enum class ExistingFile { keep, replace, refuse };

/// The policy for all files that this process writes from now on (initially ExistingFile::keep):
/// results, trajectories, fields. The driver sets it at the start of a run (key output.existing).
void set_existing_file_policy(ExistingFile choice);
ExistingFile existing_file_policy();

/// The reason why no file can be created at `path`, in folders that may have to be created first
/// ("results is not writable", "run.toml is no folder"); this includes that the file exists and the
/// policy is ExistingFile::refuse, that the temporary names exceed the limit of the file system,
/// and that the disk has less free space than the smallest result and checkpoint need. Empty if the
/// file can be created.
std::string why_not_writable(const std::string& path);

/// Throws InputError if the policy is ExistingFile::refuse and `path` exists.
void refuse_existing(const std::string& path);

/// Backs up the file at `path` under the first free name of NAME.1.EXT, NAME.2.EXT, …, by a hard
/// link, or by renaming if the file system has no links. Returns the name of the backup; returns an
/// empty string and does nothing if the policy is ExistingFile::replace. IoError if the file can be
/// neither linked nor renamed.
std::string back_up_file(const std::string& path);

}  // namespace gsim
