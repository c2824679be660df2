/**
 * Channels of stored groups in a comparison. One channel is a clock, so the traces themselves show when each lap was at each node;
 * test/analysis/channelTraces.test.ts holds the values between samples to a search.
 */
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { allChannels } from "../../src/domain/ChannelSet.ts"
import { type ChannelKind, emptyDictionary, type GroupDeclaration } from "../../src/domain/Dictionary.ts"
import { ABSENT, RowBatch } from "../../src/domain/RowBatch.ts"
import { clientOf } from "./trpc/support.ts"
import { storeLaps } from "./drivenLaps.ts"
import { sending, type Service, service } from "../support/service.ts"
import { START } from "./stored.ts"

type Values = ReadonlyArray<number | null>

interface Compared {
  readonly fastest_lap_id: number
  readonly traces: ReadonlyArray<{
    readonly lap_id: number
    readonly distance: Values
    readonly time_delta: Values
    readonly speed: Values
    readonly channels?: Readonly<Record<string, Values | null>>
  }>
}

interface Group {
  readonly declaration: GroupDeclaration
  /** Between two samples, s. */
  readonly step: number
  readonly value: (channel: string, seconds: number, sample: number) => number
}

const kinds: Readonly<Record<string, ChannelKind>> = {
  sim_seconds: "continuous",
  tyre_temperature_fl: "continuous",
  tyre_pressure_fl: "continuous",
  yaw: "angle",
  tc_level: "step",
  drs_open: "flag",
  speed: "continuous",
  gear: "step"
}

const groups: ReadonlyArray<Group> = [
  {
    declaration: { name: "sim_clock", channels: [{ name: "sim_seconds", unit: "s" }] },
    // Longer than the margin with which a lap is read.
    step: 7.3,
    value: (_channel, seconds) => seconds
  },
  {
    declaration: {
      name: "tyres",
      channels: [{ name: "tyre_temperature_fl" }, { name: "tyre_pressure_fl" }]
    },
    step: 0.137,
    value: (channel, seconds, sample) =>
      channel === "tyre_temperature_fl"
        ? 80 + 10 * Math.sin(seconds)
        : sample % 50 < 10
          ? ABSENT
          : 170 + Math.cos(3 * seconds)
  },
  {
    declaration: { name: "motion", channels: [{ name: "yaw" }] },
    step: 0.05,
    value: (_channel, seconds) => (100 * seconds) % 360
  },
  {
    declaration: { name: "controls", channels: [{ name: "tc_level" }, { name: "drs_open" }] },
    step: 0.4,
    value: (channel, _seconds, sample) => (channel === "drs_open" ? sample % 2 : Math.floor(sample / 9))
  }
]

const storeGroups = Effect.fnUntraced(function* (
  { catalog, points }: Pick<Service, "catalog" | "points">,
  id: number,
  stored: ReadonlyArray<Group>
) {
  const { dictionary } = emptyDictionary
    .withDeclared(allChannels)
    .withGroups(stored.map(({ declaration }) => declaration))
  yield* catalog.putDictionary(id, dictionary)
  for (const { declaration, step, value } of stored) {
    const names = declaration.channels.map(({ name }) => name)
    const count = Math.ceil(400 / step)
    const batch: RowBatch = RowBatch.allocate(count, ["timestamp", ...names])
    for (let i = 0; i < count; i++) {
      const seconds = (i + 0.31) * step
      batch.data[i] = START + seconds
      names.forEach((name, c) => (batch.data[(c + 1) * count + i] = value(name, seconds, i)))
    }
    yield* points.write([{ sessionId: id, group: declaration.name, batch }])
  }
}, Effect.orDie)

/** `tc_level` at a time. */
const levelAt = (seconds: number) => Math.floor((seconds / 0.4 - 0.31) / 9)

/** The largest difference of two columns; NaN if one lacks a value. */
const farthest = (values: Values, others: Values) =>
  Math.max(...values.map((value, n) => Math.abs((value ?? Number.NaN) - (others[n] ?? Number.NaN))))

const bodyOf = (lapIds: ReadonlyArray<number>, channels?: ReadonlyArray<string>) =>
  sending("POST", { lap_ids: lapIds, ...(channels && { channels }) })

it.scopedLive("a comparison traces channels of groups, with null if a session lacks them", () =>
  Effect.gen(function* () {
    const running = yield* service()
    const one = yield* storeLaps(running, 3)
    const other = yield* storeLaps(running, 2)
    const old = yield* storeLaps(running, 2)
    yield* storeGroups(running, one.id, groups)
    yield* storeGroups(running, other.id, groups.slice(0, 2))
    const laps = [one.laps[1]!, one.laps[2]!, other.laps[1]!, old.laps[1]!]
    const lapIds = laps.map(({ id }) => id)
    const names = Object.keys(kinds)
    const { body, status } = yield* running.json(
      "/api/v1/analysis/compare",
      bodyOf(lapIds, [...names, "yaw"])
    )
    expect([status, (body as { detail?: string }).detail]).toEqual([200, undefined])
    const { fastest_lap_id, traces } = body as Compared
    expect(traces.map(({ channels }) => Object.keys(channels!))).toEqual(traces.map(() => names))

    const times = new Map<number, ReadonlyArray<number>>()
    for (const [l, { channels, distance, lap_id, speed }] of traces.entries()) {
      const { id, sessionId, startTime } = laps[l]!
      expect(lap_id).toBe(id)
      for (const name of names) {
        const lacks =
          sessionId === old.id || (sessionId === other.id && ["yaw", "tc_level", "drs_open"].includes(name))
        if (lacks && !["speed", "gear"].includes(name)) expect([name, channels![name]]).toEqual([name, null])
        else expect(channels![name]).toHaveLength(distance.length)
      }
      // The interface's own trace of speed, from the same points.
      expect(farthest(channels!["speed"]!, speed)).toBeLessThan(5e-7)
      if (sessionId === old.id) continue
      const when = channels!["sim_seconds"]!.map((seconds) => START + seconds!)
      times.set(
        lap_id,
        when.map((time) => time - startTime)
      )
      // The groups' values follow from the time; a step is never between two values, an angle never on its other side.
      const differences = (name: string, expected: (seconds: number) => number) =>
        (channels![name] ?? []).map((value, n) => Math.abs(value! - expected(channels!["sim_seconds"]![n]!)))
      const warm = differences("tyre_temperature_fl", (seconds) => 80 + 10 * Math.sin(seconds))
      expect(Math.max(...warm)).toBeLessThan(0.03)
      const turned = differences("yaw", (seconds) => (100 * seconds) % 360)
      expect(turned.filter((apart) => !(Math.min(apart, 360 - apart) < 1e-3))).toEqual([])
      const isLevel = (value: number | null, seconds: number) =>
        // The clock is right to a millionth of a second.
        [seconds - 1e-6, seconds + 1e-6].some((time) => levelAt(time) === value)
      const levels = channels!["tc_level"] ?? []
      expect(levels.filter((value, n) => !isLevel(value, channels!["sim_seconds"]![n]!))).toEqual([])
      for (const name of ["drs_open", "gear"]) {
        const values = channels![name]
        if (values === null) continue
        expect([name, values!.every(Number.isInteger), new Set(values).size > 1]).toEqual([name, true, true])
      }
      // A fifth of the samples have no pressure, and there is none between a sample that has it and one that has not.
      const undeclared = channels!["tyre_pressure_fl"]!.filter((value) => value === null).length
      expect(undeclared / distance.length).toBeGreaterThan(0.15)
      expect(undeclared / distance.length).toBeLessThan(0.4)
    }
    // The laps' clocks differ by the comparison's deltas.
    const fastest = times.get(fastest_lap_id)
    if (fastest === undefined) return expect.fail("the fastest lap has a clock")
    for (const { lap_id, time_delta } of traces) {
      const apart = times.get(lap_id)?.map((time, n) => time - fastest[n]!)
      if (apart !== undefined) expect(farthest(apart, time_delta)).toBeLessThan(5e-6)
    }

    const plain = yield* running.json("/api/v1/analysis/compare", bodyOf(lapIds))
    const without = traces.map(({ channels: _channels, ...trace }) => trace)
    expect(plain.body).toEqual({ ...(body as object), traces: without })
    expect(yield* running.json("/api/v1/analysis/compare", bodyOf(lapIds, []))).toMatchObject({
      status: 200,
      body: plain.body as object
    })
  })
)

it.scopedLive("the number of names is limited, and one of the sessions must have each of them", () =>
  Effect.gen(function* () {
    const running = yield* service()
    const { id, laps } = yield* storeLaps(running, 7)
    const many = Array.from({ length: 40 }, (_, n) => `own_${n}`)
    yield* storeGroups(running, id, [
      { declaration: { name: "own", channels: many.map((name) => ({ name })) }, step: 1, value: () => 1 }
    ])
    const two = laps.slice(0, 2).map(({ id }) => id)
    const comparing = (lapIds: ReadonlyArray<number>, channels: unknown) =>
      running.json("/api/v1/analysis/compare", sending("POST", { lap_ids: lapIds, channels }))
    expect((yield* comparing(two, many.slice(0, 32))).status).toBe(200)
    // A repeated name counts once.
    expect((yield* comparing(two, [...many.slice(0, 32), "own_0"])).status).toBe(200)
    const seven = laps.map(({ id }) => id)
    expect((yield* comparing(seven, many.slice(0, 28))).status).toBe(200)
    const { traces } = (yield* Effect.promise(() =>
      clientOf(running).analysis.compareTraced.query({ lapIds: two, channels: ["own_1", "own_0"] })
    )) as Compared
    const same = (yield* comparing(two, ["own_1", "own_0"])).body as Compared
    expect(traces[0]!.channels).toEqual(same.traces[0]!.channels)
    for (const [lapIds, channels, detail] of [
      [two, many.slice(0, 33), "channels must be at most 32 names, got 33"],
      [seven, many.slice(0, 29), "channels must be at most 28 names with 7 laps, got 29"],
      [
        two,
        ["fuel"],
        /^channels must be among speed, rpm, .*, position_z, own_0, .*, own_39, lap_distance, got fuel$/
      ],
      [two, ["own_1", "own_*"], /^channels must be among .*, got "own_\*"$/],
      [two, ["timestamp"], /^channels must be among .*, got timestamp$/]
    ] as const) {
      const { body, status } = yield* comparing(lapIds, channels)
      expect([channels, status]).toEqual([channels, 422])
      const sentence = typeof detail === "string" ? detail : expect.stringMatching(detail)
      expect(body).toEqual({ detail: sentence })
    }
  })
)

it.scopedLive("laps of a session whose source sends no distance are placed as well", () =>
  Effect.gen(function* () {
    const running = yield* service()
    const { laps } = yield* storeLaps(running, 2)
    const { traces } = (yield* running.json(
      "/api/v1/analysis/compare",
      bodyOf(
        laps.map(({ id }) => id),
        ["lap_distance"]
      )
    )).body as Compared
    for (const { channels, distance } of traces) expect(channels!["lap_distance"]).toEqual(distance)
  })
)
