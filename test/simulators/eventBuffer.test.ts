import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { allChannels, channelSet } from "../../src/domain/ChannelSet.ts"
import { channels } from "../../src/domain/pointChannels.ts"
import type { SimulatorEvent } from "../../src/domain/SimulatorEvent.ts"
import { absentBits } from "../contracts/samples.ts"
import { MAX_WAITING_VALUES } from "../../src/simulators/SampleRuns.ts"
import { EventBuffer, MAX_WAITING_POINTS, newSample, type Started } from "../../src/simulators/EventBuffer.ts"
import { isPoints, isSamples, kindOf } from "./rows.ts"

const started: Started = {
  circuit: "c",
  vehicle: "v",
  driver: "d",
  datetime: undefined,
  clockZero: undefined,
  circuitLength: undefined,
  startLine: undefined
}
const completed = {
  lapNumber: 1,
  lapTime: 90,
  sectors: [null, null, null] as const,
  valid: true,
  start: 0,
  end: 90
}

const sample = newSample()
const point = (events: EventBuffer, time: number, more: object = {}) =>
  events.point(Object.assign(sample, newSample(), { time }, more))
const tags = (events: ReadonlyArray<SimulatorEvent>) => events.map(kindOf)
const pointsOf = (events: ReadonlyArray<SimulatorEvent>) =>
  events.flatMap((event) => (isPoints(event) ? [event] : []))

const samplesOf = (events: ReadonlyArray<SimulatorEvent>) =>
  events.flatMap((event) => (isSamples(event) ? [event] : []))

describe("an event buffer", () => {
  it("returns points as columns, each value in its column", () => {
    const events = new EventBuffer()
    const values = {
      speed: 1,
      rpm: 2,
      gear: 3,
      throttle: 4,
      brake: 5,
      steering: 6,
      x: 7,
      y: 8,
      z: 9,
      lapNumber: 10,
      lapDistance: 11
    }
    point(events, 0.5, values)
    const [points] = pointsOf(events.take())
    expect(channels.map((channel) => points!.batch.column(channel)[0])).toEqual([
      0.5, 1, 2, 3, 4, 5, 6, 7, 8, 9
    ])
    expect([...points!.lap!.data]).toEqual([points!.batch.timestamps[0], 10, 11])
  })

  it("refuses and counts points with a value that is not finite", () => {
    for (const field of ["time", "speed", "rpm", "gear", "throttle", "brake", "steering", "x", "y", "z"]) {
      for (const value of [Number.NaN, Infinity, -Infinity]) {
        const events = new EventBuffer()
        point(events, 1)
        point(events, 2, { [field]: value })
        point(events, 3)
        const taken = events.take()
        expect(Array.from(pointsOf(taken)[0]!.batch.timestamps)).toEqual([1, 3])
        expect(taken.at(-1)).toMatchObject({ _tag: "Discarded", reason: "not_finite", points: 1 })
      }
    }
  })

  it("leaves channels absent that a point does not declare, and begins a batch when the declared channels change", () => {
    const events = new EventBuffer()
    const declared = channelSet("speed", "position_x")
    const stale = { speed: 200, rpm: Infinity, steering: Number.NaN, x: -3.5 }
    point(events, 1, { ...stale, declared })
    point(events, 2, { ...stale, declared })
    point(events, 3, { speed: 201, x: -3 })
    point(events, 4, { ...stale, declared, x: Number.NaN })
    point(events, 5, { ...stale, declared })
    const taken = events.take()
    const all = pointsOf(taken)
    expect(all.map((points) => [points.declared, ...points.batch.timestamps])).toEqual([
      [declared, 1, 2],
      [allChannels, 3],
      [declared, 5]
    ])
    const [first] = all
    const isAbsent = channels.filter((channel) => {
      const { buffer, byteLength, byteOffset } = first!.batch.column(channel)
      return Buffer.from(buffer, byteOffset, byteLength).equals(absentBits(2))
    })
    expect(isAbsent).toEqual(
      channels.filter((channel) => !["timestamp", "speed", "position_x"].includes(channel))
    )
    expect([...first!.batch.column("position_x")]).toEqual([-3.5, -3.5])
    expect(taken.at(-1)).toMatchObject({ _tag: "Discarded", reason: "not_finite", points: 1 })
  })

  it("holds the events of a session until its names are known", () => {
    const events = new EventBuffer()
    point(events, 1)
    events.hold()
    point(events, 2)
    events.lap(completed)
    expect(tags(events.take())).toEqual(["Points"])
    point(events, 3)
    expect(events.take()).toEqual([])
    events.start(started)
    const taken = events.take()
    expect(tags(taken)).toEqual(["SessionStarted", "Points", "LapCompleted", "Points"])
    expect(events.isHeld).toBe(false)
  })

  it("drops and counts the newest points when none are taken for long", () => {
    const events = new EventBuffer()
    for (let n = 0; n < MAX_WAITING_POINTS + 5; n++) point(events, n)
    events.late(2)
    const taken = events.take()
    expect(pointsOf(taken).reduce((sum, { batch }) => sum + batch.length, 0)).toBe(MAX_WAITING_POINTS)
    expect(taken.slice(-2)).toEqual([
      expect.objectContaining({ _tag: "Discarded", reason: "late", points: 2 }),
      expect.objectContaining({ _tag: "Discarded", reason: "overflow", points: 5 })
    ])
    point(events, 1e9)
    expect(pointsOf(events.take())[0]!.batch.length).toBe(1)
  })

  describe("of samples", () => {
    const tyres = { name: "tyres", columns: ["timestamp", "tyre_wear_fl"] }
    const fuel = { name: "fuel", columns: ["timestamp", "fuel", "fuel_laps"] }

    it("returns them as columns, a batch for each group between two events", () => {
      const events = new EventBuffer()
      events.declare([{ name: "tyres", channels: [{ name: "tyre_wear_fl" }] }])
      const row = Float64Array.of(1, 0.5)
      events.sample(tyres, row)
      row.set([2, 0.25])
      point(events, 2)
      events.sample(fuel, Float64Array.of(2, 30, Number.NaN))
      events.sample(tyres, row)
      point(events, 3)
      events.lap(completed)
      events.sample(tyres, Float64Array.of(3, Infinity))
      const taken = events.take()
      expect(tags(taken)).toEqual([
        "ChannelsDeclared",
        "Samples",
        "Samples",
        "Points",
        "LapCompleted",
        "Samples"
      ])
      expect(samplesOf(taken).map(({ batch, group, missing }) => [group, missing, [...batch.data]])).toEqual([
        ["tyres", 0, [1, 2, 0.5, 0.25]],
        ["fuel", 0, [2, 30, Number.NaN]],
        // The recorder makes the infinite value absent, and counts it.
        ["tyres", 0, [3, Infinity]]
      ])
      expect(samplesOf(taken)[0]!.batch.channels).toBe(tyres.columns)
    })

    it("keeps every row and the order of each group, however many come and however often events are taken", () => {
      const step = fc.constantFrom("tyres", "fuel", "point", "lap", "take", "missing")
      fc.assert(
        fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
          const events = new EventBuffer()
          const out: Array<SimulatorEvent> = []
          const all = [...steps, "point" as const]
          all.forEach((kind, n) => {
            if (kind === "take") out.push(...events.take())
            else if (kind === "missing") events.missing(1)
            else if (kind === "lap") events.lap({ ...completed, lapNumber: n })
            else if (kind === "point") point(events, n)
            else
              events.sample(
                kind === "tyres" ? tyres : fuel,
                Float64Array.from([n, n + 0.5, n + 1].slice(0, kind === "tyres" ? 2 : 3))
              )
          })
          out.push(...events.take())
          /** The times of one kind that came, each with the lap before it. */
          const seen = (wanted: string) => {
            let lap = -1
            return out.flatMap((event): ReadonlyArray<readonly [number, number]> => {
              if (event._tag === "LapCompleted") lap = event.lapNumber!
              const is = isPoints(event) ? "point" : isSamples(event) ? event.group : ""
              return is === wanted && "batch" in event
                ? Array.from(event.batch.timestamps, (time) => [time, lap] as const)
                : []
            })
          }
          const expectedTimes = (wanted: string) => {
            let lap = -1
            return all.flatMap((kind, n) => {
              if (kind === "lap") lap = n
              return kind === wanted ? [[n, lap] as const] : []
            })
          }
          for (const kind of ["tyres", "fuel", "point"]) expect(seen(kind)).toEqual(expectedTimes(kind))
          // They were lost before the point that came next.
          let lost = 0
          const gaps = all.flatMap((kind, n) => {
            if (kind === "missing") lost++
            if (kind !== "point" || lost === 0) return []
            const gap = [n, lost]
            lost = 0
            return [gap]
          })
          const seenGaps = pointsOf(out).filter(({ missing }) => missing > 0)
          expect(seenGaps.map(({ batch, missing }) => [batch.timestamps[0], missing])).toEqual(gaps)
          expect(events.points).toBe(0)
          for (const { batch } of samplesOf(out)) {
            const [, second] = batch.channels
            expect(Array.from(batch.column(second!), (value) => value - 0.5)).toEqual([...batch.timestamps])
          }
        })
      )
    })

    it("declares a group before the point that came with its first sample", () => {
      const events = new EventBuffer()
      events.start(started)
      point(events, 1)
      events.declare([{ name: "tyres", channels: [{ name: "tyre_wear_fl" }] }])
      events.sample(tyres, Float64Array.of(1, 0))
      // What is declared later comes behind the samples before it.
      events.declare([{ name: "fuel", channels: [{ name: "fuel" }] }])
      expect(tags(events.take())).toEqual([
        "SessionStarted",
        "ChannelsDeclared",
        "Samples",
        "ChannelsDeclared",
        "Points"
      ])
    })

    it("declares the group of lap numbers and distances once, before the first points with any", () => {
      const events = new EventBuffer()
      point(events, 1)
      expect(tags(events.take())).toEqual(["Points"])
      point(events, 2, { lapNumber: 1 })
      const [declared, points] = events.take()
      expect(declared).toMatchObject({ _tag: "ChannelsDeclared", groups: [{ name: "lap" }] })
      expect(points).toMatchObject({ group: "points", lapGroup: "lap" })
      point(events, 3, { lapDistance: 10 })
      expect(tags(events.take())).toEqual(["Points"])
    })

    it("leaves a group of laps that the driver declares to the driver", () => {
      const events = new EventBuffer()
      events.declare([{ name: "lap", channels: [{ name: "current_lap" }] }])
      point(events, 2, { lapNumber: 1 })
      const taken = events.take()
      expect(tags(taken)).toEqual(["ChannelsDeclared", "Points"])
      const [points] = pointsOf(taken)
      expect(points!.lapGroup).toBeUndefined()
      expect([...points!.lap!.column("current_lap")]).toEqual([1])
    })

    it("holds them with the points of their session", () => {
      const events = new EventBuffer()
      events.sample(tyres, Float64Array.of(1, 0))
      events.hold()
      events.declare([])
      events.sample(tyres, Float64Array.of(2, 0))
      expect(tags(events.take())).toEqual(["Samples"])
      events.start(started)
      expect(tags(events.take())).toEqual(["SessionStarted", "ChannelsDeclared", "Samples"])
    })

    it("drops and counts the newest rows beyond the bytes that points may take", () => {
      const events = new EventBuffer()
      const wide = { name: "wide", columns: ["timestamp", ...Array.from({ length: 511 }, (_, n) => `c${n}`)] }
      const most = Math.floor(MAX_WAITING_VALUES / 512)
      const row = new Float64Array(512)
      for (let n = 0; n < most + 3; n++) events.sample(wide, row)
      const taken = events.take()
      expect(samplesOf(taken).map(({ batch }) => batch.length)).toEqual([most])
      expect(taken.at(-1)).toEqual({ _tag: "Discarded", reason: "overflow", points: 0, samples: 3 })
      events.sample(wide, row)
      expect(samplesOf(events.take())).toHaveLength(1)
    })
  })
})
