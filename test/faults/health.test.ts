/** `/health` and `/metrics` of a service whose store fails. */
import { chmodSync, chownSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Box from "../support/processes.ts"
import { openSqlite, valueOf } from "../support/sqliteFile.ts"

/** A user to whom permissions of folders apply, unlike root. */
const NOBODY = 65_534
const uid = process.getuid?.() === 0 ? NOBODY : undefined

interface Health {
  readonly status: string
  readonly detail?: string
}

for (const flags of [[], ["--workers", "2"]]) {
  it.scopedLive(`/health shows when nothing can be stored, and when it can again ${flags.join(" ")}`, () =>
    Effect.gen(function* () {
      const data = yield* Box.folder
      if (uid !== undefined) chownSync(data, uid, uid)
      const main = join(Box.root, "dist/program/main.js")
      const args = [main, "--port", "0", "--data", data, "--log-format", "json", ...Box.FLAGS, ...flags]
      const service = yield* Box.startProgram(process.execPath, args, uid === undefined ? {} : { uid })
      const health = Box.ask<Health>(service, "GET", "/health")
      const healthy = Box.until(health, ({ status }) => status === 200)
      const ill = (detail: string | RegExp) =>
        Box.until(health, ({ body, status }) => status === 503 && new RegExp(detail).test(body.detail ?? ""))
      const gauge = Effect.promise(async () => {
        const text = await (await fetch(`${service.address}/metrics`)).text()
        return /^telemetry_healthy (\d)$/m.exec(text)?.[1]
      })
      const simulator = yield* Box.startSimulator("--rate", "100")
      yield* Box.connect(service, simulator)
      yield* Box.until(Box.connectionOf(service), (now) => (now?.points_stored ?? 0) > 0)
      yield* healthy
      expect(yield* gauge).toBe("1")

      const file = join(data, "telemetry.sqlite")
      const other = openSqlite(file, { timeout: 60_000 })
      other.exec("BEGIN IMMEDIATE")
      yield* ill(/The store has not managed to .+ for \d+ s/)
      // Another process may answer, whose last check is a tenth of a second old.
      yield* Box.until(gauge, (value) => value === "0")
      other.exec("COMMIT")
      other.close()
      yield* healthy
      expect(yield* gauge).toBe("1")

      renameSync(file, `${file}.old`)
      yield* ill("telemetry.sqlite was deleted or moved")
      writeFileSync(file, "another")
      yield* ill("telemetry.sqlite was replaced")
      renameSync(`${file}.old`, file)
      yield* healthy

      renameSync(`${file}-wal`, `${file}-wal.old`)
      yield* ill("telemetry.sqlite-wal was deleted or moved")
      renameSync(`${file}-wal.old`, `${file}-wal`)
      yield* healthy

      chmodSync(data, 0o555)
      yield* ill("Nothing can be written to .+: this user lacks the permission")
      chmodSync(data, 0o755)
      yield* healthy

      rmSync(`${file}-wal`)
      yield* ill("it writes the log into .+telemetry.sqlite as it ends")
      const now = yield* Box.connectionOf(service)
      // Points since the log's removal are in the removed log alone.
      const later = yield* Box.until(
        Box.connectionOf(service),
        (then) => (then?.points_stored ?? 0) > now!.points_stored
      )
      expect(yield* service.signal("SIGTERM")).toBe(0)
      const left = openSqlite(file, { readOnly: true })
      expect(
        valueOf(left, "SELECT sum(length) FROM blocks WHERE group_name = 'points'")
      ).toBeGreaterThanOrEqual(later!.points_stored)
      left.close()
    })
  )
}
