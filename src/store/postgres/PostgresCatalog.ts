/** The catalog in PostgreSQL, which processes on several machines can share. */
import * as Reactivity from "@effect/experimental/Reactivity"
import { SqlClient } from "@effect/sql"
import { PgClient } from "@effect/sql-pg"
import { Context, Duration, Effect, Layer, Redacted } from "effect"
import { StoreUnavailable } from "../../domain/errors.ts"
import type { Catalog } from "../Catalog.ts"
import type { CatalogTransfer } from "../CatalogTransfer.ts"
import * as SqlCatalog from "../SqlCatalog.ts"

/** The catalog's statements are small and few. */
const MOST_CONNECTIONS = 8
const CONNECT_TIMEOUT = Duration.seconds(5)

/** `url`: postgres://user:password@host:port/database */
export const layer = (url: string): Layer.Layer<Catalog | CatalogTransfer, StoreUnavailable> =>
  SqlCatalog.layer.pipe(
    Layer.provide(
      Layer.scopedContext(
        PgClient.make({
          url: Redacted.make(url),
          maxConnections: MOST_CONNECTIONS,
          connectTimeout: CONNECT_TIMEOUT,
          applicationName: "telemetry-session-service"
        }).pipe(
          Effect.map((client) => Context.make(SqlClient.SqlClient, client)),
          Effect.mapError((cause) => new StoreUnavailable({ store: "postgres", cause }))
        )
      )
    ),
    Layer.provide(Reactivity.layer)
  )
