import { defineConfig } from "vitest/config"
import { isBuilt } from "./test/runner/build.ts"
import { builtThreads } from "./test/runner/builtThreads.ts"

const limits = { testTimeout: 60_000, hookTimeout: 60_000 }
const plugins = isBuilt() ? [builtThreads] : []

export default defineConfig({
  test: {
    globalSetup: ["test/runner/servers.ts"],
    projects: [
      {
        plugins,
        test: {
          ...limits,
          name: "here",
          include: ["test/**/*.test.ts"],
          maxWorkers: 2,
          sequence: { groupOrder: 0 }
        }
      },
      {
        // What clients see, again: of a service of a supervisor, a recorder and four workers, which the files share.
        plugins,
        test: {
          ...limits,
          name: "workers",
          include: ["test/http/*.test.ts", "test/trpc/*.test.ts"],
          // What asks no service, or looks into it.
          exclude: ["**/resuming.test.ts", "**/FetchEventSource.test.ts"],
          env: { TELEMETRY_TEST_SERVICE: "workers" },
          maxWorkers: 1,
          sequence: { groupOrder: 1 }
        }
      }
    ]
  }
})
