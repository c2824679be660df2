// The rule does not know @effect/vitest's it.effect for tests.
import { expect, it } from "@effect/vitest"
import { Effect, Fiber, TestClock } from "effect"
import { driveFeed, type DriveFeedOptions } from "../../simulator/feed/driveFeed.ts"
import { session } from "../../simulator/feed/messages.ts"
import { Observation } from "../../simulator/feed/Observation.ts"
import { driveGroups } from "../../simulator/model/channelGroups.ts"
import { DrivenCar } from "../../simulator/model/DrivenCar.ts"
import { SimulatedDrive } from "../../simulator/model/SimulatedDrive.ts"
import type { SimulatorEvent } from "../../src/domain/SimulatorEvent.ts"
import { NativeDecoder } from "../../src/simulators/drivers/native/NativeDecoder.ts"
import { kept } from "../simulators/native/messages.ts"
import { driveOptions as options, lagging } from "./driving.ts"
import { listener, type Message, type Point } from "./feedReader.ts"
import { isSamples } from "../simulators/rows.ts"

const names = driveGroups.map(({ name }) => name)

/** The messages that a client receives in so many seconds. */
const logAfter = (
  client: ReturnType<typeof listener>,
  seconds: number,
  more: Partial<DriveFeedOptions> = {}
) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.fork(driveFeed({ ...options, ...more }).serve(client))
    yield* TestClock.adjust(`${seconds} seconds`)
    yield* Fiber.interrupt(fiber)
    return client.log
  })

it.effect(
  "a client that reads groups gets them, each at its own rate and with its own numbers, beside the same points",
  () =>
    Effect.gen(function* () {
      const plain = yield* logAfter(listener(20), 3)
      const log = yield* logAfter(listener(20, true), 3)
      expect(log.points).toEqual(plain.points)
      const [session] = log.of("session")
      expect((session!["groups"] as ReadonlyArray<{ name: string }>).map(({ name }) => name)).toEqual(names)
      for (const { name, rate } of driveGroups) {
        const samples = log.samples(name)
        expect(samples.map((sample) => sample["timestamp"])).toEqual(
          Array.from({ length: 3 * rate + 1 }, (_, i) => i / rate)
        )
        const messages = log.of("points").filter((message) => message["group"] === name)
        let next = 0
        for (const { points, sequence } of messages) {
          expect(sequence).toBe(next)
          next += (points as ReadonlyArray<Point>).length
        }
      }
    })
)

it.effect("a client that does not read groups, or gets points only, receives nothing about them", () =>
  Effect.gen(function* () {
    const without = [
      yield* logAfter(listener(20), 2),
      yield* logAfter(listener(20, true), 2, { pointsOnly: true })
    ]
    for (const log of without) {
      expect(log.of("session")[0]).not.toHaveProperty("groups")
      expect(log.of("points").filter((message) => message["group"] !== undefined)).toEqual([])
      expect(log.points).toHaveLength(41)
    }
  })
)

/** The last time of each series so far, after each message. */
const furthest = (messages: ReadonlyArray<Message>) => {
  const last = new Map<unknown, number>()
  return messages
    .filter(({ type }) => type === "points")
    .map(({ group, points }) => {
      last.set(group, (points as ReadonlyArray<Point>).at(-1)!["timestamp"]!)
      return new Map(last)
    })
}

it.effect(
  "no group is a second behind another, even if a client catches up, and each lap comes after its rows",
  () =>
    Effect.gen(function* () {
      const client = listener(5, true)
      yield* lagging(client, "2 minutes")
      const { log } = client
      expect(log.points.at(-1)!["timestamp"]).toBe(122)
      const rates = new Map<unknown, number>([
        [undefined, 5],
        ...driveGroups.map(({ name, rate }) => [name, rate] as const)
      ])
      for (const last of furthest(log.messages)) {
        const ahead = Math.max(...last.values())
        // The next row of a slow group may not be due yet.
        const behind = [...last].filter(([group, time]) => !(time + 1 / rates.get(group)! > ahead - 1))
        expect(behind).toEqual([])
      }
      const [lap] = log.of("lap")
      const at = log.messages.indexOf(lap!)
      for (const [m, { points, type }] of log.messages.entries()) {
        if (type !== "points") continue
        const times = (points as ReadonlyArray<Point>).map((point) => point["timestamp"]!)
        expect(times.every((time) => time < (lap!["end_time"] as number) === m < at)).toBe(true)
      }
    })
)

/** All rows of a series, whatever the batches: the values by channel. */
const rowsOf = (events: ReadonlyArray<SimulatorEvent>, group: string) =>
  events.flatMap((event) => {
    if (!isSamples(event) || event.group !== group) return []
    const { batch } = event
    return Array.from({ length: batch.length }, (_, i) =>
      Object.fromEntries(
        batch.channels
          .map((name) => [name, batch.column(name)[i]!] as const)
          .filter(([, value]) => !Number.isNaN(value))
      )
    )
  })

it("the service's decoder reads all groups, packed and as text alike, and refuses nothing", () => {
  const { circuit, seed, vehicle } = options
  const until = new SimulatedDrive({ circuit, seed, vehicle }).lap(1).end + 5
  const read = (packed: boolean) => {
    const decoder = new NativeDecoder()
    const events: Array<SimulatorEvent> = []
    const client = listener(10, true)
    const decoding = {
      ...client,
      offer: (message: string | Uint8Array) => {
        events.push(...kept(decoder.decode([message])))
        return client.offer(message)
      }
    }
    const facts = {
      circuit: "C",
      vehicle: "V",
      driver: "D",
      start_time: 0,
      circuit_length: 1,
      start_line: circuit.startLine
    }
    decoding.offer(session(facts, packed, driveGroups))
    const car = new DrivenCar(new SimulatedDrive({ circuit, seed, vehicle }))
    const seen = new Observation(decoding, car, { rate: 10, packed, laps: 0, since: 0, groups: driveGroups })
    for (let now = 0; now < until; now += 0.3) seen.advance(now)
    return { events, log: client.log }
  }
  const text = read(false)
  const binary = read(true)
  for (const { events } of [text, binary]) {
    expect(events.filter(({ _tag }) => _tag === "Refused")).toEqual([])
    expect(events.slice(0, 2).map(({ _tag }) => _tag)).toEqual(["SessionStarted", "ChannelsDeclared"])
    expect(events.every((event) => !("missing" in event) || event.missing === 0)).toBe(true)
  }
  for (const { name } of driveGroups) {
    const rows = rowsOf(text.events, name)
    expect(rows.length).toBeGreaterThan(69)
    expect(rowsOf(binary.events, name)).toEqual(rows)
    expect(text.log.samples(name)).toEqual(rows)
  }
  // A value that does not exist yet has no key, and is absent packed.
  expect(rowsOf(binary.events, "timing")[0]).not.toHaveProperty("last_lap_time")
  expect(rowsOf(binary.events, "timing").at(-1)).toHaveProperty("last_lap_time")
})
