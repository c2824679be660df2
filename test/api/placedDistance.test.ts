/**
 * `lap_distance` of sessions whose source does not send it, held to the model that drove them: at one place of its circuit all laps have
 * the same distance, which grows as fast as the car goes.
 */
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { allChannels } from "../../src/domain/ChannelSet.ts"
import { POINTS, emptyDictionary, type GroupDeclaration } from "../../src/domain/Dictionary.ts"
import { type Channel, channels } from "../../src/domain/pointChannels.ts"
import { ABSENT, RowBatch } from "../../src/domain/RowBatch.ts"
import { drive } from "../analysis/lapData.ts"
import { parseCsv } from "../formats/parseCsv.ts"
import { service, type Service } from "../support/service.ts"
import { START, storeSession } from "./stored.ts"

const driven = drive()
const [one, two, three] = [driven.lap(1), driven.lap(2), driven.lap(3)]
const RATE = 60
/** The first lap is recorded from here on, s: its beginning is missing. */
const JOINED = one.start + 20
const { batch: model, lapDistance: modelDistance } = driven.between(JOINED, three.end + 5, RATE)
const LENGTH = driven.options.circuit.length

const storeRide = Effect.fnUntraced(function* (
  running: Service,
  undeclared: ReadonlyArray<Channel> = [],
  groups: ReadonlyArray<GroupDeclaration> = []
) {
  const { id } = yield* storeSession(running)
  const points = new RowBatch(model.length, model.data.slice(), channels)
  points.timestamps.forEach((time, i) => (points.timestamps[i] = START + time))
  for (const channel of undeclared) points.column(channel).fill(ABSENT)
  const ofPoints = channels.reduce(
    (set, channel, c) => (undeclared.includes(channel) ? set & ~(1 << c) : set),
    allChannels
  )
  const { dictionary } = emptyDictionary.withDeclared(ofPoints).withGroups(groups)
  yield* running.catalog.putDictionary(id, dictionary)
  for (let from = 0; from < points.length; from += 4000) {
    const batch = points.slice(from, Math.min(points.length, from + 4000))
    yield* running.points.write([{ sessionId: id, group: POINTS, batch }])
  }
  const timed = [one, two, three].map(({ end, lapTime, sectors: [a, b, c], start, valid }, i) => ({
    sessionId: id,
    lapNumber: i + 1,
    lapTime: i === 0 ? null : lapTime,
    sector1Time: i === 0 ? null : a,
    sector2Time: b,
    sector3Time: c,
    valid: i > 0 && valid,
    startTime: START + (i === 0 ? JOINED : start),
    endTime: START + end
  }))
  return { id, laps: yield* running.catalog.addLaps(timed), times: points.timestamps }
}, Effect.orDie)

type Row = Readonly<Record<string, number | null>>

const distancesOf = (running: Service, path: string) =>
  Effect.map(running.json(`/api/v1/${path}`), ({ body }) =>
    (body as { readonly points: ReadonlyArray<Row> }).points.map(
      ({ lap_distance, timestamp }) => [timestamp!, lap_distance!] as const
    )
  )

const at = (time: number) => modelDistance[Math.round((time - START - JOINED) * RATE)]!

/** The distances of a lap's points at places of the model's circuit, m from its line. */
const atPlaces = (distances: ReadonlyArray<readonly [time: number, distance: number]>) =>
  Array.from({ length: 90 }, (_, n) => {
    const place = ((n + 5) * LENGTH) / 100
    const k = distances.findIndex(([time]) => at(time) >= place)
    if (k < 1) return ABSENT
    const [[t0, d0], [t1, d1]] = [distances[k - 1]!, distances[k]!]
    return d0 + ((place - at(t0)) / (at(t1) - at(t0))) * (d1 - d0)
  })

it.scopedLive("lap_distance follows positions, as the analysis places a lap", () =>
  Effect.gen(function* () {
    const running = yield* service()
    const { id, laps, times } = yield* storeRide(running)
    const listed = (yield* running.json(`/api/v1/${id}/channels`)).body as ReadonlyArray<object>
    expect(listed.at(-1)).toEqual({
      name: "lap_distance",
      unit: "m",
      kind: "continuous",
      group: null,
      description: "Since the line",
      labels: {},
      derived: true,
      samples: null,
      rate: null,
      first: null,
      last: null
    })
    const distances = yield* Effect.forEach(laps, (lap) =>
      distancesOf(running, `${lap.id}/telemetry?channels=lap_distance`)
    )
    const [partial, second, third] = distances.map(atPlaces)
    for (let n = 0; n < 90; n++) {
      expect(Math.abs(second![n]! - third![n]!)).toBeLessThan(3)
      // The first lap begins in mid-lap.
      const joined = !(partial![n]! > partial!.find((value) => value > 0)!)
      expect(joined || Math.abs(partial![n]! - second![n]!) < 3).toBe(true)
    }
    expect(partial!.filter(Number.isNaN).length).toBeLessThan(60)
    for (const rows of distances.slice(1)) {
      expect(Math.abs(rows[0]![1])).toBeLessThan(2)
      expect(rows.at(-1)![1]).toBeGreaterThan(0.97 * LENGTH)
      for (let i = RATE; i < rows.length; i += RATE) {
        const [[t0, d0], [t1, d1]] = [rows[i - RATE]!, rows[i]!]
        const from = Math.round((t0 - START - JOINED) * RATE)
        const way = model
          .column("speed")
          .slice(from, from + RATE)
          .reduce((sum, kmh) => sum + kmh / 3.6 / RATE, 0)
        expect(Math.abs((d1 - d0) / way / ((t1 - t0) * 1) - 1)).toBeLessThan(0.08)
      }
    }

    const range = yield* distancesOf(running, `telemetry/range?session_id=${id}&channels=lap_dist*`)
    expect(range).toHaveLength(times.length)
    const inLaps = distances.flat()
    expect(range.slice(0, inLaps.length)).toEqual(inLaps)
    const outside = range.slice(inLaps.length)
    expect(outside.length).toBeGreaterThan(200)
    expect(outside.every(([, distance]) => distance === null)).toBe(true)
    const thinned = yield* distancesOf(
      running,
      `telemetry/range?session_id=${id}&channels=lap_distance&sample_rate=100`
    )
    const known = new Map(range)
    expect(thinned.map(([time]) => known.get(time))).toEqual(thinned.map(([, distance]) => distance))
    const file = yield* running.fetch(`/api/v1/export/csv/${laps[1]!.id}?channels=lap_distance`)
    const csv = parseCsv(yield* Effect.promise(() => file.text()))
    expect(csv[0]).toEqual([...channels, "lap_distance"])
    expect(csv.slice(1).map((row) => Number(row.at(-1)))).toEqual(
      distances[1]!.map(([, distance]) => distance)
    )
  })
)

it.scopedLive("lap_distance follows speed if there are no positions, for timed laps only", () =>
  Effect.gen(function* () {
    const running = yield* service()
    const { laps } = yield* storeRide(running, ["position_x", "position_y", "position_z"])
    const [partial, second, third] = yield* Effect.forEach(laps, (lap) =>
      distancesOf(running, `${lap.id}/telemetry?channels=lap_distance`)
    )
    expect(partial!.every(([, distance]) => distance === null)).toBe(true)
    const [a, b] = [atPlaces(second!), atPlaces(third!)]
    a.forEach((distance, n) => expect(Math.abs(distance - b[n]!)).toBeLessThan(25))
  })
)

it.scopedLive("lap_distance is the source's own if sent, and absent without positions and speed", () =>
  Effect.gen(function* () {
    const running = yield* service()
    const own = yield* storeRide(running, [], [{ name: "lap", channels: [{ name: "lap_distance" }] }])
    const samples: RowBatch = RowBatch.allocate(1, ["timestamp", "lap_distance"])
    samples.data.set([START + JOINED, 12.5])
    yield* Effect.orDie(running.points.write([{ sessionId: own.id, group: "lap", batch: samples }]))
    const distances = yield* distancesOf(running, `${own.laps[1]!.id}/telemetry?channels=lap_distance`)
    expect(new Set(distances.map(([, distance]) => distance))).toEqual(new Set([12.5]))
    const listed = (yield* running.json(`/api/v1/${own.id}/channels`)).body as ReadonlyArray<object>
    expect(listed.at(-1)).toMatchObject({ name: "lap_distance", derived: false, group: "lap", samples: 1 })

    const blind = yield* storeRide(running, ["speed", "position_x", "position_y", "position_z"])
    const path = `/api/v1/${blind.laps[1]!.id}/telemetry?channels=`
    expect(yield* running.json(`${path}lap_distance`)).toMatchObject({
      status: 422,
      body: { detail: "channels must be left out, since there are none, got lap_distance" }
    })
    const { body } = yield* running.json(`${path}*`)
    expect(Object.keys((body as { points: ReadonlyArray<Row> }).points[0]!)).toEqual([...channels])
  })
)
