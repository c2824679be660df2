/** What the build keeps of a program that it starts once. */
import { spawnSync } from "node:child_process"
import { existsSync, statSync } from "node:fs"
import * as modules from "node:module"
import { join } from "node:path"
import { expect, it } from "vitest"
import { root } from "../blackbox/processes.ts"
import { NEVER_MS } from "../runner/never.ts"

const code = join(root, "dist/program/main.cjs.code")
const elsewhere = join(root, "dist/nothing-is-kept-here")

// Protects the catalog and the folder of whoever builds from a service that is started only to be compiled.
it.skipIf("enableCompileCache" in modules)("the build's service has none of the user's settings", () => {
  const before = statSync(code).mtimeMs
  const { status } = spawnSync(process.execPath, [join(root, "tools/keepCode.mjs"), "main"], {
    env: {
      ...process.env,
      TELEMETRY_CATALOG: "postgres://nobody@127.0.0.1:1/nothing",
      TELEMETRY_DATA: elsewhere,
      TELEMETRY_TOKEN: "0123456789abcdef0123456789abcdef"
    },
    timeout: NEVER_MS
  })
  expect(status).toBe(0)
  expect(existsSync(elsewhere)).toBe(false)
  expect(statSync(code).mtimeMs).toBeGreaterThan(before)
})
