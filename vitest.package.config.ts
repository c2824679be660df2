import { defineConfig } from "vitest/config"
import { Results } from "./test/runner/Results.ts"

/** `npm run test:package`: what is installed, which takes a registry, and so is no part of `npm test`. */
export default defineConfig({
  test: {
    reporters: ["default", new Results()],
    include: ["test/package/*.check.ts"],
    testTimeout: 1_800_000,
    fileParallelism: false
  }
})
