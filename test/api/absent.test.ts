/** Channels that a simulator does not send, from its feed to the answers: null, or nothing in CSV, and never 0. */
import { expect, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { channels } from "../../src/domain/pointChannels.ts"
import { TelemetryPoint } from "../../src/operations/point.ts"
import { clientOf, subscribed, type TelemetryEvent } from "./trpc/support.ts"
import { pointsMessage, speaking } from "./feeds.ts"
import { csvRowOf } from "./points.ts"
import { service } from "../support/service.ts"
import { START } from "./stored.ts"
import { recording, seen, watching } from "./watching.ts"

type Point = Readonly<Record<string, number | null>>

/** A point with the channels of ACC, one with fewer, one whose speed is no number, and one with more; no value is 0. */
const given: ReadonlyArray<Point> = [
  { timestamp: 0.25, speed: 200.5, gear: 4, position_x: -1.5, position_y: 2.25 },
  { timestamp: 0.5, gear: 4 },
  { timestamp: 0.75, speed: null, gear: 4, position_x: -1.5, position_y: 2.25 },
  { timestamp: 1, speed: 201.5, rpm: 7000, gear: 5, throttle: 1, brake: 0.5, steering: -0.5, position_z: 3 }
]
const kept: ReadonlyArray<Point> = given
  .filter((_, n) => n !== 2)
  .map((point) =>
    Object.fromEntries(
      channels.map((channel) => [
        channel,
        channel === "timestamp" ? START + point["timestamp"]! : (point[channel] ?? null)
      ])
    )
  )

const withoutSteering = ({ steering: _steering, ...point }: Point) => point

it.scopedLive("absent values are null in JSON, empty in CSV, and no reason to refuse a point", () =>
  Effect.gen(function* () {
    const running = yield* service()
    const { fetch, json } = running
    const simulator = yield* speaking
    const live = yield* watching(running)
    const subscription = yield* subscribed<TelemetryEvent>((handlers) =>
      clientOf(running).live.telemetry.subscribe({}, handlers)
    )
    const id = yield* recording(running, simulator)
    // One at a time: of points that arrive together a live client at 60 Hz is sent only the newest.
    for (const [n, point] of given.entries()) {
      yield* simulator.say(pointsMessage([point as Readonly<Record<string, number>>]))
      const sent = given.slice(0, n + 1).filter(({ speed }) => speed !== null).length
      yield* seen(() => live.received.length === sent && subscription.events.length === sent)
    }
    const lap = { type: "lap", lap_number: 1, lap_time: 2, valid: true, start_time: 0, end_time: 2 }
    yield* simulator.say(JSON.stringify(lap), JSON.stringify({ type: "session_end" }))
    const laps = yield* Effect.repeat(json(`/api/v1/${id}/laps`), {
      until: ({ body }) => (body as ReadonlyArray<unknown>).length === 1
    })
    const [{ id: lapId }] = laps.body as [{ readonly id: number }]

    expect(live.received.map(({ json }) => json.data)).toStrictEqual(kept.map(withoutSteering))
    expect(subscription.events.map(({ data: { data } }) => data)).toStrictEqual(kept)

    const range = yield* json(`/api/v1/telemetry/range?session_id=${id}`)
    const { points } = range.body as { readonly points: unknown }
    expect(points).toStrictEqual(kept)
    // As the schema describes them.
    expect(Schema.decodeUnknownSync(Schema.Array(TelemetryPoint))(points)).toStrictEqual(kept)
    for (const path of [`${lapId}/telemetry`, `export/json/${lapId}`]) {
      expect((yield* json(`/api/v1/${path}`)).body).toMatchObject({ points: kept })
    }
    const file = yield* fetch(`/api/v1/export/csv/${lapId}`)
    const rows = [channels.join(","), ...kept.map(csvRowOf), ""]
    expect(yield* Effect.promise(() => file.text())).toBe(rows.join("\r\n"))
    const queried = yield* Effect.promise(() => clientOf(running).telemetry.lap.query({ lapId }))
    expect(queried.points).toStrictEqual(kept)

    const { body } = yield* json("/api/v1/status")
    expect((body as { readonly connections: ReadonlyArray<unknown> }).connections).toMatchObject([
      { points_received: 4, points_stored: 3, points_rejected: 1 }
    ])
  })
)
