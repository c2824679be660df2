# What one does here most; `just` lists it. Everything is an npm script underneath.
default:
    @just --list

# Install what is locked
install:
    npm ci

# The service with the bundled simulator connected
demo *FLAGS:
    npm run demo -- {{FLAGS}}

# The service alone
start *FLAGS:
    npm start -- {{FLAGS}}

# The bundled simulator alone
simulator *FLAGS:
    npm run simulator -- {{FLAGS}}

# Copies sessions between stores: just migrate --from PLACE --to PLACE
migrate *FLAGS:
    npm run migrate -- {{FLAGS}}

# A folder that runs without Node and npm, for this platform
package:
    npm run package

# Types, lint, format
check:
    npm run check

# Types, lint, format, build, tests
test:
    npm test

# The pages, in a browser
test-pages:
    npm run test:pages

# Real processes and servers, killed, stopped, cut off
test-faults:
    npm run test:faults

# An hour at 1 kHz, with clients and readers: memory and descriptors must not grow
soak:
    npm run soak

# What takes minutes: every benchmark once, drives in real time, long outages
test-long:
    npm run test:long

# Everything that CI runs, from a clean install on
ci:
    .ci/run

# Clients that other programs generate, and Schemathesis, on the API
test-clients:
    npm run test:clients

# The tarball and the folder, installed and run; takes minutes
test-package:
    npm run test:package

# README, word by word, in a fresh clone; takes minutes
test-readme:
    npm run test:readme

format:
    npm run format

# Benchmarks; a name runs one of them
bench *NAME:
    npm run bench -- {{NAME}}

servers := "-f docker-compose.yml -f docker-compose.servers.yml"

# The service in a container, in the background
up:
    docker compose up --build --detach --wait

# The service, QuestDB and PostgreSQL in containers
up-servers:
    docker compose {{servers}} up --build --detach --wait

# Ends them; their data stays in the volumes
down:
    docker compose {{servers}} down
