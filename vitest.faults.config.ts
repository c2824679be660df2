/** `npm run test:faults`: real processes and servers that are killed, stopped, cut off or left without a disk. */
import { defineConfig } from "vitest/config"
import { common, FAULTS } from "./test/runner/common.ts"
import { LeftOut } from "./test/runner/LeftOut.ts"
import { Results } from "./test/runner/Results.ts"

export default defineConfig({
  test: {
    ...common,
    globalSetup: ["test/runner/servers.ts"],
    silent: "passed-only",
    slowTestThreshold: 30_000,
    // Its tests are named by their random seeds.
    reporters: ["verbose", new LeftOut(), new Results()],
    include: [FAULTS]
  }
})
