/** Ends a process of tests with the run, even if a test in it still waits: vitest's own processes would wait for the test. */
const kept = globalThis as typeof globalThis & { endsWithRun?: boolean }

if (kept.endsWithRun !== true) process.once("disconnect", () => process.exit())
kept.endsWithRun = true
