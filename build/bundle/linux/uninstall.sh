#!/bin/sh
# Removes what install.sh has put into this user's home. Manuscripts and their copies stay where they are.
set -eu
data=${XDG_DATA_HOME:-$HOME/.local/share}
program=$HOME/.local/lib/manuscript
command=$HOME/.local/bin/manuscript

if [ ! -d "$program" ]; then
  echo "Manuscript is not installed in $program." >&2
  exit 1
fi
made=$(cat "$program/made" 2>/dev/null || true)

[ "$(readlink "$command")" != "$program/manuscript" ] || rm "$command"
(cd "$program/share" && find . -type f) | while IFS= read -r file; do rm -f "$data/${file#./}"; done
if command -v update-mime-database >/dev/null && [ -d "$data/mime/packages" ]; then
  update-mime-database "$data/mime"
fi
if command -v update-desktop-database >/dev/null && [ -d "$data/applications" ]; then
  update-desktop-database -q "$data/applications"
fi
rm -rf "$program"

# What was not there before goes, unless others have put something into it meanwhile. The newest was made last.
printf '%s\n' "$made" | sed '1!G;h;$!d' | while IFS= read -r path; do
  case $path in
    "$data/applications/mimeinfo.cache")
      [ ! -f "$path" ] || grep -q = "$path" || rm "$path"
      ;;
    "$data/mime")
      # The database of file types is made anew from "packages", and of no use without it.
      [ -d "$path/packages" ] || rm -rf "$path"
      ;;
    "") ;;
    *) rmdir "$path" 2>/dev/null || true ;;
  esac
done
echo "Manuscript is removed. Your manuscripts are where they were."
