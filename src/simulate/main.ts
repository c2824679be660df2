#!/usr/bin/env node
/** `telemetry-simulator FLAGS` is `telemetry simulator FLAGS`. */
process.argv.splice(2, 0, "simulator")
await import("../main.ts")
