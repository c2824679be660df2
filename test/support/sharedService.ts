/** A service that tests use one after another, with an empty store for each. */
import { spawn } from "node:child_process"
import { closeSync, mkdtempSync, openSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { Effect } from "effect"
import { endWithThis } from "../../tools/provision/endWithThis.ts"
import { PROCESSES, WORKERS } from "./asking.ts"
import { LOG } from "./attached.ts"
import { NEVER_S } from "./never.ts"
import { openSqlite } from "./sqliteFile.ts"

const program = fileURLToPath(new URL("../../dist/program/main.js", import.meta.url))
const LOGGING = ["--log-level", "debug", "--log-format", "json"]
const PATIENT = ["--connect-timeout", String(NEVER_S), "--hung-after", String(NEVER_S)]
const FLAGS = ["--port", "0", "--workers", String(WORKERS), ...LOGGING, ...PATIENT]

/** Resets a database to its present content, except for layouts of columns, whose ids the service's writer remembers. */
const keeping = (file: string) => {
  const database = openSqlite(file)
  database.exec("PRAGMA foreign_keys = OFF")
  const tables = database
    .prepare(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT IN ('sqlite_stat1', 'layouts')"
    )
    .all()
    .map(({ name }) => ({
      name,
      rows: database
        .prepare(`SELECT * FROM ${name}`)
        .all()
        .map((row) => Object.values(row))
    }))
  const reset = () => {
    database.exec("BEGIN IMMEDIATE")
    for (const { name, rows } of tables) {
      database.prepare(`DELETE FROM ${name}`).run()
      for (const row of rows) {
        database.prepare(`INSERT INTO ${name} VALUES (${row.map(() => "?").join(",")})`).run(...row)
      }
    }
    database.exec("COMMIT")
  }
  return { reset, close: () => database.close() }
}

/**
 * Whether every process has answered, and none has a live client or a connection. An event that a process received before this
 * request, such as the end of a session, has then reached its live clients.
 */
const isQuiet = (metrics: string): boolean => {
  const valuesOf = (name: string) =>
    [...metrics.matchAll(new RegExp(`^${name}\\{.*\\} (.+)$`, "gm"))].map(([, value]) => Number(value))
  return (
    valuesOf("process_start_time_seconds").length === PROCESSES &&
    [...valuesOf("telemetry_live_subscribers"), ...valuesOf("telemetry_connections")].every(
      (value) => value === 0
    )
  )
}

/** Starts the service until the scope ends. */
export const startService = Effect.acquireRelease(
  Effect.promise(async () => {
    const folder = mkdtempSync(join(tmpdir(), "telemetry-"))
    const log = openSync(join(folder, LOG), "a")
    const child = endWithThis(
      spawn(process.execPath, [program, ...FLAGS, "--data", folder], { stdio: ["ignore", "pipe", log] })
    )
    closeSync(log)
    const ended = new Promise<void>((done) => child.once("close", () => done()))
    const address = await new Promise<string>((resolve, reject) => {
      createInterface(child.stdout!).once("line", (line) => resolve(line.replace("listening on ", "")))
      child.once("close", (code) => reject(new Error(`The service ended with status ${code}`)))
    })
    const database = keeping(join(folder, "telemetry.sqlite"))
    const ask = async (path: string, init: RequestInit = {}) => {
      // On a connection of its own: on a busy machine an idle one may have been closed.
      const answer = await fetch(address + path, { ...init, headers: { connection: "close" } })
      const text = await answer.text()
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`)
      return text
    }
    const configuration = await ask("/api/v1/config")
    return {
      text: JSON.stringify({ address, folder }),
      /** Resets it: no connection, no live client, nothing stored, the default configuration. */
      empty: async () => {
        await ask("/api/v1/disconnect", { method: "POST" })
        await ask("/api/v1/config", { method: "PUT", body: configuration })
        database.reset()
        while (!isQuiet(await ask("/metrics")));
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
