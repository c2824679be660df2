/** Reports and histograms of channels over HTTP, held to calculations from the rows that the service exports as CSV. */
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { emptyDictionary, POINTS } from "../../src/domain/Dictionary.ts"
import { allChannels } from "../../src/domain/ChannelSet.ts"
import { RowBatch } from "../../src/domain/RowBatch.ts"
import { parseCsv } from "../formats/parseCsv.ts"
import { type Service, service } from "../support/service.ts"
import { drivenPoints, lapOf, START, storeSession } from "./stored.ts"

const RATE = 60
/** Nothing was recorded from here on, for this long, s. */
const HOLE = { at: 47, seconds: 9 }

/** 100 s of points with a hole, two laps of 40 s from 10 s on, and fuel twice a second from 5 s on. */
const store = Effect.fnUntraced(function* ({ catalog, points }: Pick<Service, "catalog" | "points">) {
  const { id } = yield* storeSession({ catalog })
  const all = drivenPoints(START, 100 * RATE, RATE)
  const kept = [...all.timestamps.keys()].filter(
    (i) => i / RATE <= HOLE.at || i / RATE >= HOLE.at + HOLE.seconds
  )
  const fuel: RowBatch = RowBatch.allocate(190, ["timestamp", "fuel"])
  for (let i = 0; i < fuel.length; i++) {
    fuel.data[i] = START + 5 + i / 2
    fuel.data[fuel.length + i] = i === 100 ? Number.NaN : 50 - i / 20
  }
  yield* catalog.putDictionary(
    id,
    emptyDictionary.withDeclared(allChannels).withGroups([{ name: "fuel", channels: [{ name: "fuel" }] }])
      .dictionary
  )
  // In pieces, so that laps and sectors begin within and between batches.
  for (let from = 0; from < kept.length; from += 700) {
    const batch = all.pick(kept.slice(from, from + 700))
    yield* points.write([{ sessionId: id, group: POINTS, batch }])
  }
  yield* points.write([{ sessionId: id, group: "fuel", batch: fuel }])
  yield* catalog.extendSessions(new Map([[id, { first: START, last: all.timestamps.at(-1)! }]]))
  const laps = yield* catalog.addLaps([
    lapOf(id, 1, START + 10, START + 50),
    lapOf(id, 2, START + 50, START + 90)
  ])
  return { id, laps }
}, Effect.orDie)

interface Sample {
  readonly time: number
  readonly value: number | null
}

/** The samples of a channel as the CSV of a session has them. */
const samplesOf = Effect.fn(function* (running: Service, id: number, channel: string, group = "") {
  const of = group === "" ? "" : `&group=${group}`
  const path = `/api/v1/export/session/${id}?format=csv${of}`
  const text = yield* Effect.promise(async () => (await fetch(`${running.url}${path}`)).text())
  const [head, ...rows] = parseCsv(text)
  const [time, value] = [head!.indexOf("timestamp"), head!.indexOf(channel)]
  return rows.map((row): Sample => ({
    time: Number(row[time]),
    value: row[value] === "" ? null : Number(row[value])
  }))
})

/** Extremes and the mean by trapezoids from the value as of the start, between present values. */
const figures = (samples: ReadonlyArray<Sample>, from: number, until: number) => {
  const before = samples.findLast(({ time }) => time <= from)
  const within = samples.filter(({ time }) => time > from && time < until)
  const held = [...(before === undefined ? [] : [{ time: from, value: before.value }]), ...within]
  const all = [...held, { time: until, value: held.at(-1)?.value ?? null }]
  let [area, seconds] = [0, 0]
  for (let k = 1; k < all.length; k++) {
    const [one, other] = [all[k - 1]!, all[k]!]
    if (one.value === null || other.value === null) continue
    area += ((one.value + other.value) / 2) * (other.time - one.time)
    seconds += other.time - one.time
  }
  const present = held.flatMap(({ value }) => (value === null ? [] : [value]))
  return { min: Math.min(...present), max: Math.max(...present), mean: area / seconds }
}

interface Span {
  readonly lap_id: number | null
  readonly sector: number | null
  readonly start_time: number
  readonly duration: number
  readonly values: ReadonlyArray<{ readonly min: number; readonly max: number; readonly mean: number }>
}

it.scopedLive("a report has the session, each lap and each sector, as the rows give them", () =>
  Effect.gen(function* () {
    const running = yield* service()
    const { id, laps } = yield* store(running)
    const path = `/api/v1/${id}/channel-report?channels=fuel,speed`
    const { body, status } = yield* running.json(path)
    expect(status).toBe(200)
    const { channels, spans } = body as {
      readonly channels: ReadonlyArray<object>
      readonly spans: ReadonlyArray<Span>
    }
    expect(channels).toEqual([
      { name: "speed", unit: "km/h" },
      { name: "fuel", unit: "l" }
    ])
    const sectors = [null, 1, 2, 3]
    expect(spans.map(({ lap_id, sector }) => [lap_id, sector])).toEqual([
      [null, null],
      ...laps.flatMap((lap) => sectors.map((sector) => [lap.id, sector]))
    ])
    expect(spans.slice(1, 5).map(({ start_time }) => start_time - START)).toEqual([10, 10, 20, 40.5])
    expect(spans.slice(1, 5).map(({ duration }) => duration)).toEqual([40, 10, 20.5, 9.5])
    const samples = [
      yield* samplesOf(running, id, "speed"),
      yield* samplesOf(running, id, "fuel", "fuel")
    ] as const
    expect(samples.map(({ length }) => length)).toEqual([6000 - HOLE.seconds * RATE + 1, 190])
    for (const { duration, start_time, values } of spans) {
      for (const [c, { max, mean, min }] of values.entries()) {
        const own = figures(samples[c]!, start_time, start_time + duration)
        expect([min, max]).toEqual([own.min, own.max])
        expect(mean).toBeCloseTo(own.mean, 6)
      }
    }
    // A lap's summary gives the same.
    const summary = (yield* running.json(`/api/v1/${laps[1]!.id}/channel-stats`)).body as ReadonlyArray<{
      readonly name: string
      readonly mean: number
    }>
    expect(spans[5]!.values[1]!.mean).toBe(summary.find(({ name }) => name === "fuel")!.mean)
  })
)

interface Counted {
  readonly width: number
  readonly edges: ReadonlyArray<number>
  readonly spans: ReadonlyArray<{
    readonly lap_id: number | null
    readonly start_time: number
    readonly duration: number
    readonly seconds: ReadonlyArray<number>
  }>
}

/** Seconds in each bin: each value until the next, unless that is too far. */
const counted = (
  samples: ReadonlyArray<Sample>,
  edges: ReadonlyArray<number>,
  from: number,
  until: number
) => {
  const seconds = Array.from({ length: edges.length - 1 }, () => 0)
  for (const [k, { time, value }] of samples.entries()) {
    const next = Math.min(until, samples[k + 1]?.time ?? until)
    if (value === null || time >= until || next <= from || next - time > 2.5) continue
    const bin = edges.findIndex((edge, n) => value >= edge && value < (edges[n + 1] ?? Infinity))
    seconds[bin]! += next - Math.max(time, from)
  }
  return seconds
}

it.scopedLive("a histogram has the seconds of each value, without the hole and the absent value", () =>
  Effect.gen(function* () {
    const running = yield* service()
    const { id, laps } = yield* store(running)
    const of = (query: string) =>
      Effect.map(
        running.json(`/api/v1/${id}/channels/${query.replace("&", "/histogram?")}`),
        ({ body, status }) => {
          expect(status).toBe(200)
          return body as Counted
        }
      )
    const speeds = yield* samplesOf(running, id, "speed")
    const fuels = yield* samplesOf(running, id, "fuel", "fuel")
    for (const [query, samples] of [
      ["speed&", speeds],
      ["speed&width=7", speeds],
      [`speed&lap_ids=${laps[1]!.id},${laps[0]!.id}`, speeds],
      [`fuel&lap_ids=${laps[1]!.id}`, fuels]
    ] as const) {
      const { edges, spans } = yield* of(query)
      expect(edges.length).toBeGreaterThan(8)
      for (const { duration, seconds, start_time } of spans) {
        const own = counted(samples, edges, start_time, start_time + duration)
        expect(seconds).toHaveLength(own.length)
        for (const [k, second] of seconds.entries()) expect(second).toBeCloseTo(own[k]!, 6)
      }
    }
    const { spans } = yield* of("speed&")
    const total = spans[0]!.seconds.reduce((sum, second) => sum + second, 0)
    expect(total).toBeCloseTo(100 - HOLE.seconds - 1 / RATE, 1)
    // Gears stand in the middle of their bins.
    const gears = yield* of("gear&")
    expect([gears.width, gears.edges[0]! % 1]).toEqual([1, -0.5])
  })
)

it.scopedLive("what a session lacks, and laps of another, are refused by name", () =>
  Effect.gen(function* () {
    const running = yield* service()
    const { id, laps } = yield* store(running)
    const other = yield* store(running)
    const detail = (path: string) =>
      Effect.map(running.json(`/api/v1/${path}`), ({ body, status }) => [
        status,
        (body as { readonly detail: string }).detail
      ])
    expect(yield* detail(`${id}/channel-report?channels=boost`)).toEqual([
      422,
      expect.stringMatching(/^channels must be among speed, .*fuel, got "?boost/)
    ])
    expect(
      yield* detail(`${id}/channels/speed/histogram?lap_ids=${laps[0]!.id},${other.laps[0]!.id}`)
    ).toEqual([422, expect.stringMatching(/^lap_ids must be at most 20 different laps of the session/)])
    expect(yield* detail(`${id}/channels/speed/histogram?width=0.00001`)).toEqual([
      422,
      expect.stringMatching(/^width must be at least [\d.]+: speed is between/)
    ])
    expect((yield* detail("9999/channels/speed/histogram"))[0]).toBe(404)
    const empty = yield* Effect.orDie(storeSession(running))
    const { body } = yield* running.json(`/api/v1/${empty.id}/channel-report`)
    expect(body).toMatchObject({ channels: [], spans: [] })
  })
)
