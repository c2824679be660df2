/** `npm run test:long`: what takes minutes, and more cases of what `npm test` looks at. */
import { defineConfig } from "vitest/config"
import { builtSources } from "./test/runner/builtSources.ts"
import { common, onlyLong } from "./test/runner/common.ts"
import { LeftOut } from "./test/runner/LeftOut.ts"

export default defineConfig({
  plugins: [builtSources()],
  test: {
    ...common,
    globalSetup: ["test/runner/servers.ts"],
    silent: "passed-only",
    reporters: ["verbose", new LeftOut()],
    include: [
      ...onlyLong,
      "test/faults/serversLost.test.ts",
      // `npm test` looks at some of the cases of these, or at a quarter of them.
      "test/analysis/{anomalies,degenerate,glitches,uncertainty}.test.ts",
      "test/analysis/anomalies/{contradictions,injected}.test.ts",
      "test/blackbox/recordings.test.ts",
      "test/simulators/drivers/f1/emulator.test.ts",
      "test/simulators/native/decodeMessages.test.ts",
      "test/simulators/rides/rides.test.ts",
      "test/http/everyError.test.ts",
      "test/recording/{accounting,eventSink}.test.ts",
      "test/store/sqlite/SqliteStore.contract.test.ts",
      "test/trpc/protocol.test.ts"
    ],
    env: { RIDES: "25", TELEMETRY_TEST_ROUNDS: "10", TELEMETRY_TEST_CASES: "4" }
  }
})
