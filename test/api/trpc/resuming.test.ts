/** Laps and sessions as subscriptions: each once, in order, also to a client that was away. */
import { expect } from "@effect/vitest"
import { Effect } from "effect"
import { StoreUnavailable } from "../../../src/domain/errors.ts"
import type { NewLap, RecordedLap } from "../../../src/domain/Lap.ts"
import { formatDateTime } from "../../../src/domain/Time.ts"
import { createTelemetryClient } from "../../../src/api/trpc/client.ts"
import { type Inside, inside, serviceInside } from "../../support/inside.ts"
import { lapOf, START, storeSession } from "../stored.ts"
import { proxyTo } from "./proxy.ts"
import { clientOf, failure, type LapEvent, type SessionEvent, subscribed, until } from "./support.ts"

const recording = { recording: true }
const names = { circuit: "Spa", vehicle: "GT3", driver: "Anna", datetime: START }

/** Laps of a session, numbered on. */
const driving = (sessionId: number) => {
  let number = 0
  return (count: number): ReadonlyArray<NewLap> =>
    Array.from({ length: count }, () => {
      number++
      return lapOf(sessionId, number, START + number * 100, START + number * 100 + 90)
    })
}

/** Stores and announces it, as the recorder does. */
const announced = ({ catalog, hub }: Inside, laps: ReadonlyArray<NewLap>) =>
  Effect.tap(catalog.addLaps(laps), (stored) =>
    Effect.sync(() => {
      for (const lap of stored) hub.announce({ type: "lap", sessionId: lap.sessionId, data: lap })
    })
  )

const readerSees = (lap: RecordedLap) => ({
  id: lap.id,
  session_id: lap.sessionId,
  lap_number: lap.lapNumber,
  lap_time: lap.lapTime,
  sector1_time: lap.sector1Time,
  sector2_time: lap.sector2Time,
  sector3_time: lap.sector3Time,
  sector_source: lap.sectorSource,
  valid: lap.valid
})

inside("the subscription sends laps as they are stored, of one session or of all", () =>
  Effect.gen(function* () {
    const running = yield* serviceInside()
    const { live } = clientOf(running)
    const one = driving((yield* storeSession(running)).id)
    const two = driving((yield* storeSession(running)).id)
    yield* announced(running, one(3))
    const all = yield* subscribed<LapEvent>((handlers) => live.laps.subscribe({}, handlers))
    const second = yield* subscribed<LapEvent>((handlers) => live.laps.subscribe({ sessionId: 2 }, handlers))
    // No earlier event.
    const [first] = yield* announced(running, one(1))
    const others = yield* announced(running, two(2))
    yield* until(() => all.events.length === 3 && second.events.length === 2)
    expect(second.events.map(({ data }) => data.data)).toEqual(others.map(readerSees))
    expect(all.events[0]).toEqual({
      id: String(first!.id),
      data: { type: "lap", data: readerSees(first!), session_id: 1 }
    })
    const unknown = yield* failure(
      () => new Promise((_resolve, onError) => void live.laps.subscribe({ sessionId: 7 }, { onError }))
    )
    expect(unknown.status).toBe(404)
  })
)

/** 1, 2, ... last. */
const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1)

inside("a connection that is cut loses no lap and sends none twice", () =>
  Effect.gen(function* () {
    const running = yield* serviceInside()
    const proxy = yield* proxyTo(running)
    const next = driving((yield* storeSession(running)).id)
    const { events, started } = yield* subscribed<LapEvent>((handlers) =>
      createTelemetryClient(proxy.url).live.laps.subscribe({}, handlers)
    )
    const seen = () => events.map(({ data }) => data.data.lap_number)
    yield* announced(running, next(2))
    yield* until(() => events.length === 2)
    proxy.cut()
    yield* until(() => running.hub.stats().subscribers === 0)
    // More than one page, while no client listens.
    yield* announced(running, next(250))
    proxy.mend()
    yield* until(() => events.length === 252)
    yield* announced(running, next(1))
    yield* until(() => events.length === 253)
    expect(seen()).toEqual(upTo(253))
    expect(started()).toBe(2)
    for (let cuts = 0; cuts < 3; cuts++) {
      proxy.cut()
      yield* announced(running, next(5))
      proxy.mend()
      yield* until(() => events.length === 258 + cuts * 5)
    }
    expect(seen()).toEqual(upTo(268))
  })
)

inside("a client that comes and goes while laps are stored gets each of them once", () =>
  Effect.gen(function* () {
    const running = yield* serviceInside()
    const { live } = clientOf(running)
    const next = driving((yield* storeSession(running)).id)
    const storing = yield* Effect.fork(
      Effect.forEach(Array.from({ length: 100 }), () => announced(running, next(1)), { discard: true })
    )
    const seen: Array<number> = []
    let lastEventId = "0"
    for (let turn = 1; seen.length < 100; turn++) {
      const { end, events } = yield* subscribed<LapEvent>((handlers) =>
        live.laps.subscribe({ lastEventId }, handlers)
      )
      yield* until(() => events.length >= Math.min(turn, 100 - seen.length))
      end()
      seen.push(...events.map(({ data }) => data.data.lap_number))
      lastEventId = events.at(-1)!.id
    }
    expect(seen).toEqual(Array.from({ length: 100 }, (_, index) => index + 1))
    yield* storing
    yield* until(() => running.hub.stats().subscribers === 0)
  })
)

inside("a subscription with a foreign id goes on with the newest lap, and an invalid id is refused", () =>
  Effect.gen(function* () {
    const running = yield* serviceInside()
    const { live } = clientOf(running)
    const next = driving((yield* storeSession(running)).id)
    yield* announced(running, next(2))
    const elsewhere = yield* subscribed<LapEvent>((handlers) =>
      live.laps.subscribe({ lastEventId: "4711" }, handlers)
    )
    yield* announced(running, next(1))
    yield* until(() => elsewhere.events.length === 1)
    expect(elsewhere.events[0]!.data.data.lap_number).toBe(3)
    for (const lastEventId of ["x", "-1", "1.5", "99999999999999999999"]) {
      const refused = yield* failure(
        () => new Promise((_resolve, onError) => void live.laps.subscribe({ lastEventId }, { onError }))
      )
      expect([lastEventId, refused.status]).toEqual([lastEventId, 422])
      expect(refused.message).toMatch(/^lastEventId must be the id of an event, got /)
    }
  })
)

inside("the subscription sends sessions at their begin and end, also to a client that was away", () =>
  Effect.gen(function* () {
    const running = yield* serviceInside()
    const { catalog, hub } = running
    const proxy = yield* proxyTo(running)
    const begin = Effect.gen(function* () {
      const session = yield* catalog.createSession(names, recording)
      hub.announce({ type: "session", sessionId: session.id, data: session })
      return session
    })
    const end = Effect.fnUntraced(function* (id: number) {
      yield* catalog.extendSessions(new Map([[id, { first: START, last: START + 60 }]]))
      yield* catalog.endSession(id)
      hub.announce({ type: "session", sessionId: id, data: yield* catalog.session(id) })
    })
    yield* begin
    const { events } = yield* subscribed<SessionEvent>((handlers) =>
      createTelemetryClient(proxy.url).live.sessions.subscribe({}, handlers)
    )
    const durations = () => events.map(({ data }) => [data.session_id, data.data.duration])
    const second = yield* begin
    // Put into the store and not recorded: no live event.
    yield* storeSession(running)
    yield* until(() => events.length === 1)
    expect(events[0]!.data).toEqual({
      type: "session",
      data: {
        id: second.id,
        ...names,
        datetime: formatDateTime(second.datetime),
        duration: 0,
        total_laps: 0,
        best_lap_time: null,
        pinned: false,
        source: "live"
      },
      session_id: second.id
    })
    proxy.cut()
    yield* until(() => hub.stats().subscribers === 0)
    yield* end(1)
    const fourth = yield* begin
    yield* end(fourth.id)
    proxy.mend()
    yield* until(() => events.length === 3)
    yield* end(second.id)
    yield* until(() => events.length === 4)
    expect(durations()).toEqual([
      [2, 0],
      [1, 60],
      [4, 60],
      [2, 60]
    ])
  })
)

inside("a catalog that fails once costs a connection and no lap", () =>
  Effect.gen(function* () {
    let failures = 0
    const running = yield* serviceInside({
      catalog: (real) => ({
        ...real,
        lapsAfter: (id, wanted) =>
          id === 2 && failures++ === 0
            ? new StoreUnavailable({ store: "catalog", cause: new Error("busy") })
            : real.lapsAfter(id, wanted)
      })
    })
    const next = driving((yield* storeSession(running)).id)
    const { errors, events, started } = yield* subscribed<LapEvent>((handlers) =>
      clientOf(running).live.laps.subscribe({}, handlers)
    )
    yield* announced(running, next(2))
    yield* until(() => events.length === 2)
    yield* announced(running, next(2))
    yield* until(() => events.length === 4)
    expect(events.map(({ data }) => data.data.lap_number)).toEqual([1, 2, 3, 4])
    expect([started(), errors]).toEqual([2, []])
  })
)
