/** A service that tests have one after another, with an empty store for each. */
import { spawn } from "node:child_process"
import { closeSync, mkdtempSync, openSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import SqliteFile from "better-sqlite3"
import { Effect } from "effect"
import { LOG } from "../http/attached.ts"
import { NEVER_S } from "./never.ts"

const program = fileURLToPath(new URL("../../dist/src/main.js", import.meta.url))
const LOGGING = ["--log-level", "debug", "--log-format", "json"]
const PATIENT = ["--connect-timeout", String(NEVER_S), "--hung-after", String(NEVER_S)]
const FLAGS = ["--port", "0", "--workers", "2", ...LOGGING, ...PATIENT]

/** Puts a database back to what it holds now. */
const keeping = (file: string) => {
  const database = new SqliteFile(file)
  database.pragma("foreign_keys = OFF")
  const tables = database
    .prepare<[], { name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'sqlite_stat1'"
    )
    .all()
    .map(({ name }) => ({
      name,
      rows: database.prepare(`SELECT * FROM ${name}`).raw().all() as Array<Array<unknown>>
    }))
  const reset = database.transaction(() => {
    for (const { name, rows } of tables) {
      database.prepare(`DELETE FROM ${name}`).run()
      for (const row of rows) {
        database.prepare(`INSERT INTO ${name} VALUES (${row.map(() => "?").join(",")})`).run(...row)
      }
    }
  })
  return { reset: () => reset.immediate(), close: () => database.close() }
}

/** Until the scope ends. */
export const startService = Effect.acquireRelease(
  Effect.promise(async () => {
    const folder = mkdtempSync(join(tmpdir(), "telemetry-"))
    const log = openSync(join(folder, LOG), "a")
    const child = spawn(process.execPath, [program, ...FLAGS, "--data", folder], {
      stdio: ["ignore", "pipe", log]
    })
    closeSync(log)
    const ended = new Promise<void>((done) => child.once("close", () => done()))
    const address = await new Promise<string>((resolve, reject) => {
      createInterface(child.stdout!).once("line", (line) => resolve(line.replace("listening on ", "")))
      child.once("close", (code) => reject(new Error(`The service ended with status ${code}`)))
    })
    const database = keeping(join(folder, "telemetry.sqlite"))
    const configuration = await (await fetch(`${address}/api/v1/config`)).text()
    return {
      text: JSON.stringify({ address, folder }),
      /** Nothing connected, nothing stored, everything as by default. */
      empty: async () => {
        await fetch(`${address}/api/v1/disconnect`, { method: "POST" })
        await fetch(`${address}/api/v1/config`, { method: "PUT", body: configuration })
        database.reset()
      },
      stop: async () => {
        database.close()
        child.kill("SIGTERM")
        await ended
        rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
      }
    }
  }),
  ({ stop }) => Effect.promise(stop)
)
