/** The service as a user starts it, with several workers: one for all files of a process, emptied for each test. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Context, Effect, Layer } from "effect"
import { RowStore } from "../../src/store/RowStore.ts"
import * as SqliteStore from "../../src/store/sqlite/SqliteStore.ts"
import { ofThisProcess } from "./servers/shared.ts"
import { asking, type LogLine, type Service } from "./asking.ts"
import { totalOf, wholeMetrics } from "../api/wholeMetrics.ts"
import { catalogIn } from "../contracts/catalogService.ts"

/** The log file of its processes, in its data folder. */
export const LOG = "log.ndjson"

export const linesOf = (text: string): ReadonlyArray<LogLine> =>
  text
    .trim()
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .map(({ annotations, cause = "", logLevel, message }) => ({
      level: String(logLevel),
      text: `${Array.isArray(message) ? message.join(" ") : String(message)} ${String(cause)}`.trim(),
      request: (annotations as Readonly<Record<string, unknown>>)["request"]
    }))

export const attached = Effect.gen(function* () {
  const { address, folder } = JSON.parse(yield* ofThisProcess("service")) as {
    readonly address: string
    readonly folder: string
  }
  const stores = yield* Layer.build(SqliteStore.layer(folder))
  const log = join(folder, LOG)
  const before = readFileSync(log).length
  const client = asking(address)
  return {
    ...client,
    catalog: catalogIn(stores),
    points: Context.get(stores, RowStore),
    get logged() {
      return linesOf(readFileSync(log).subarray(before).toString())
    },
    subscribers: Effect.map(wholeMetrics(client), totalOf("telemetry_live_subscribers"))
  } satisfies Service
}).pipe(Effect.orDie)
