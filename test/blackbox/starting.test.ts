/** A starting service logs what it found, and refuses a store that it cannot write. */
import { chmodSync, chownSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Box from "../support/processes.ts"

const main = join(Box.root, "dist/program/main.js")

/** A user to whom file permissions apply, unlike root. */
const NOBODY = 65_534

it.scopedLive.each([1, 2])(
  "a service of %s workers with --existing starts only on an existing store",
  (workers) =>
    Effect.gen(function* () {
      const folder = yield* Box.folder
      const flags = ["--workers", String(workers)]
      const wanted = [main, "--port", "0", "--data", folder, "--existing", ...flags]
      const refused = yield* Box.runProgram(process.execPath, wanted)
      expect(refused.code).toBe(1)
      expect(refused.errors).toContain(`The data folder ${folder} has no store, and --existing requires one`)
      const first = yield* Box.startService(folder, ...flags)
      yield* Box.untilLogged(first, `A new, empty store in ${folder}`)
      expect(yield* first.signal("SIGTERM")).toBe(0)
      const second = yield* Box.startService(folder, ...flags, "--existing")
      expect(yield* second.signal("SIGTERM")).toBe(0)
      expect(second.errors()).not.toContain("empty store")
    })
)

describe.skipIf(process.getuid?.() !== 0)("a start by another user than the store's", () => {
  it.scopedLive("ends with a sentence", () =>
    Effect.gen(function* () {
      const folder = yield* Box.folder
      const owner = yield* Box.startService(folder)
      expect(yield* owner.signal("SIGTERM")).toBe(0)
      // Everything but the store belongs to the other user, who may read the store.
      for (const file of [".", "node.json", "service.lock", "recorder.lock"]) {
        chownSync(join(folder, file), NOBODY, NOBODY)
      }
      chmodSync(join(folder, "telemetry.sqlite"), 0o644)
      const other = yield* Box.runProgram(process.execPath, [main, "--port", "0", "--data", folder], {
        uid: NOBODY
      })
      expect(other.code).toBe(1)
      expect(other.errors).toMatch(/Cannot open the sqlite store: .*readonly/)
    })
  )
})
