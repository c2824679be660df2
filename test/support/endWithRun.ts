/** A process of tests ends with the run, though a test in it still waits: vitest's own go on until that has ended. */
const kept = globalThis as typeof globalThis & { endsWithRun?: boolean }

if (kept.endsWithRun !== true) process.once("disconnect", () => process.exit())
kept.endsWithRun = true
