/** `npm run test:long`: what takes minutes, and more cases of what `npm test` looks at. */
import { defineConfig } from "vitest/config"
import { common, onlyLong } from "./test/runner/common.ts"
import { LeftOut } from "./test/runner/LeftOut.ts"
import { Results } from "./test/runner/Results.ts"

export default defineConfig({
  test: {
    globalSetup: ["test/runner/servers.ts"],
    silent: "passed-only",
    reporters: ["verbose", new LeftOut(), new Results()],
    projects: [
      {
        // What goes through the processes of a service that has several, again: in such a service, which the files share.
        test: {
          ...common,
          name: "workers",
          include: [
            "test/api/{configuration,live,liveResumed,metrics,sessions,system}.test.ts",
            "test/api/trpc/{connections,errors,shapes,telemetry}.test.ts"
          ],
          env: { TELEMETRY_TEST_SERVICE: "workers" }
        }
      },
      {
        test: {
          ...common,
          name: "here",
          include: [
            ...onlyLong,
            "test/faults/serversLost.test.ts",
            // `npm test` looks at some of the cases of these, or at a quarter of them.
            "test/analysis/{anomalies,degenerate,glitches,uncertainty}.test.ts",
            "test/analysis/anomalies/{contradictions,injected}.test.ts",
            "test/blackbox/recordings.test.ts",
            "test/api/{everyError,streaming}.test.ts",
            "test/recording/{accounting,eventSink}.test.ts",
            "test/simulators/drivers/f1/emulator.test.ts",
            "test/simulators/native/decodeMessages.test.ts",
            "test/simulators/rides/rides.test.ts",
            "test/simulators/worlds.test.ts",
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
