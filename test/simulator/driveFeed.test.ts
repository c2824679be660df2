// The rule does not know @effect/vitest's it.effect and it.scopedLive for tests.
import { expect, it } from "@effect/vitest"
import { Effect, Fiber, TestClock } from "effect"
import { driveFeed } from "../../simulator/feed/driveFeed.ts"
import { SimulatedDrive } from "../../simulator/model/SimulatedDrive.ts"
import { driveOptions as options, lagging } from "./driving.ts"
import { listener, type Point } from "./feedReader.ts"

const { circuit, vehicle } = options

/** Hz: the test clock takes milliseconds for each fiber that it wakes. */
const SLOW = 2

it.effect("a drive feed sends each point when it is due, and never drifts", () =>
  Effect.gen(function* () {
    const client = listener(60)
    yield* TestClock.setTime(1_700_000_000_250)
    yield* Effect.fork(driveFeed(options).serve(client))
    yield* Effect.yieldNow()
    expect(client.log.of("session")).toEqual([
      expect.objectContaining({
        circuit: "Cinder Bowl",
        vehicle: "Wren Cup",
        driver: "A Driver",
        start_time: 1_700_000_000.25,
        circuit_length: circuit.length,
        start_line: circuit.startLine
      })
    ])
    expect(client.log.points).toHaveLength(1)
    for (let second = 1; second <= 5; second++) {
      yield* TestClock.adjust("1 seconds")
      expect(client.log.points).toHaveLength(60 * second + 1)
    }
    expect(client.log.points.map((point) => point["timestamp"])).toEqual(
      Array.from({ length: 301 }, (_, i) => i / 60)
    )
    // One point a message at 60 Hz, numbered.
    expect(client.log.of("points").map((message) => message["sequence"])).toEqual([...Array(301).keys()])
  })
)

it.effect("a drive feed has several points in a message at a high rate", () =>
  Effect.gen(function* () {
    const client = listener()
    yield* Effect.fork(driveFeed({ ...options, rate: 5000, packed: true }).serve(client))
    yield* TestClock.adjust("2 seconds")
    const messages = client.log.of("points").length
    expect(client.log.points).toHaveLength(10_001)
    expect(messages).toBeGreaterThan(100)
    expect(messages).toBeLessThanOrEqual(201)
  })
)

/** The number of points in a fifth of a second after the first. */
const pointsAt = (wish: number | undefined, rate?: number) =>
  Effect.gen(function* () {
    const client = listener(wish)
    const fiber = yield* Effect.fork(driveFeed({ ...options, rate }).serve(client))
    yield* TestClock.adjust("200 millis")
    yield* Fiber.interrupt(fiber)
    return client.log.points.length - 1
  })

it.effect(
  "a drive feed drives at the rate that the client wishes for, within bounds, unless one was given",
  () =>
    Effect.gen(function* () {
      expect(yield* pointsAt(100)).toBe(20)
      expect(yield* pointsAt(100, 25)).toBe(5)
      expect(yield* pointsAt(undefined)).toBe(12)
      expect(yield* pointsAt(0)).toBe(12)
      expect(yield* pointsAt(1e9)).toBe(2000)
      expect(yield* pointsAt(0.01)).toBe(0)
    })
)

it.effect(
  "a drive feed ends after the laps that it was asked for, each lap between its last point and the next",
  () =>
    Effect.gen(function* () {
      const client = listener(SLOW)
      const feed = driveFeed({ ...options, laps: 2 })
      const fiber = yield* Effect.fork(feed.serve(client))
      yield* TestClock.adjust("10 minutes")
      const drive = new SimulatedDrive({ circuit, vehicle, seed: 1 })
      const driven = [drive.lap(1), drive.lap(2)]
      expect(client.log.of("lap")).toEqual(
        driven.map((lap) => ({
          type: "lap",
          lap_number: lap.lapNumber,
          lap_time: lap.lapTime,
          sector1_time: lap.sectors[0],
          sector2_time: lap.sectors[1],
          sector3_time: lap.sectors[2],
          valid: lap.valid,
          start_time: lap.start,
          end_time: lap.end
        }))
      )
      expect(client.log.messages.at(-2)!.type).toBe("lap")
      expect(client.log.messages.at(-1)!.type).toBe("session_end")
      expect(client.log.points).toHaveLength(Math.ceil(driven[1]!.end * SLOW))
      const order = client.log.messages.flatMap(({ points, type }) =>
        type === "points"
          ? (points as ReadonlyArray<Point>).map((point) => `in ${point["lap_number"]}`)
          : [type]
      )
      expect(order.filter((what, i) => what !== order[i - 1])).toEqual([
        "session",
        "in 1",
        "lap",
        "in 2",
        "lap",
        "session_end"
      ])
      // The feed waits; a client that connects now gets a new drive, from its begin.
      expect(yield* Fiber.poll(fiber)).toMatchObject({ _tag: "None" })
      const next = listener()
      yield* Effect.fork(feed.serve(next))
      yield* Effect.yieldNow()
      expect(next.log.points[0]).toMatchObject({ timestamp: 0, lap_number: 1 })
      expect(client.log.messages.at(-1)!.type).toBe("session_end")
    })
)

it.effect("a drive feed goes on while nobody watches, for ten minutes", () =>
  Effect.gen(function* () {
    const feed = driveFeed(options)
    const visit = Effect.gen(function* () {
      const client = listener()
      const fiber = yield* Effect.fork(feed.serve(client))
      yield* TestClock.adjust("1 seconds")
      yield* Fiber.interrupt(fiber)
      return client.log
    })
    const first = yield* visit
    yield* TestClock.adjust("9 minutes")
    const second = yield* visit
    expect(second.of("session")).toEqual(first.of("session"))
    expect(second.points[0]!["timestamp"]).toBe(541)
    expect(second.of("points")[0]!["sequence"]).toBe(541 * 60)
    yield* TestClock.adjust("11 minutes")
    const third = yield* visit
    expect(third.points[0]!["timestamp"]).toBe(0)
    expect(third.of("session")[0]!["start_time"]).toBe(542 + 660)
  })
)

/** A client's log of a drive from its begin, while another client joins on the way. */
const watchedByTwo = (packed: boolean) =>
  Effect.gen(function* () {
    const feed = driveFeed({ ...options, packed })
    const [one, two] = [listener(SLOW), listener(SLOW)]
    yield* Effect.forkScoped(feed.serve(one))
    yield* TestClock.adjust("40 seconds")
    yield* Effect.forkScoped(feed.serve(two))
    yield* TestClock.adjust("60 seconds")
    expect(two.log.points[0]!["timestamp"]).toBe(40)
    expect(two.log.points).toEqual(one.log.points.slice(40 * SLOW))
    expect(two.log.of("lap")).toEqual(one.log.of("lap"))
    return one.log
  }).pipe(Effect.scoped)

it.effect("a drive feed shows the same drive to all, as JSON and packed alike", () =>
  Effect.gen(function* () {
    const asText = yield* watchedByTwo(false)
    const asBytes = yield* watchedByTwo(true)
    expect(asBytes.points).toEqual(asText.points)
    expect(asBytes.of("lap")).toEqual(asText.of("lap"))
    expect(asBytes.of("lap").length).toBe(1)
  })
)

it.effect(
  "a drive feed waits for a client that lags, and sends it all that it missed in larger messages",
  () =>
    Effect.gen(function* () {
      const client = listener()
      yield* lagging(client, "3 minutes", () => expect(client.log.points.length).toBe(62))
      expect(client.log.points.map((point) => point["timestamp"])).toEqual(
        Array.from({ length: 182 * 60 + 1 }, (_, i) => i / 60)
      )
      expect(Math.max(...client.log.of("points").map((message) => (message["points"] as []).length))).toBe(
        2048
      )
    })
)
