#!/usr/bin/env bash
# Checks the packages that `make package` left in dist/, installs the .deb with apt, starts what it installed under
# Xvfb, and removes it again. Ends with "N passed, N failed". Needs root or sudo, and the `package` set of system packages.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit

passed=0 failed=0
ok() { passed=$((passed + 1)); printf 'ok    %s\n' "$1"; }
not_ok() { failed=$((failed + 1)); printf 'FAIL  %s\n' "$1"; [ -z "${2:-}" ] || printf '%s\n' "$2" | sed 's/^/      /'; }
# check NAME COMMAND...: passes if the command succeeds; otherwise prints its output.
check() {
  local name=$1 said
  shift
  if said=$("$@" 2>&1); then ok "$name"; else not_ok "$name" "$said"; fi
}
# holds NAME TEXT LINE: passes if the text contains this line.
holds() { if grep -qxF -- "$3" <<<"$2"; then ok "$1"; else not_ok "$1" "missing: $3"; fi; }
# within SECONDS COMMAND...: repeats the command until it succeeds.
within() {
  local until=$((SECONDS + $1))
  shift
  until "$@" >/dev/null 2>&1; do
    [ "$SECONDS" -lt "$until" ] || return 1
    sleep 0.1
  done
}
root() { if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi; }

scratch=$(mktemp -d)
window='' display=''
finish() {
  [ -z "$window" ] || kill "$window" 2>/dev/null
  [ -z "$display" ] || kill "$display" 2>/dev/null
  rm -rf "$scratch"
}
trap finish EXIT

shopt -s nullglob
debs=(dist/*.deb) rpms=(dist/*.rpm)
if [ "${#debs[@]}" -ne 1 ] || [ "${#rpms[@]}" -ne 1 ]; then
  not_ok "there is one .deb and one .rpm in dist/" "$(ls dist 2>&1)"
  echo "$passed passed, $failed failed"
  exit 1
fi
deb=$PWD/${debs[0]} rpm=$PWD/${rpms[0]}

wanted=(
  /usr/bin/gleaner
  /usr/bin/glean
  /usr/share/applications/gleaner.desktop
  /usr/share/metainfo/net.gleaner.Gleaner.metainfo.xml
  /usr/share/mime/packages/gleaner.xml
  /usr/share/bash-completion/completions/glean
  /usr/share/fish/vendor_completions.d/glean.fish
  /usr/share/man/man1/glean.1.gz
  /usr/share/man/man1/gleaner.1.gz
  /usr/share/icons/hicolor/scalable/apps/gleaner.svg
)
for size in 16 24 32 48 64 128 256 512; do
  wanted+=("/usr/share/icons/hicolor/${size}x${size}/apps/gleaner.png")
done

echo "== ${deb##*/}"
contents=$(dpkg-deb -c "$deb" | awk '{ sub(/^\.?\/?/, "/", $6); print $6 }')
for path in "${wanted[@]}" /usr/share/zsh/vendor-completions/_glean /usr/share/doc/gleaner/copyright /usr/share/doc/gleaner/third-party-licences.txt.gz /usr/share/doc/gleaner/sbom/{gleaner,glean,interface}.cdx.json.gz; do
  holds "the .deb holds $path" "$contents" "$path"
done
control=$(dpkg-deb -I "$deb")
dpkg-deb -f "$deb"
for dependency in libwebkit2gtk-4.1-0 libgtk-3-0 'libc6 (>='; do
  check "the .deb depends on $dependency" grep -q "Depends:.*$dependency" <<<"$control"
done
check "the .deb is called gleaner" test "$(dpkg-deb -f "$deb" Package)" = gleaner
version=$(dpkg-deb -f "$deb" Version)
dpkg-deb -x "$deb" "$scratch/deb"
desktop=$scratch/deb/usr/share/applications/gleaner.desktop
licences=$(gzip -dc "$scratch/deb/usr/share/doc/gleaner/third-party-licences.txt.gz")
for licence in '^tauri [0-9]' '^ammonia [0-9]' '^## svelte - ' 'SIL OPEN FONT LICENSE'; do
  check "the licences of others include \"$licence\"" grep -q -- "$licence" <<<"$licences"
done
check "the desktop entry is valid" desktop-file-validate "$desktop"
check "the desktop entry opens OPML files" grep -q '^MimeType=.*text/x-opml+xml' "$desktop"
check "the desktop entry opens feeds" grep -q '^MimeType=.*application/rss+xml.*x-scheme-handler/feed' "$desktop"
check "the desktop entry passes addresses" grep -q '^Exec=gleaner %U' "$desktop"
check "the desktop entry is called Gleaner" grep -qx 'Name=Gleaner' "$desktop"
check "the AppStream metadata is valid" appstreamcli validate --no-net "$scratch/deb/usr/share/metainfo/net.gleaner.Gleaner.metainfo.xml"
check "the AppStream metadata names this version" grep -q "<release version=\"$version\"" "$scratch/deb/usr/share/metainfo/net.gleaner.Gleaner.metainfo.xml"
check "the desktop entry and the AppStream metadata fit each other" appstreamcli validate-tree --no-net "$scratch/deb"
check "the MIME type can be registered" update-mime-database "$scratch/deb/usr/share/mime"
check "programs may be run by everyone" test "$(stat -c %a "$scratch/deb/usr/bin/gleaner" "$scratch/deb/usr/bin/glean" | sort -u)" = 755

echo "== ${rpm##*/}"
contents=$(rpm -qpl "$rpm" 2>/dev/null)
for path in "${wanted[@]}" /usr/share/zsh/site-functions/_glean /usr/share/licenses/gleaner/third-party-licences.txt /usr/share/doc/gleaner/sbom/{gleaner,glean,interface}.cdx.json /usr/share/licenses/gleaner/LICENSE-MIT /usr/share/licenses/gleaner/LICENSE-APACHE; do
  holds "the .rpm holds $path" "$contents" "$path"
done
check "the .rpm is called gleaner" test "$(rpm -qp --qf '%{NAME}' "$rpm" 2>/dev/null)" = gleaner
check "the .rpm has the version of the .deb" test "$(rpm -qp --qf '%{VERSION}' "$rpm" 2>/dev/null)" = "$version"

echo "== installed"
if dpkg-query -W -f '${db:Status-Status}' gleaner 2>/dev/null | grep -qx installed; then
  not_ok "gleaner is not installed already" "remove it first: this test would remove it at its end"
  echo "$passed passed, $failed failed"
  exit 1
fi
# apt reads the package as its own user, which cannot read every folder.
cp "$deb" "$scratch/gleaner.deb"
chmod 755 "$scratch"
# An older version is installed first, so that this one is an upgrade.
dpkg-deb -R "$deb" "$scratch/older"
sed -i 's/^Version: .*/Version: 0.0.1/' "$scratch/older/DEBIAN/control"
dpkg-deb --root-owner-group -Zgzip -b "$scratch/older" "$scratch/older.deb" >/dev/null
install_package() {
  root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$1" </dev/null
}
if ! said=$(install_package "$scratch/older.deb" 2>&1) && grep -q 'Unable to locate\|unmet dependencies\|404' <<<"$said"; then
  root apt-get update -qq </dev/null
fi
check "apt installs an older .deb" install_package "$scratch/older.deb"
check "apt upgrades it to this .deb" install_package "$scratch/gleaner.deb"
check "this version is installed" test "$(dpkg-query -W -f '${Version}' gleaner)" = "$version"
check "gleaner is in /usr/bin" test -x /usr/bin/gleaner
check "all its libraries are there" bash -c '! ldd /usr/bin/gleaner /usr/bin/glean | grep "not found"'
check "glean --version" bash -c "/usr/bin/glean --version | grep -qx 'glean $version'"

completes() { bash -c 'source /usr/share/bash-completion/completions/glean; COMP_WORDS=(glean refr) COMP_CWORD=1; _glean glean refr glean; [ "${COMPREPLY[*]}" = refresh ]'; }
check "bash completes the commands of glean" completes

# The test's user has its own home, so that no real library is used.
export HOME=$scratch/home GLEANER_LIBRARY=$scratch/library
export XDG_RUNTIME_DIR=$scratch/run XDG_CONFIG_HOME=$HOME/.config XDG_DATA_HOME=$HOME/.local/share XDG_CACHE_HOME=$HOME/.cache
mkdir -p "$HOME" "$XDG_RUNTIME_DIR"
chmod 700 "$XDG_RUNTIME_DIR"
unset WAYLAND_DISPLAY

exec {number}<> <(:)
# Without -noreset, it restarts whenever a search for the window ends, and refuses a window that connects just then.
Xvfb -displayfd "$number" -screen 0 1280x900x24 -nolisten tcp -noreset >"$scratch/xvfb.log" 2>&1 &
display=$!
if read -rt 20 screen <&"$number"; then ok "a display is there"; else not_ok "a display is there" "$(cat "$scratch/xvfb.log")"; fi
export DISPLAY=:$screen

dbus-run-session -- /usr/bin/gleaner >"$scratch/gleaner.log" 2>&1 &
window=$!
shown() { xdotool search --onlyvisible --name '^Gleaner$'; }
# The search fails if a window closes during it, and is repeated then.
found() { id=$(shown | head -1) && [ -n "$id" ]; }
if within 60 found; then
  ok "its window is on the screen, with the title Gleaner"
  check "the window is mapped" bash -c "xwininfo -id $id | grep -q 'Map State: IsViewable'"
  class=$(xprop -id "$id" WM_CLASS)
  check "the desktop entry knows the window ($class)" grep -q "\"$(sed -n 's/^StartupWMClass=//p' "$desktop")\"" <<<"$class"
else
  not_ok "its window is on the screen, with the title Gleaner" "$(tail -20 "$scratch/gleaner.log"; xwininfo -root -tree | head -30)"
fi
library_created() { [ -n "$(find "$GLEANER_LIBRARY" -type f -size +0 -name '*.sqlite*' -o -type f -size +0 -name '*.db*' | head -1)" ]; }
if within 20 library_created; then ok "its library was created"; else not_ok "its library was created" "$(find "$GLEANER_LIBRARY" 2>&1)"; fi
check "nothing was written into the home's own library" test ! -e "$XDG_DATA_HOME/gleaner"
check "glean stats reads the library of the open window" /usr/bin/glean stats
check "apt installs the package over the running program" root env DEBIAN_FRONTEND=noninteractive apt-get install -y --reinstall "$scratch/gleaner.deb" </dev/null
check "a start of the new program raises the window of the old one" timeout 30 /usr/bin/gleaner
check "glean reads the library of the old program" /usr/bin/glean stats
check "gleaner is alive" kill -0 "$window"
pkill -TERM -P "$window" -x gleaner # only the child of our dbus-run-session
gone() { ! kill -0 "$window"; }
if within 20 gone; then ok "it ends on SIGTERM"; else not_ok "it ends on SIGTERM" "$(tail -20 "$scratch/gleaner.log")"; fi
check "glean stats reads the library afterwards" /usr/bin/glean stats

echo "== removed"
remove_package() { root env DEBIAN_FRONTEND=noninteractive apt-get purge -y gleaner </dev/null; }
check "apt removes it" remove_package
check "nothing is left of it" bash -c '! ls -d /usr/bin/glean /usr/bin/gleaner /usr/share/applications/gleaner.desktop /usr/share/doc/gleaner 2>/dev/null | grep .'
check "the library is still there" library_created

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
