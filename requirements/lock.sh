#!/bin/sh
# Pins every dependency, for all platforms, without writing where it came from.
# Usage: requirements/lock.sh PATH_TO_UV   (or simply: make lock)
set -eu
uv=$1
cd "$(dirname "$0")/.."
pin() {
    "$uv" pip compile --quiet --upgrade --universal --python-version 3.11 --no-header "$@"
}
# All extras but `train`: PyTorch is larger than everything else together, and only docs/training.md asks for it.
extras=$(python3 -c "
import tomllib
names = tomllib.load(open('pyproject.toml', 'rb'))['project']['optional-dependencies']
print(*(f'--extra {name}' for name in names if name != 'train'))")
# shellcheck disable=SC2086 # several words
pin $extras pyproject.toml -o requirements/dev.txt
# What a table needs, in exactly the versions the tests ran with. hatchling and editables put the package itself in.
printf 'hatchling\neditables\n' | pin --extra fast --extra server --extra arena -c requirements/dev.txt \
    pyproject.toml - -o requirements/play.txt
echo 'cosmic-ray' | pin - -o requirements/mutants.txt
