#!/bin/sh
# Installs Manuscript for this user, without an administrator: the program, the command, an entry in the menu and the file
# type. Run again, it replaces an older version. uninstall.sh removes all of it and leaves the manuscripts.
set -eu
here=$(cd "$(dirname "$0")" && pwd -P)
data=${XDG_DATA_HOME:-$HOME/.local/share}
program=$HOME/.local/lib/manuscript
command=$HOME/.local/bin/manuscript

if [ "$here" = "$program" ]; then
  echo "Manuscript is installed already." >&2
  exit 1
fi
if { [ -e "$command" ] || [ -L "$command" ]; } && [ "$(readlink "$command")" != "$program/manuscript" ]; then
  echo "$command is another program's: remove it first." >&2
  exit 1
fi

# One path a line: what was not there before, so that uninstall.sh knows what to take away. An older version's list goes on.
made=
[ ! -f "$program/made" ] || made=$(cat "$program/made")
note() {
  made="$made
$1"
}
make_folder() {
  [ ! -d "$1" ] || return 0
  make_folder "$(dirname "$1")"
  mkdir "$1"
  note "$1"
}

make_folder "$HOME/.local/lib"
rm -rf "$program.new"
cp -R "$here" "$program.new"
rm -rf "$program"
mv "$program.new" "$program"

make_folder "$(dirname "$command")"
ln -sf "$program/manuscript" "$command"

folders=$(cd "$here/share" && find . -type d ! -name .)
while IFS= read -r folder; do make_folder "$data/${folder#./}"; done <<FOLDERS
$folders
FOLDERS
[ -e "$data/applications/mimeinfo.cache" ] || note "$data/applications/mimeinfo.cache"
printf '%s\n' "$made" >"$program/made"
cp -R "$here/share/." "$data/"
touch "$data/icons/hicolor" # else a desktop's cache of icons passes for the newest

# The entry names the program by its path: ~/.local/bin need not be on the PATH of a desktop.
quoted=$(printf '%s' "$program/manuscript" | sed 's/[$`"]/\\\\&/g; s/%/%%/g')
while IFS= read -r line; do
  case $line in
    Exec=*) printf 'Exec="%s" app %%f\n' "$quoted" ;;
    *) printf '%s\n' "$line" ;;
  esac
done <"$here/share/applications/manuscript.desktop" >"$data/applications/manuscript.desktop"

if command -v update-mime-database >/dev/null; then update-mime-database "$data/mime"; fi
if command -v update-desktop-database >/dev/null; then update-desktop-database -q "$data/applications"; fi

echo "Manuscript is installed. You find it in the menu, and .manuscript files open with a double click."
case :$PATH: in
  *":$HOME/.local/bin:"*) ;;
  *) echo "For the command \"manuscript\" in a terminal, add ~/.local/bin to your PATH." ;;
esac
