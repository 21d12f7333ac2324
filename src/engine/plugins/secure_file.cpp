#include "secure_file.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gsim/core/error.hpp"
#include "gsim/core/regular_file.hpp"

namespace gsim::engine {
namespace {

namespace fs = std::filesystem;

constexpr int max_links = 40;                     // the system's own limit
constexpr long long max_bytes = 4'000'000'000LL;  // a plugin with kernels has some 10 MB

bool is_trusted(uid_t owner) { return owner == 0 || owner == ::geteuid(); }

std::string owner_in_words(uid_t owner) {
  std::array<char, 4096> text{};
  passwd entry{};
  passwd* found = nullptr;
  ::getpwuid_r(owner, &entry, text.data(), text.size(), &found);
  return found != nullptr ? fmt::format("user {}", found->pw_name) : fmt::format("user {}", owner);
}

/// Whether only `owner` is in the group: it has the owner's name and no other members. Many systems
/// give every user such a group, with write access to the user's files.
bool is_group_of_one(gid_t group, uid_t owner) {
  std::array<char, 4096> user_text{};
  std::array<char, 16384> group_text{};
  passwd user{};
  passwd* found_user = nullptr;
  ::group entry{};
  ::group* found_group = nullptr;
  ::getpwuid_r(owner, &user, user_text.data(), user_text.size(), &found_user);
  ::getgrgid_r(group, &entry, group_text.data(), group_text.size(), &found_group);
  if (found_user == nullptr || found_group == nullptr || found_user->pw_gid != group) return false;
  if (std::strcmp(found_user->pw_name, found_group->gr_name) != 0) return false;
  for (char** member = found_group->gr_mem; *member != nullptr; ++member)
    if (std::strcmp(*member, found_user->pw_name) != 0) return false;
  return true;
}

/// The users besides the owner who may write: "everybody", "the group staff", or an empty text.
std::string others_who_write(const struct stat& entry) {
  if ((entry.st_mode & S_IWOTH) != 0) return "everybody";
  if ((entry.st_mode & S_IWGRP) == 0 || is_group_of_one(entry.st_gid, entry.st_uid)) return {};
  std::array<char, 16384> text{};
  ::group group{};
  ::group* found = nullptr;
  ::getgrgid_r(entry.st_gid, &group, text.data(), text.size(), &found);
  return found != nullptr ? fmt::format("the group {}", found->gr_name)
                          : fmt::format("the group {}", entry.st_gid);
}

const char* remedy_for(const std::string& writers) {
  return writers == "everybody" ? "chmod go-w" : "chmod g-w";
}

/// Throws an InputError for a file, folder or link that others own or may write to.
class PathCheck {
 public:
  PathCheck(std::string what, std::string path) : what_(std::move(what)), path_(std::move(path)) {}

  /// Follows the path from the root, so that others cannot replace afterwards what has been
  /// checked; returns it with all symbolic links resolved.
  fs::path follow() const {
    fs::path remaining = fs::absolute(path_);
    for (int links = 0; links <= max_links; ++links) {
      fs::path at = remaining.root_path(), next;
      check_folder(at, status_of(at));
      if (walk(remaining, at, next)) return at;
      remaining = next;
    }
    throw_unreadable(path_, ELOOP);
  }

  void check_file(const struct stat& file) const {
    check_owner(path_, file);
    const std::string writers = others_who_write(file);
    GSIM_VALIDATE(writers.empty(), fmt::format("{} may write to {} {}", writers, what_, path_),
                  fmt::format("{} {}", remedy_for(writers), path_));
  }

  [[noreturn]] void throw_unreadable(const std::string& place, int error_number) const {
    throw InputError(fmt::format("{} {} cannot be read: {}: {}; check the path and its permissions",
                                 what_, path_, place, std::strerror(error_number)));
  }

 private:
  /// Follows `remaining` from the folder `at`, which it updates. Returns false at a link; `next` is
  /// then the target of the link with the rest of `remaining` appended.
  bool walk(const fs::path& remaining, fs::path& at, fs::path& next) const {
    for (auto part = std::next(remaining.begin()); part != remaining.end(); ++part) {
      if (part->empty() || *part == ".") continue;
      if (*part == "..") {  // `at` contains no links, and its parent was checked already
        at = at.parent_path();
        continue;
      }
      const fs::path entry = at / *part;
      const struct stat status = status_of(entry);
      check_owner(entry, status);
      if (S_ISLNK(status.st_mode)) {
        std::error_code error;
        next = at / fs::read_symlink(entry, error);
        if (error) throw_unreadable(entry.string(), error.value());
        for (auto further = std::next(part); further != remaining.end(); ++further)
          next /= *further;
        return false;
      }
      if (S_ISDIR(status.st_mode)) check_folder(entry, status);
      at = entry;
    }
    return true;
  }

  struct stat status_of(const fs::path& entry) const {
    struct stat status {};
    if (::lstat(entry.c_str(), &status) != 0) throw_unreadable(entry.string(), errno);
    return status;
  }

  void check_owner(const fs::path& entry, const struct stat& status) const {
    GSIM_VALIDATE(
        is_trusted(status.st_uid),
        entry == path_
            ? fmt::format("{} {} belongs to {}", what_, path_, owner_in_words(status.st_uid))
            : fmt::format("{} {} is reached through {}, which belongs to {}", what_, path_,
                          entry.string(), owner_in_words(status.st_uid)),
        "take a copy of your own: its code would run with your rights");
  }

  void check_folder(const fs::path& folder, const struct stat& status) const {
    check_owner(folder, status);
    if ((status.st_mode & S_ISVTX) != 0) return;
    const std::string writers = others_who_write(status);
    GSIM_VALIDATE(writers.empty(),
                  fmt::format("{} may replace {} {}: the folder {} is writable by {}", writers,
                              what_, path_, folder.string(), writers),
                  fmt::format("{} {}", remedy_for(writers), folder.string()));
  }

  std::string what_, path_;
};

}  // namespace

SecureFile::SecureFile(std::string what, const std::string& path)
    : what_(std::move(what)), path_(path) {
  const PathCheck path_check(what_, path_);
  const fs::path resolved_path = path_check.follow();
  const std::string kind = irregular_file_kind(resolved_path.string());
  GSIM_VALIDATE(kind.empty(), fmt::format("{} {} is {}", what_, path_, kind), "check the path");
  descriptor_ = ::open(resolved_path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (descriptor_ < 0) path_check.throw_unreadable(resolved_path.string(), errno);
  try {
    struct stat file {};
    if (::fstat(descriptor_, &file) != 0)
      path_check.throw_unreadable(resolved_path.string(), errno);
    path_check.check_file(file);
    GSIM_VALIDATE(S_ISREG(file.st_mode) && file.st_size <= max_bytes,
                  fmt::format("{} {} has {} bytes, more than the maximum of {}", what_, path_,
                              file.st_size, max_bytes),
                  "check the path");
    size_ = file.st_size;
    changed_seconds_ = file.st_ctim.tv_sec;
    changed_nanoseconds_ = file.st_ctim.tv_nsec;
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

SecureFile::~SecureFile() {
  if (!is_kept_) ::close(descriptor_);
}

std::string SecureFile::read() const {
  std::string bytes(static_cast<std::size_t>(size_), '\0');
  for (std::size_t at = 0; at < bytes.size();) {
    const ssize_t count =
        ::pread(descriptor_, bytes.data() + at, bytes.size() - at, static_cast<off_t>(at));
    if (count < 0 && errno == EINTR) continue;
    GSIM_VALIDATE(count > 0,
                  fmt::format("{} {} cannot be read: {}", what_, path_,
                              count < 0 ? std::strerror(errno) : "it became shorter"),
                  "check the path and its permissions");
    at += static_cast<std::size_t>(count);
  }
  return bytes;
}

std::string SecureFile::name() const {
  return fmt::format("/proc/{}/fd/{}", ::getpid(), descriptor_);
}

bool SecureFile::is_unchanged() const {
  struct stat file {};
  return ::fstat(descriptor_, &file) == 0 && file.st_size == size_ &&
         file.st_ctim.tv_sec == changed_seconds_ && file.st_ctim.tv_nsec == changed_nanoseconds_;
}

}  // namespace gsim::engine
