import { HttpApiBuilder, HttpApiError, HttpServerResponse } from "@effect/platform"
import { Clock, Effect, ParseResult, Schema } from "effect"
import { formatDateTime } from "../../domain/Time.ts"
import { Simulators } from "../../simulators/Simulators.ts"
import { Catalog } from "../../store/Catalog.ts"
import { PointStore } from "../../store/PointStore.ts"
import { version } from "../../version.ts"
import { Api } from "../Api.ts"
import { RETRY_LATER } from "../problems.ts"
import { addressOf } from "../sentences.ts"
import { DisconnectRequest } from "./api.ts"

const decodeTarget = Schema.decodeUnknown(DisconnectRequest)

const plural = (count: number, thing: string) => `${count} ${thing}${count === 1 ? "" : "s"}`

export const layer = HttpApiBuilder.group(
  Api,
  "system",
  Effect.fnUntraced(function* (handlers) {
    const catalog = yield* Catalog
    const points = yield* PointStore
    const simulators = yield* Simulators
    const started = yield* Clock.currentTimeMillis
    return handlers
      .handle("health", () =>
        Effect.zipRight(catalog.check, points.check).pipe(
          Effect.as({ status: "healthy" as const, version }),
          Effect.catchTag("StoreUnavailable", ({ store }) =>
            HttpServerResponse.json(
              { status: "unhealthy", version, detail: `The ${store} store does not answer` },
              { status: 503, headers: RETRY_LATER }
            ).pipe(Effect.orDie)
          )
        )
      )
      .handle("status", () =>
        Effect.gen(function* () {
          const { connections, lastArrival } = yield* simulators.status
          const { sessions, laps } = yield* catalog.counts
          return {
            connected: connections.some(({ state }) => state === "connected"),
            uptime: ((yield* Clock.currentTimeMillis) - started) / 1000,
            sessions_count: sessions,
            laps_count: laps,
            last_telemetry: lastArrival === null ? null : formatDateTime(lastArrival),
            connections
          }
        })
      )
      .handle("connect", ({ payload }) =>
        Effect.map(simulators.connect(payload), (connected) => ({
          connected: true as const,
          ...connected,
          message: `Connected to the ${connected.simulator} simulator at ${addressOf(connected)}`
        }))
      )
      .handleRaw("disconnect", ({ request }) =>
        Effect.gen(function* () {
          const body = yield* Effect.orDie(request.text)
          const target =
            body.trim() === ""
              ? undefined
              : yield* Effect.mapError(
                  Effect.flatMap(Effect.orDie(request.json), decodeTarget),
                  (error) =>
                    new HttpApiError.HttpApiDecodeError({
                      issues: ParseResult.ArrayFormatter.formatErrorSync(error),
                      message: error.message
                    })
                )
          const ended = yield* simulators.disconnect(target)
          const message = ended === 0 ? "Nothing was connected" : `Ended ${plural(ended, "connection")}`
          return { connected: false as const, message }
        })
      )
  })
)
