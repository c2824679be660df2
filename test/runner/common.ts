/** What runs of the suite have in common: `npm test`, `npm run test:faults` and `npm run test:long`. */
import { NEVER_MS } from "./never.ts"

export const common = {
  testTimeout: NEVER_MS,
  hookTimeout: NEVER_MS,
  // Node runs the sources by itself, as it runs a thread's or another process's.
  server: { deps: { external: [/\/(?:src|simulator|demo)\/.*\.ts$/] } },
  // Files share processes, since to load what they test took as long as to test it: what a file changes it puts back.
  isolate: false,
  setupFiles: ["test/runner/ownTestApi.ts", "test/runner/endWithRun.ts"],
  // V8's young heap is small at first: with more room for it, four files of analysis and emulators took 14 % less CPU.
  execArgv: ["--min-semi-space-size=16", "--max-semi-space-size=64"],
  // Twice CI's cores: who waits for a process that starts, or for a server that is away, leaves its core to another.
  maxWorkers: 4
}

/** Faults of real processes and servers: `npm run test:faults`. */
export const FAULTS = "test/faults/**/*.test.ts"

/** Pages in a browser: `npm run test:pages`. */
export const PAGES =
  "test/web/{away,behindProxies,compare,corrected,denied,edges,fits,language,live,liveOverlays,names,olderBrowser,overlayLaps,overlays,recorded,session,settings,spins,token}.test.ts"

/** What takes minutes: soaks, drives in real time, every benchmark once. */
export const onlyLong = [
  "test/bench/smoke.test.ts",
  "test/blackbox/cases.test.ts",
  "test/blackbox/simulatorsBadLine.test.ts",
  "test/blackbox/week.test.ts"
]
