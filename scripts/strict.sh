# Sourced first by every bash script here: a command that fails ends the script, and never silently.
# With pipefail a pipeline must read its input to the end: `ldd x | head -n 1` fails now and then, when
# the first part still writes while the last one has gone (SIGPIPE). Hence sed -n 1p, not head.
set -Eeuo pipefail

say_what_failed() { # STATUS FILE LINE COMMAND
  # In a subshell only the shell above speaks: it fails too, and knows the whole command.
  [ "$BASH_SUBSHELL" -gt 0 ] || printf 'error: %s, line %s: status %s from: %s\n' "$2" "$3" "$1" "$4" >&2
}
trap 'say_what_failed "$?" "${BASH_SOURCE[0]:-$0}" "$LINENO" "$BASH_COMMAND"' ERR
