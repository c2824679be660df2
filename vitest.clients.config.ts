import { defineConfig } from "vitest/config"
import { LeftOut } from "./test/runner/LeftOut.ts"
import { Results } from "./test/runner/Results.ts"

/** `npm run test:clients`: other people's programs on the service, a command of its own for what it fetches, and its time. */
export default defineConfig({
  test: {
    reporters: ["default", new LeftOut(), new Results()],
    include: ["test/clients/**/*.test.ts"],
    // Only against a program that never ends: the slowest of them takes two minutes on a machine that is not busy.
    testTimeout: 1_200_000,
    hookTimeout: 300_000,
    // The programs themselves have the machine's cores; what is missing is looked for, and said, once.
    maxWorkers: 1,
    isolate: false
  }
})
