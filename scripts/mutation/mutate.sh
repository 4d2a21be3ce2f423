#!/bin/sh
# Breaks the code in many small ways and tells which of them no test notices: `scripts/mutation/mutate.sh [AREA...]`.
# Areas: access page invitation request http identity; default all. Reports go to coverage/mutation/.
set -eu
cd "$(dirname "$0")/../.."
mkdir -p coverage/mutation
npm run build
for area in ${@:-access page invitation request http identity}; do
  ESPALIER_AREA=$area ESPALIER_SEED=1 ESPALIER_WORLDS=50 nice -n 19 \
    npx --yes -p @stryker-mutator/core@9.6.1 -p @stryker-mutator/mocha-runner@9.6.1 stryker run scripts/mutation/mutation.js |
    tee "coverage/mutation/$area.txt"
done
