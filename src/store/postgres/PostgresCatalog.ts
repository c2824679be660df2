/** The catalog in PostgreSQL, which processes on several machines can share. */
import * as Reactivity from "@effect/experimental/Reactivity"
import * as SqlClient from "@effect/sql/SqlClient"
import { PgClient } from "@effect/sql-pg"
import { Context, Duration, Effect, Layer, Redacted } from "effect"
import type { StoreUnavailable } from "../../domain/errors.ts"
import * as SqlCatalog from "../SqlCatalog.ts"
import type { CatalogPorts } from "../SqlCatalog.ts"
import { failing } from "../transactions.ts"
import { reached } from "./reached.ts"

/** The catalog's statements are short and few. */
const MAX_CONNECTIONS = 8
const CONNECT_TIMEOUT = Duration.seconds(5)

/** How long a starting service waits: a server that recovers from a crash is ready in seconds, a large one in a minute. */
export const WAIT_AT_START = Duration.seconds(60)

/** `url`: postgres://user:password@host:port/database. `wait`: how long to retry while the server is away. */
export const layer = (
  url: string,
  wait: Duration.Duration = Duration.zero
): Layer.Layer<CatalogPorts, StoreUnavailable> =>
  SqlCatalog.layer.pipe(
    Layer.provide(
      Layer.scopedContext(
        reached(
          url,
          wait,
          PgClient.make({
            url: Redacted.make(url),
            maxConnections: MAX_CONNECTIONS,
            connectTimeout: CONNECT_TIMEOUT,
            applicationName: "telemetry-session-service"
          })
        ).pipe(
          Effect.map((client) =>
            Context.make(
              SqlClient.SqlClient,
              Object.assign(client, { withTransaction: failing(client.withTransaction) })
            )
          )
        )
      )
    ),
    Layer.provide(Reactivity.layer)
  )
