#!/bin/sh
# Makes the blobs of the prelude, in a folder where one is named, else here. Debian: gcc, gcc-aarch64-linux-gnu.
set -e
here=$(dirname "$0")
to=${1:-$here}
elf=$(mktemp)
trap 'rm -f "$elf"' EXIT

# name, prefix of the compiler, its own flags
make() {
  blob=$1 prefix=$2
  shift 2
  "${prefix}gcc" "$@" -Os -std=gnu11 -Wall -Wextra -Werror -ffreestanding -fpie -fvisibility=hidden -mgeneral-regs-only \
    -fno-stack-protector -fno-asynchronous-unwind-tables -fno-jump-tables -fno-tree-loop-distribute-patterns \
    -nostdlib -static -no-pie -Wl,--build-id=none -T "$here/prelude.ld" "$here/prelude.c" -o "$elf"
  "${prefix}objcopy" -O binary "$elf" "$to/$blob"
  chmod 644 "$to/$blob"
}

make x64.bin x86_64-linux-gnu- -fcf-protection=none
make arm64.bin aarch64-linux-gnu- -mcmodel=tiny
