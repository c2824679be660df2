import { defineConfig } from "vitest/config"
import { isBuilt } from "./test/runner/build.ts"
import { builtThreads } from "./test/runner/builtThreads.ts"
import { LongestFirst } from "./test/runner/LongestFirst.ts"

const common = {
  testTimeout: 60_000,
  hookTimeout: 60_000,
  // One more than CI's cores: who waits for a process that starts, or for a server that is away, leaves its core to another.
  // A fourth made the whole slower (652 s instead of 597 to 620).
  maxWorkers: 3
}
const plugins = isBuilt() ? [builtThreads] : []

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
    projects: [
      {
        plugins,
        test: {
          ...common,
          name: "here",
          include: ["test/**/*.test.ts"],
          exclude: [...parts, "test/clients/**"]
        }
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
