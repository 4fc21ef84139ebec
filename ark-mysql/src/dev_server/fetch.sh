# Unpacks a database server into a folder: without root, without installing anything, from the mirror that apt is configured with.
#   sh -c "$(cat fetch.sh)" fetch FOLDER FLAVOR SUITE      FLAVOR: mysql or mariadb; the folder exists and is empty
# Lines that begin with "progress: " are for the user; all else on stderr is kept for the error message.
# Exit status 3: this machine cannot do it (no apt, no mirror); anything else but 0: it should have worked.
set -eu
folder=$1 flavor=$2 suite=$3

say() { echo "progress: $*" >&2; }
cannot() { echo "$*" >&2; exit 3; }

for tool in apt-get apt-cache dpkg-deb; do
  command -v "$tool" >/dev/null 2>&1 || cannot "$tool was not found"
done

# The addresses that `apt-get update` would ask. Unlike `indextargets` this needs no package lists, which container images often lack.
bases=$(apt-get -o Debug::NoLocking=1 --print-uris update 2>/dev/null |
  sed -n "s|^'\(.*/\)dists/[^']*/InRelease'.*|\1|p" | sort -u)
debian=$(echo "$bases" | grep -E '/debian(/|\.list/)' | head -n 1 || true)
ubuntu=$(echo "$bases" | grep -E '/ubuntu(-ports)?/' | head -n 1 || true)
if [ -n "$debian" ]; then
  mirror=$debian components=main keyring=debian-archive-keyring
elif [ -n "$ubuntu" ]; then
  mirror=$ubuntu components="main universe" keyring=ubuntu-archive-keyring
  suite=$(. /etc/os-release && echo "${UBUNTU_CODENAME:-$VERSION_CODENAME}") # Debian's suites are unknown there
else
  cannot "apt's settings name no Debian or Ubuntu mirror"
fi
signed=
for file in /usr/share/keyrings/$keyring.*; do
  [ ! -e "$file" ] || signed="[signed-by=$file]"
done

state=$folder/.apt
mkdir -p "$state/lists/partial" "$state/archives/partial" "$state/log"
: >"$state/status" # no package counts as installed: the server gets every library, its own libc included
echo "deb $signed $mirror $suite $components" >"$state/sources.list"
apt() {
  tool=$1
  shift
  "$tool" -qq -o "Dir::Etc::SourceList=$state/sources.list" -o Dir::Etc::SourceParts=/dev/null -o "Dir::State=$state" \
    -o "Dir::State::Lists=$state/lists" -o "Dir::State::status=$state/status" -o "Dir::Cache=$state" -o "Dir::Log=$state/log" \
    -o Debug::NoLocking=1 -o APT::Sandbox::User= -o Acquire::Retries=3 -o APT::Update::Error-Mode=any "$@"
}

say "reading the package lists of $suite"
apt apt-get update >&2
names=$(apt apt-cache search --names-only "^$flavor-server-core" | cut -d ' ' -f 1 | sort -V)
name=$(echo "$names" | grep -x "$flavor-server-core" || echo "$names" | tail -n 1) # some releases carry a version in the name
[ -n "$name" ] || { echo "the mirror has no $flavor-server-core in $suite" >&2; exit 4; }

say "downloading $name and its libraries (about 60 MB)"
apt apt-get install -y --no-install-recommends --download-only "$name" >&2
if [ "$flavor" = mariadb ]; then # the SQL that fills a new data folder is in the outer package
  (cd "$state/archives" && apt apt-get download "${name%-core*}" >&2)
fi

say "unpacking"
for package in "$state"/archives/*.deb; do
  dpkg-deb -x "$package" "$folder" 2>>"$state/unpack.log" || { cat "$state/unpack.log" >&2; exit 5; }
done
rm -rf "$state"
# Of the rest of the system nothing is needed: documents, locale data, other programs.
rm -rf "$folder/usr/share/doc" "$folder/usr/share/man" "$folder/usr/share/locale" "$folder/usr/share/info" "$folder/var"
