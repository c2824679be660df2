import { defineConfig } from "vitest/config"
import { builtModules, builtSources } from "./test/runner/builtSources.ts"
import { LeftOut } from "./test/runner/LeftOut.ts"
import { LongestFirst } from "./test/runner/LongestFirst.ts"
import { NEVER_MS } from "./test/runner/never.ts"

const common = {
  testTimeout: NEVER_MS,
  hookTimeout: NEVER_MS,
  server: { deps: { external: [builtModules] } },
  // One more than CI's cores: who waits for a process that starts, or for a server that is away, leaves its core to another.
  // A fourth made the whole slower (652 s instead of 597 to 620).
  maxWorkers: 3
}
const plugins = [builtSources()]

/**
 * Tests of what holds no service: their files share processes, since to load what they test took as long as to test it.
 * No file leaves anything behind that another could see.
 */
const parts = ["analysis", "domain", "export", "live", "recording", "relay", "simulators"].map(
  (folder) => `test/${folder}/**/*.test.ts`
)

export default defineConfig({
  test: {
    globalSetup: ["test/runner/servers.ts"],
    sequence: { sequencer: LongestFirst },
    // What a test that passes writes is nobody's concern.
    silent: "passed-only",
    slowTestThreshold: 10_000,
    reporters: ["default", new LeftOut()],
    projects: [
      {
        plugins,
        test: { ...common, name: "here", include: ["test/**/*.test.ts"], exclude: parts }
      },
      {
        // What clients see, again: of a service of a supervisor, a recorder and four workers, which the files share.
        plugins,
        test: {
          ...common,
          name: "workers",
          include: ["test/http/*.test.ts", "test/trpc/*.test.ts"],
          // What asks no service, or looks into it.
          exclude: ["**/resuming.test.ts", "**/FetchEventSource.test.ts"],
          env: { TELEMETRY_TEST_SERVICE: "workers" },
          isolate: false
        }
      },
      {
        plugins,
        test: { ...common, name: "parts", include: parts, isolate: false }
      }
    ]
  }
})
