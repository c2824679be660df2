/** `npm run test:pages`: the pages and overlays, as a browser shows them. */
import { defineConfig } from "vitest/config"
import { common, PAGES } from "./test/runner/common.ts"
import { LeftOut } from "./test/runner/LeftOut.ts"
import { Results } from "./test/runner/Results.ts"

export default defineConfig({
  test: {
    ...common,
    globalSetup: ["test/runner/servers.ts"],
    silent: "passed-only",
    slowTestThreshold: 20_000,
    reporters: ["default", new LeftOut(), new Results()],
    include: [PAGES]
  }
})
