/**
 * Every suite is a project: `npm test` runs `tests`, `npm run test:faults` runs `faults`, and so on (docs/testing.md). A file belongs
 * to one of the first five; `long`, `long-workers` and `long-nodes` run files again.
 */
import { fileURLToPath } from "node:url"
import { configDefaults, defineConfig } from "vitest/config"
import { LeftOut } from "./test/support/LeftOut.ts"
import { memoryFolder } from "./test/support/memory.ts"
import { NEVER_MS } from "./test/support/never.ts"
import { Results } from "./test/support/Results.ts"

const FAULTS = "test/faults/**/*.test.ts"

const PAGES =
  "test/web/{away,behindProxies,compare,compareClicks,connectForm,corrected,denied,drawnSession,edges,fits,games,gaps,imports,keptConnections,language,live,liveOverlays,marks,names,olderBrowser,overlayLaps,overlays,recorded,session,settings,spins,tasks,token,traces}.test.ts"

/** Soaks, drives in real time, every benchmark once: they take minutes. */
const onlyLong = [
  "test/bench/smoke.test.ts",
  "test/blackbox/cases.test.ts",
  "test/blackbox/simulatorsBadLine.test.ts",
  "test/blackbox/week.test.ts"
]

// Hundreds of tests start a thread that loads the sources, and a third of that is to compile them: it is done once. Processes and
// threads inherit the variable.
process.env["NODE_COMPILE_CACHE"] ??= fileURLToPath(new URL("node_modules/.cache/compiled", import.meta.url))

/** Tests commit tens of thousands of times, and a disk takes milliseconds for each. */
const folder = memoryFolder()
const inMemory = folder === undefined ? {} : { TMPDIR: folder }

const common = {
  testTimeout: NEVER_MS,
  hookTimeout: NEVER_MS,
  // The threads of the sources, and servers that files share, each started when a test first needs it.
  globalSetup: ["test/support/threads.ts", "test/support/sharedServers.ts"],
  // Node runs the sources by itself, as it runs a thread's or another process's.
  server: { deps: { external: [/\/(?:src|simulator|demo)\/.*\.ts$/] } },
  // Files share processes, since to load what they test took as long as to test it: what a file changes it puts back.
  isolate: false,
  setupFiles: ["test/support/ownTestApi.ts", "test/support/endWithRun.ts"],
  // V8's young heap is small at first: with more room for it, four files of analysis and emulators took 14 % less CPU.
  execArgv: ["--min-semi-space-size=16", "--max-semi-space-size=64"],
  // Twice CI's cores: a test that waits for a process or a server leaves its core to another.
  maxWorkers: 4
}

export default defineConfig({
  test: {
    // The output of a test that passes is not shown.
    silent: "passed-only",
    slowTestThreshold: 10_000,
    // `TELEMETRY_TEST_ORDER=random` with `--sequence.seed=7` finds tests that need the one before them.
    sequence: { shuffle: process.env["TELEMETRY_TEST_ORDER"] === "random" },
    reporters: ["default", new LeftOut(), new Results()],
    projects: [
      {
        test: {
          ...common,
          name: "tests",
          env: inMemory,
          include: ["test/**/*.test.ts"],
          exclude: [...configDefaults.exclude, ...onlyLong, FAULTS, PAGES, "test/clients/**"]
        }
      },
      { test: { ...common, name: "pages", env: inMemory, include: [PAGES] } },
      { test: { ...common, name: "faults", include: [FAULTS] } },
      {
        test: {
          name: "clients",
          include: ["test/clients/**/*.test.ts"],
          // They are generated and compiled, and take minutes.
          testTimeout: 2 * NEVER_MS,
          hookTimeout: NEVER_MS,
          // The other programs have the machine's cores; what is missing is looked for, and said, once.
          maxWorkers: 1,
          isolate: false
        }
      },
      {
        test: {
          name: "package",
          include: ["test/package/*.check.ts"],
          testTimeout: 3 * NEVER_MS,
          hookTimeout: NEVER_MS,
          fileParallelism: false
        }
      },
      // Files that go through the processes of a service that has several, and through the nodes of a cluster, in such a service.
      ...["workers", "nodes"].map((kind) => ({
        test: {
          ...common,
          name: `long-${kind}`,
          include: [
            "test/api/{configuration,live,liveResumed,metrics,sessions,system}.test.ts",
            "test/api/trpc/{connections,errors,shapes,telemetry}.test.ts"
          ],
          env: { TELEMETRY_TEST_SERVICE: kind }
        }
      })),
      {
        test: {
          ...common,
          name: "long",
          include: [
            ...onlyLong,
            "test/faults/serversLost.test.ts",
            // `npm test` looks at some of the cases of these, or at a quarter of them.
            "test/analysis/{anomalies,degenerate,glitches,uncertainty}.test.ts",
            "test/analysis/anomalies/{contradictions,injected}.test.ts",
            "test/blackbox/{ending,recordings}.test.ts",
            "test/imports/{captures,damaged}.test.ts",
            "test/api/{everyError,exportForms,streaming}.test.ts",
            "test/recording/{accounting,eventSink}.test.ts",
            "test/simulators/cases/cases.test.ts",
            "test/simulators/drivers/drivers.test.ts",
            "test/simulators/matrix/matrix.test.ts",
            "test/simulators/native/decodeMessages.test.ts",
            "test/simulators/rides/rides.test.ts",
            "test/store/questdb/rowStore.test.ts",
            "test/store/sqlite/SqliteStore.contract.test.ts",
            "test/api/trpc/protocol.test.ts"
          ],
          env: { RIDES: "25", TELEMETRY_TEST_ROUNDS: "10", TELEMETRY_TEST_CASES: "4" }
        }
      }
    ]
  }
})
