# Sourced first by every bash script: a command that fails ends the script with a message.
# With pipefail a pipeline must read its input to the end: `ldd x | head -n 1` fails occasionally, when
# ldd still writes after head has ended (SIGPIPE). Therefore sed -n 1p is used, not head.
set -Eeuo pipefail

report_failure() { # STATUS FILE LINE COMMAND
  # A subshell prints nothing: its parent shell fails, too, and reports the whole command.
  [ "$BASH_SUBSHELL" -gt 0 ] || printf 'error: %s, line %s: status %s from: %s\n' "$2" "$3" "$1" "$4" >&2
}
trap 'report_failure "$?" "${BASH_SOURCE[0]:-$0}" "$LINENO" "$BASH_COMMAND"' ERR
