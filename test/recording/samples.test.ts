import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer, Logger, TestClock } from "effect"
import { allChannels, channelSet } from "../../src/domain/ChannelSet.ts"
import {
  POINTS,
  Dictionary,
  emptyDictionary,
  type GroupDeclaration,
  LAP,
  MAX_CHANNELS,
  MAX_GROUPS
} from "../../src/domain/Dictionary.ts"
import { ABSENT, RowBatch } from "../../src/domain/RowBatch.ts"
import { StoredRows } from "../../src/recording/intake/StoredRows.ts"
import { type Rows, SimulatorEvent } from "../../src/domain/SimulatorEvent.ts"
import { pointsAt } from "../live/support.ts"
import { ended, points, range, started } from "./events.ts"
import { MemoryStore } from "./memoryStore.ts"
import { accounted, recorderOf, recording } from "./recording.ts"
import { lapBatch, lapOfPoints } from "../../src/domain/LapBatch.ts"
import { isClockWarning } from "../support/testClock.ts"
import { withWriter } from "./rig.ts"

const tyres: GroupDeclaration = {
  name: "tyres",
  channels: [{ name: "tyre_pressure_fl" }, { name: "tyre_temperature_fl" }]
}
const fuel: GroupDeclaration = { name: "fuel", channels: [{ name: "fuel" }] }

/** Points whose laps are kept in the group that was declared for them. */
const keptLaps = (rows: Rows): Rows => ({ ...rows, lapGroup: LAP })

const declared = (...groups: ReadonlyArray<GroupDeclaration>) => SimulatorEvent.ChannelsDeclared({ groups })

/** Rows of values, the time on the feed's clock first. */
const samples = (
  group: string,
  names: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<number>>,
  missing = 0
) => {
  const batch: RowBatch = RowBatch.allocate(rows.length, ["timestamp", ...names])
  rows.forEach((row, i) => row.forEach((value, c) => (batch.data[c * rows.length + i] = value)))
  return SimulatorEvent.Rows({ group, batch, missing })
}

const fuelAt = (times: ReadonlyArray<number>, missing?: number) =>
  samples(
    "fuel",
    ["fuel"],
    times.map((time) => [time, 60 - time]),
    missing
  )

/** As many groups as a session may have. */
const fullOfGroups = range(0, MAX_GROUPS).map((g) => ({
  name: `own_${g}`,
  channels: [{ name: `own_${g}_a` }]
}))

/** A test of the lines that are logged. */
const logged = (
  title: string,
  body: (lines: ReadonlyArray<string>) => ReturnType<Parameters<typeof recording>[1]>
) =>
  it.scoped(title, () => {
    const lines: Array<string> = []
    const logger = Logger.make(({ message }) => {
      if (!isClockWarning(message)) lines.push(String(message))
    })
    return body(lines).pipe(
      Effect.provide(Layer.merge(withWriter(new MemoryStore()), Logger.replace(Logger.defaultLogger, logger)))
    )
  })

/** A point with these channels declared. */
const pointWith = (...names: ReadonlyArray<"speed" | "rpm">) =>
  SimulatorEvent.Rows({ ...points([names.length]), declared: channelSet(...names) })

/** The stored rows of a group, by columns. */
const stored = ({ rows }: MemoryStore, sessionId: number, group: string) => {
  const batch = rows.of({ sessionId, group })
  return Object.fromEntries(batch.channels.map((name) => [name, [...batch.column(name)]]))
}

const counts = ({ counters }: { readonly counters: { readonly samples: object } }) => {
  const { received, stored, dropped, rejected, missing } = counters.samples as {
    received: number
    stored: number
    dropped: number
    rejected: ReadonlyMap<string, number>
    missing: number
  }
  return { received, stored, dropped, missing, rejected: Object.fromEntries(rejected) }
}

describe("samples of channel groups", () => {
  recording("are stored with the points, on one clock, by group", (recorder, store) =>
    Effect.gen(function* () {
      yield* recorder.record([started(), declared(tyres, fuel), points([1, 2]), fuelAt([0.5, 1.5, 2.5])])
      yield* recorder.record([
        samples(
          "tyres",
          ["tyre_pressure_fl", "tyre_temperature_fl"],
          [
            [1, 170, 80],
            [2, 171, ABSENT]
          ]
        )
      ])
      yield* recorder.close
      expect(store.timesOf(1)).toEqual([1001, 1002])
      expect(stored(store, 1, "fuel")).toEqual({
        timestamp: [1000.5, 1001.5, 1002.5],
        fuel: [59.5, 58.5, 57.5]
      })
      expect(stored(store, 1, "tyres")).toEqual({
        timestamp: [1001, 1002],
        tyre_pressure_fl: [170, 171],
        tyre_temperature_fl: [80, ABSENT]
      })
      expect(counts(recorder)).toEqual({ received: 5, stored: 5, dropped: 0, missing: 0, rejected: {} })
      expect(recorder.counters.points.received).toBe(2)
      expect(accounted(recorder)).toBe(true)
    })
  )

  recording("the first row of any group anchors the clock of all", (recorder, store) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(50_000)
      yield* recorder.record([
        started({ clockZero: undefined }),
        declared(fuel),
        fuelAt([10]),
        points([10.5])
      ])
      yield* recorder.close
      expect(stored(store, 1, "fuel")["timestamp"]).toEqual([50])
      expect(store.timesOf(1)).toEqual([50.5])
    })
  )

  recording(
    "a new anchor of the clock holds for all groups, behind the last time of each",
    (recorder, store) =>
      Effect.gen(function* () {
        yield* TestClock.setTime(50_000)
        const begun = started({ clockZero: undefined })
        // A replay at some speed: its times are ahead of its arrival.
        yield* recorder.record([begun, declared(fuel), points([0.1, 30.1]), fuelAt([0.1, 60.3])])
        yield* recorder.linkLost
        yield* recorder.record([begun, declared(fuel), points([0.1, 0.2]), fuelAt([0.1, 0.2])])
        yield* recorder.close
        const after = store.timesOf(1).slice(2)
        expect(after[0]).toBeGreaterThan(50 + 60.2)
        expect(after[0]).toBeCloseTo(50 + 60.2, 4)
        expect(after[1]).toBeCloseTo(50 + 60.3, 4)
        expect(stored(store, 1, "fuel")["timestamp"]!.slice(2)).toEqual(after)
        expect(counts(recorder).rejected).toEqual({})
        expect(recorder.counters.points.rejectedTotal).toBe(0)
      }),
    { reliable: false }
  )

  recording("a session may have samples and no points", (recorder, store) =>
    Effect.gen(function* () {
      yield* recorder.record([started(), declared(fuel), fuelAt([1, 2])])
      yield* recorder.close
      expect(stored(store, 1, "fuel")["timestamp"]).toEqual([1001, 1002])
      expect(store.sessions.get(1)).toMatchObject({ bounds: undefined, recording: false })
    })
  )

  recording("a declaration is kept before the rows that it is about, and only once", (recorder, store) =>
    Effect.gen(function* () {
      yield* recorder.record([started(), declared(fuel), points([1]), fuelAt([1])])
      yield* recorder.record([points([2]), fuelAt([2]), declared(fuel)])
      yield* recorder.close
      const writes = store.calls.filter((call) => call === "putDictionary" || call === "write")
      expect(writes[0]).toBe("putDictionary")
      expect(writes.filter((call) => call === "putDictionary")).toHaveLength(1)
      expect(store.dictionaries.get(1)!.declared).toBe(allChannels)
      expect(store.dictionaries.get(1)!.group("fuel")!.columns).toEqual(["timestamp", "fuel"])
    })
  )

  recording(
    "a session has the point channels declared that its source has declared so far",
    (recorder, store) =>
      Effect.gen(function* () {
        yield* recorder.record([started(), pointWith("speed")])
        yield* Effect.yieldNow()
        yield* recorder.record([pointWith("speed", "rpm")])
        yield* recorder.close
        expect(store.dictionaries.get(1)!.declared).toBe(channelSet("speed", "rpm"))
      })
  )

  recording("a point channel is declared if some points of a message have it", (recorder, store) =>
    Effect.gen(function* () {
      const some = { ...pointWith("speed"), declaredBySome: channelSet("speed", "rpm") }
      yield* recorder.record([started(), some, pointWith("speed")])
      yield* recorder.close
      expect(store.dictionaries.get(1)!.declared).toBe(channelSet("speed", "rpm"))
    })
  )

  logged("each refused channel is named in the log, up to a limit", (lines) =>
    Effect.gen(function* () {
      const recorder = yield* recorderOf()
      yield* recorder.record([
        started(),
        declared({
          name: "tyres",
          channels: [{ name: "fuel" }, { name: "tyre_wear_fl" }, { name: "tyre_grip_fl" }]
        }),
        declared({ name: "fuel", channels: range(0, 40).map((c) => ({ name: `No ${c}` })) }),
        declared({ name: "fuel", channels: [{ name: "Nor this" }] })
      ])
      expect(lines.slice(0, 2)).toEqual([
        expect.stringContaining("Channel fuel of group tyres is refused: it belongs to fuel"),
        expect.stringContaining("Channel tyre_wear_fl of group tyres is refused: it belongs to tyre_state")
      ])
      expect(lines.slice(2, -1)).toEqual(
        range(0, 30).map((c) => expect.stringContaining(`Channel No ${c} of group fuel is refused`))
      )
      expect(lines.at(-1)).toBe("10 more channels of the same declaration are refused")
    })
  )

  logged("lap values of points for which the session has no room are named in the log once", (lines) =>
    Effect.gen(function* () {
      const recorder = yield* recorderOf()
      yield* recorder.record([started(), declared(...fullOfGroups), declared(lapOfPoints)])
      yield* recorder.record([keptLaps(points([1], [1]))])
      yield* recorder.record([keptLaps(points([2], [1]))])
      const ofOne = ["current_lap", "lap_distance"].map(
        (name) =>
          `Channel ${name} of group lap is refused: a session has at most 32 groups; its values are not kept`
      )
      expect(lines).toEqual(ofOne)
      yield* recorder.record([ended, started(), keptLaps(points([3], [1]))])
      expect(lines).toEqual(ofOne)
    })
  )

  logged("the log names only those lap values of points for which there is no room", (lines) =>
    Effect.gen(function* () {
      const recorder = yield* recorderOf()
      const channels = range(0, MAX_CHANNELS - 1).map((c) => ({ name: `own_${c}` }))
      yield* recorder.record([started(), declared({ name: "own", channels }), declared(lapOfPoints)])
      yield* recorder.record([keptLaps(points([1, 2], [1, 1]))])
      expect(lines).toEqual([
        "Channel lap_distance of group lap is refused: a session has at most 512 channels; its values are not kept"
      ])
    })
  )

  recording("columns in another order, or fewer, are stored in the session's order", (recorder, store) =>
    Effect.gen(function* () {
      yield* recorder.record([
        started(),
        declared(tyres),
        samples("tyres", ["tyre_temperature_fl", "tyre_wear_fl", "tyre_pressure_fl"], [[1, 80, 0.5, 170]]),
        samples("tyres", ["tyre_temperature_fl"], [[2, 81]])
      ])
      yield* recorder.close
      expect(stored(store, 1, "tyres")).toEqual({
        timestamp: [1001, 1002],
        tyre_pressure_fl: [170, ABSENT],
        tyre_temperature_fl: [80, 81]
      })
    })
  )

  recording("channels that come later are stored from then on", (recorder, store) =>
    Effect.gen(function* () {
      yield* recorder.record([started(), declared(fuel), fuelAt([1])])
      yield* recorder.record([
        declared({ name: "fuel", channels: [{ name: "fuel_laps" }] }),
        samples("fuel", ["fuel", "fuel_laps"], [[2, 58, 20]])
      ])
      yield* recorder.close
      expect(stored(store, 1, "fuel")).toEqual({
        timestamp: [1001, 1002],
        fuel: [59, 58],
        fuel_laps: [ABSENT, 20]
      })
    })
  )

  recording(
    "a value that is not a number is absent and counted; only a bad time refuses a sample",
    (recorder, store) =>
      Effect.gen(function* () {
        yield* recorder.record([
          started(),
          declared(fuel),
          samples(
            "fuel",
            ["fuel"],
            [
              [1, Infinity],
              [2, 3],
              [2, 4],
              [1.5, 5],
              [Number.NaN, 6],
              [1e300, 7],
              [3, -Infinity],
              [4, ABSENT]
            ]
          )
        ])
        yield* recorder.close
        expect(stored(store, 1, "fuel")).toEqual({
          timestamp: [1001, 1002, 1003, 1004],
          fuel: [ABSENT, 3, ABSENT, ABSENT]
        })
        expect(recorder.counters.notFinite).toBe(2)
        expect(counts(recorder).rejected).toEqual({ out_of_order: 2, not_finite: 1, implausible_time: 1 })
        // A time of one group does not hold for another.
        expect(counts(recorder)).toMatchObject({ received: 8, stored: 4 })
      })
  )

  recording("of a group that nobody declared, or of no session, are counted as refused", (recorder, store) =>
    Effect.gen(function* () {
      yield* recorder.record([
        declared(fuel),
        fuelAt([1]),
        started(),
        samples("tyres", ["tyre_pressure_fl"], [[1, 2]])
      ])
      yield* recorder.record([fuelAt([1], 4)])
      yield* recorder.record([SimulatorEvent.Refused({ reason: "a test", points: 0, samples: 5 })])
      yield* recorder.close
      expect(counts(recorder)).toEqual({
        received: 8,
        stored: 1,
        dropped: 0,
        missing: 4,
        rejected: { no_session: 1, undeclared: 1, malformed: 5 }
      })
      expect(stored(store, 1, "tyres")).toEqual({ timestamp: [] })
    })
  )

  recording(
    "lap numbers and distances of points are stored as the group lap, if there are any",
    (recorder, store) =>
      Effect.gen(function* () {
        const batch = pointsAt([3, 4])
        yield* recorder.record([
          started(),
          points([1]),
          declared(lapOfPoints),
          keptLaps(points([2], [1])),
          keptLaps({
            ...points([]),
            batch,
            lap: lapBatch(batch.timestamps, undefined, Float64Array.of(ABSENT, 12.5))
          })
        ])
        yield* recorder.close
        expect(stored(store, 1, "lap")).toEqual({
          timestamp: [1002, 1003, 1004],
          current_lap: [1, ABSENT, ABSENT],
          lap_distance: [ABSENT, ABSENT, 12.5]
        })
        expect(store.publishedSamples).toEqual([1002, 1003, 1004].map((time) => [1, "lap", time]))
        expect(store.dictionaries.get(1)!.group("lap")!.columns).toEqual([
          "timestamp",
          "current_lap",
          "lap_distance"
        ])
        expect(counts(recorder)).toMatchObject({ received: 3, stored: 3 })
      })
  )

  recording(
    "lap numbers and distances of points are refused if the session has no room for one more group",
    (recorder, store) =>
      Effect.gen(function* () {
        yield* recorder.record([started(), declared(...fullOfGroups), declared(lapOfPoints)])
        yield* recorder.record([keptLaps(points([1, 2], [1, 1]))])
        yield* recorder.record([keptLaps(points([3], [2]))])
        yield* recorder.close
        expect(store.timesOf(1)).toEqual([1001, 1002, 1003])
        expect(store.laps.map(({ lapNumber }) => lapNumber)).toEqual([1, 2])
        expect(store.dictionaries.get(1)!.group("lap")).toBeUndefined()
        expect(counts(recorder)).toMatchObject({ received: 3, stored: 0, rejected: { undeclared: 3 } })
        expect(accounted(recorder)).toBe(true)
      })
  )

  recording(
    "lap numbers and distances of points are not kept if the feed declares the group lap itself",
    (recorder, store) =>
      Effect.gen(function* () {
        yield* recorder.record([
          started(),
          declared({ name: "lap", channels: [{ name: "current_lap" }] }),
          points([1, 2], [1, 1]),
          samples("lap", ["current_lap"], [[1.5, 3]])
        ])
        yield* recorder.close
        expect(stored(store, 1, "lap")).toEqual({ timestamp: [1001.5], current_lap: [3] })
      })
  )

  recording("a source that declared the group lap once keeps it in later sessions", (recorder, store) =>
    Effect.gen(function* () {
      yield* recorder.record([
        started(),
        declared({ name: "lap", channels: [{ name: "current_lap" }] }),
        points([1], [1]),
        samples("lap", ["current_lap"], [[1.5, 3]])
      ])
      yield* recorder.record([
        ended,
        started(),
        points([2], [1]),
        samples("lap", ["current_lap"], [[2.5, 3]])
      ])
      yield* recorder.close
      expect(stored(store, 2, "lap")).toEqual({ timestamp: [1002.5], current_lap: [3] })
    })
  )

  recording(
    "lap numbers of points are stored over a link that does not declare the group lap, even if another did",
    (recorder, store) =>
      Effect.gen(function* () {
        const own = declared({ name: "lap", channels: [{ name: "current_lap" }] })
        yield* recorder.record([started(), own, samples("lap", ["current_lap"], [[1, 3]])])
        yield* recorder.linkLost
        yield* recorder.record([started(), declared(lapOfPoints), keptLaps(points([2], [3]))])
        yield* recorder.linkLost
        yield* recorder.record([started(), own, points([3], [4]), samples("lap", ["current_lap"], [[4, 4]])])
        expect(recorder.sessionId()).toBe(1)
        yield* recorder.close
        expect(stored(store, 1, "lap")).toMatchObject({
          timestamp: [1001, 1002, 1004],
          current_lap: [3, 3, 4]
        })
        expect(counts(recorder)).toMatchObject({ received: 3, stored: 3 })
      })
  )

  recording("rows for which a driver's buffer had no room are lost samples, not lost points", (recorder) =>
    Effect.gen(function* () {
      const lost = SimulatorEvent.Discarded({ reason: "overflow", points: 0, samples: 7 })
      yield* recorder.record([started(), declared(fuel), fuelAt([1]), lost])
      yield* recorder.close
      expect(counts(recorder)).toMatchObject({ received: 8, stored: 1, dropped: 7 })
      expect(recorder.counters.points.dropped).toBe(0)
      expect(accounted(recorder)).toBe(true)
    })
  )

  recording(
    "have the same channels in the next session of the link, and another link declares anew",
    (recorder, store) =>
      Effect.gen(function* () {
        yield* recorder.record([started(), declared(fuel), fuelAt([1]), ended, started(), fuelAt([1])])
        expect(recorder.sessionId()).toBe(2)
        yield* recorder.linkLost
        yield* recorder.record([
          started(),
          declared({ name: "fuel", channels: [{ name: "fuel_laps" }, { name: "fuel" }] })
        ])
        yield* recorder.record([samples("fuel", ["fuel_laps", "fuel"], [[2, 20, 58]])])
        yield* recorder.close
        expect(stored(store, 2, "fuel")).toEqual({
          timestamp: [1001, 1002],
          fuel: [59, 58],
          fuel_laps: [ABSENT, 20]
        })
      })
  )

  recording("a resumed session goes on behind the last row of each group", (recorder, store) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_010_000)
      yield* recorder.record([started(), declared(fuel), points([1]), fuelAt([1, 5])])
      yield* recorder.close
      const again = yield* recorderOf({ sessionId: 1 })
      yield* again.record([started(), declared(fuel), points([1, 2]), fuelAt([4, 5, 6])])
      yield* again.close
      expect(stored(store, 1, "fuel")["timestamp"]).toEqual([1001, 1005, 1006])
      expect(store.timesOf(1)).toEqual([1001, 1002])
      expect(counts(again)).toMatchObject({ stored: 1, rejected: { out_of_order: 2 } })
    })
  )

  recording(
    "of datagrams are refused while points still have room",
    (recorder, store) =>
      Effect.gen(function* () {
        const write = store.hold("write")
        yield* recorder.record([started(), declared(fuel), points(range(0, 70))])
        yield* recorder.record([fuelAt(range(0, 60)), fuelAt([72]), points([72])])
        yield* write.open
        yield* recorder.close
        expect(counts(recorder)).toMatchObject({ received: 61, dropped: 60, stored: 1 })
        expect(recorder.counters.points).toMatchObject({ stored: 71, dropped: 0 })
      }),
    { reliable: false },
    () => undefined,
    100
  )

  recording(
    "of a session that begins when the game is received again over another link are in the groups declared before",
    (recorder, store) =>
      Effect.gen(function* () {
        yield* recorder.record([started(), declared(fuel), fuelAt([1]), ended])
        yield* recorder.linkLost
        // A link over which nothing was received.
        yield* recorder.linkLost
        yield* recorder.record([SimulatorEvent.SessionContinued(), started(), fuelAt([2])])
        yield* recorder.close
        expect(stored(store, 2, "fuel").timestamp).toHaveLength(1)
        expect(counts(recorder)).toMatchObject({ received: 2, stored: 2 })
      })
  )

  recording(
    "of a session that is gone are not stored, and the session that follows has its channels",
    (recorder, store) =>
      Effect.gen(function* () {
        yield* recorder.record([started(), declared(fuel), fuelAt([1])])
        yield* TestClock.adjust("1 second")
        store.delete(1)
        yield* recorder.record([fuelAt([2])])
        yield* TestClock.adjust("1 second")
        yield* recorder.record([fuelAt([3])])
        yield* recorder.close
        expect(recorder.sessionId()).toBeNull()
        expect(stored(store, 2, "fuel")).toEqual({ timestamp: [1003], fuel: [57] })
        expect(store.dictionaries.get(2)!.group("fuel")!.columns).toEqual(["timestamp", "fuel"])
        expect(counts(recorder)).toMatchObject({ received: 3, stored: 2, rejected: { session_gone: 1 } })
      })
  )
})

recording("samples are received and not stored if only points are stored", (_, store) =>
  Effect.gen(function* () {
    const recorder = yield* Effect.provideService(recorderOf(), StoredRows, "points")
    yield* recorder.record([started(), declared(fuel, lapOfPoints), fuelAt([1])])
    yield* recorder.record([keptLaps(points([1], [1]))])
    yield* recorder.close
    expect(store.rows.groups(1).filter((group) => group !== POINTS)).toEqual([])
    expect(store.timesOf(1)).toEqual([1001])
    expect(store.dictionaries.get(1)).toEqual(emptyDictionary.withDeclared(allChannels))
    expect(counts(recorder)).toMatchObject({ received: 2, stored: 0, dropped: 0 })
  })
)

describe("a dictionary", () => {
  recording(
    "keeps its channels if a name is declared again differently, and the rest of the group",
    (recorder, store) =>
      Effect.gen(function* () {
        yield* recorder.record([
          started(),
          declared({
            name: "own_status",
            channels: [
              { name: "fuel" },
              { name: "own_mode", kind: "step" },
              { name: "speed" },
              { name: "Bad" }
            ]
          }),
          declared({ name: "own_status", channels: [{ name: "own_mode", kind: "flag" }] }),
          samples("own_status", ["fuel", "own_mode", "speed", "Bad"], [[1, 1, 2, 3, 4]])
        ])
        yield* recorder.close
        expect(stored(store, 1, "own_status")).toEqual({ timestamp: [1001], own_mode: [2] })
        const dictionary: Dictionary = store.dictionaries.get(1) ?? emptyDictionary
        expect(dictionary.channel("own_mode")!.channel.kind).toBe("step")
      })
  )
})
