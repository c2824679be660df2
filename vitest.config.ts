import { configDefaults, defineConfig } from "vitest/config"
import { builtSources } from "./test/runner/builtSources.ts"
import { common, FAULTS, onlyLong, PAGES } from "./test/runner/common.ts"
import { LeftOut } from "./test/runner/LeftOut.ts"
import { KeepLongest, LongestFirst } from "./test/runner/LongestFirst.ts"

const plugins = [builtSources()]

export default defineConfig({
  test: {
    globalSetup: ["test/runner/servers.ts"],
    sequence: { sequencer: LongestFirst },
    // What a test that passes writes is nobody's concern.
    silent: "passed-only",
    slowTestThreshold: 10_000,
    reporters: ["default", new LeftOut(), new KeepLongest()],
    projects: [
      {
        plugins,
        test: {
          ...common,
          name: "here",
          include: ["test/**/*.test.ts"],
          exclude: [...configDefaults.exclude, ...onlyLong, FAULTS, PAGES, "test/clients/**"]
        }
      },
      {
        // What goes through the processes of a service that has several, again: in such a service, which the files share.
        plugins,
        test: {
          ...common,
          name: "workers",
          include: [
            "test/http/{configuration,live,liveResumed,metrics,sessions,system}.test.ts",
            "test/trpc/{connections,errors,shapes,telemetry}.test.ts"
          ],
          env: { TELEMETRY_TEST_SERVICE: "workers" }
        }
      }
    ]
  }
})
