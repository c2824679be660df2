/** A whole service with an empty store, as its clients see it. */
import { type Context, Effect } from "effect"
import type { RowStore } from "../../src/store/RowStore.ts"
import type { CatalogService } from "../contracts/catalogService.ts"

export type RowStoreService = Context.Tag.Service<typeof RowStore>

export interface LogLine {
  readonly level: string
  readonly text: string
  /** The id of the request that a line belongs to. */
  readonly request: unknown
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
}

export interface Service {
  /** `http://127.0.0.1:PORT` */
  readonly url: string
  readonly port: number
  /** The real stores. */
  readonly catalog: CatalogService
  readonly points: RowStoreService
  /** The lines logged so far, from level debug on. */
  readonly logged: ReadonlyArray<LogLine>
  /** The number of its live clients. */
  readonly subscribers: Effect.Effect<number>
  /** The answer to a request of `path`, which begins with /. */
  readonly fetch: (path: string, init?: RequestInit) => Effect.Effect<Response>
  readonly json: (path: string, init?: RequestInit) => Effect.Effect<Answer>
}

/**
 * A connection for each request: so the next request reaches another worker, and no idle connection is found closed
 * on a busy machine.
 */
const onItsOwn = { connection: "close" }

/** A client of the service at `url`. */
export const asking = (url: string) => {
  const request: Service["fetch"] = (path, init = {}) =>
    Effect.promise(() => fetch(url + path, { ...init, headers: { ...onItsOwn, ...init.headers } }))
  return {
    url,
    port: Number(new URL(url).port),
    fetch: request,
    json: (path: string, init?: RequestInit) =>
      Effect.gen(function* () {
        const response = yield* request(path, init)
        const text = yield* Effect.promise(() => response.text())
        return {
          status: response.status,
          headers: response.headers,
          body: text === "" ? undefined : JSON.parse(text)
        }
      })
  }
}

/** A request with a JSON body. */
export const sending = (method: string, body: unknown): RequestInit => ({
  method,
  headers: { "content-type": "application/json" },
  body: typeof body === "string" ? body : JSON.stringify(body)
})

/** In a service of several processes: the workers, and all processes with the supervisor and the recorder. */
export const WORKERS = 2
export const PROCESSES = WORKERS + 2

/** The nodes of a cluster. */
export const NODES = 3

/** The services that this run tests (vitest.config.ts): each in the test's process, of several processes, or of several nodes. */
export const kind = (process.env["TELEMETRY_TEST_SERVICE"] ?? "inside") as "inside" | "workers" | "nodes"
