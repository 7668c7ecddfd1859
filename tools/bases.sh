# Bases for images, made from Debian's packages: no registry of images is needed. POSIX sh; source
# it. Needs root.
#   can_build                  whether this machine can; installs buildah and mmdebstrap if need be
#   make_base IMAGE PACKAGES   makes IMAGE, a minimal Debian 12 with PACKAGES (with commas, or "")

cache=${BARE_MACHINE:-/var/tmp/isolation-bare-machine}
export BUILDAH_ISOLATION=chroot STORAGE_DRIVER=vfs

has_tools() {
    command -v buildah >/dev/null && command -v mmdebstrap >/dev/null
}

can_build() {
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || return 1
    has_tools && return
    apt-get update -qq >/dev/null 2>&1 || true
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
        buildah mmdebstrap >/dev/null 2>&1 || true
    has_tools
}

# The file system of a base, kept for the next time.
make_root() {
    [ -s "$1" ] && return
    mkdir -p "$cache"
    mmdebstrap --quiet --variant=minbase ${2:+--include="$2"} bookworm "$1.new" && mv "$1.new" "$1"
}

# The base gets this machine's certificates: behind a proxy pip and npm would trust nobody.
make_base() {
    buildah inspect --type image "$1" >/dev/null 2>&1 && return
    certificates=${SSL_CERT_FILE:-/etc/ssl/certs/ca-certificates.crt}
    root="$cache/root${2:+-$2}.tar"
    make_root "$root" "$2" && base=$(buildah from scratch) &&
        buildah add -q "$base" "$root" / >/dev/null &&
        buildah copy -q "$base" "$certificates" /etc/ssl/host.crt >/dev/null &&
        buildah config --env LANG=C.UTF-8 --env PIP_CERT=/etc/ssl/host.crt \
            --env NODE_EXTRA_CA_CERTS=/etc/ssl/host.crt "$base" &&
        buildah commit -q "$base" "$1" >/dev/null && buildah rm "$base" >/dev/null
}
