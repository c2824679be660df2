import { configDefaults, defineConfig } from "vitest/config"
import { common, FAULTS, onlyLong, PAGES } from "./test/runner/common.ts"
import { LeftOut } from "./test/runner/LeftOut.ts"
import { KeepLongest, LongestFirst } from "./test/runner/LongestFirst.ts"
import { Results } from "./test/runner/Results.ts"

export default defineConfig({
  test: {
    ...common,
    globalSetup: ["test/runner/servers.ts"],
    // At random, by `--sequence.seed=7`: to find tests that need the one before them.
    sequence:
      process.env["TELEMETRY_TEST_ORDER"] === "random" ? { shuffle: true } : { sequencer: LongestFirst },
    // What a test that passes writes is nobody's concern.
    silent: "passed-only",
    slowTestThreshold: 10_000,
    reporters: ["default", new LeftOut(), new Results(), new KeepLongest()],
    include: ["test/**/*.test.ts"],
    exclude: [...configDefaults.exclude, ...onlyLong, FAULTS, PAGES, "test/clients/**"]
  }
})
