/** A real recording repeated: a replay at full speed that lasts while a server goes away and comes back. */
import { closeSync, openSync, writeSync } from "node:fs"
import { join } from "node:path"
import { expect } from "@effect/vitest"
import { Effect } from "effect"
import { csvRowOf } from "../api/points.ts"
import * as Box from "../support/processes.ts"

const NAME = "f1-bahrain-2026-ant"
/** Longer than the recording, so that each round begins after the end of the one before, s. */
const PERIOD = 6968
/** The most points of a message. */
export const MESSAGE_POINTS = 200

export interface LongReplay {
  readonly file: string
  readonly points: number
  /** By the feed's clock, which begins at `zero`, epoch seconds. */
  readonly laps: ReadonlyArray<Box.LapMessage>
  readonly zero: number
  /** A point as the service must give it. */
  readonly point: (index: number) => Box.Point
}

const later = (lap: Box.LapMessage, round: number, lapsARound: number): Box.LapMessage => ({
  ...lap,
  lap_number: lap.lap_number + round * lapsARound,
  start_time: lap.start_time + round * PERIOD,
  end_time: lap.end_time + round * PERIOD
})

/** Writes a recording of so many rounds of the real one; each lap's message follows its points. */
export const longReplay = (folder: string, rounds: number): LongReplay => {
  const one = Box.readRecording(NAME)
  const at = (index: number): Box.Point => {
    const point = one.points[index % one.points.length]!
    const round = Math.floor(index / one.points.length)
    return { ...point, timestamp: point["timestamp"]! + round * PERIOD }
  }
  const points = rounds * one.points.length
  const laps = Array.from({ length: rounds }, (_, round) =>
    one.laps.map((lap) => later(lap, round, one.laps.length))
  ).flat()

  const file = join(folder, "long.ndjson")
  const out = openSync(file, "w")
  const write = (message: object) => writeSync(out, `${JSON.stringify(message)}\n`)
  write({
    type: "session",
    circuit: "Bahrain International Circuit",
    vehicle: "Mercedes W17",
    driver: "Kimi Antonelli",
    start_time: one.zero
  })
  let nextLap = 0
  for (let sent = 0; sent < points;) {
    const ended = laps[nextLap]?.end_time ?? Infinity
    const message: Array<Box.Point> = []
    while (sent < points && message.length < MESSAGE_POINTS && at(sent)["timestamp"]! < ended) {
      message.push(at(sent++))
    }
    if (message.length > 0) write({ type: "points", points: message })
    if (sent === points || at(sent)["timestamp"]! >= ended) write(laps[nextLap++]!)
  }
  closeSync(out)
  return {
    file,
    points,
    laps,
    zero: one.zero,
    point: (index) => ({ ...at(index), timestamp: one.zero + at(index)["timestamp"]! })
  }
}

/** The fields of a lap that the message has and the interface shows. */
const shownOf = ({
  lap_number,
  lap_time,
  sector1_time,
  sector2_time,
  sector3_time,
  valid
}: Box.LapMessage) => ({
  lap_number,
  lap_time,
  sector1_time,
  sector2_time,
  sector3_time,
  valid
})

export const lapsOf = (service: Box.Running, sessionId: number) =>
  Effect.map(Box.get<ReadonlyArray<Box.LapMessage>>(service, `/${sessionId}/laps`), (laps) =>
    laps.map(shownOf)
  )

/** The number of a session's points, which must be the replay's from its first on, in order, each once and to the last bit. */
export const expectBeginning = (service: Box.Running, sessionId: number, replay: LongReplay) =>
  Effect.promise(async () => {
    const answer = await fetch(`${service.address}/api/v1/export/session/${sessionId}`)
    expect(answer.status).toBe(200)
    let rest = ""
    let row = -1
    for await (const piece of answer.body!.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + piece).split("\r\n")
      rest = lines.pop()!
      for (const line of lines) {
        if (row++ < 0) continue
        const point = replay.point(row - 1)
        const expected = csvRowOf(point)
        // The first column is the lap's number.
        const values = line.slice(line.indexOf(",") + 1)
        if (values !== expected) throw new Error(`point ${row - 1} is ${values} instead of ${expected}`)
      }
    }
    expect(rest).toBe("")
    return row
  })

/** Expects the session to have every point and every lap of the replay. */
export const expectWhole = Effect.fn(function* (service: Box.Running, sessionId: number, replay: LongReplay) {
  expect(yield* expectBeginning(service, sessionId, replay)).toBe(replay.points)
  expect(yield* lapsOf(service, sessionId)).toEqual(replay.laps.map(shownOf))
})

interface Range {
  readonly points: ReadonlyArray<Box.Point>
  readonly total_points: number
}

/** Counts of the answers of `watchReads`, by kind. */
export interface Answers {
  whole: number
  unavailable: number
  /** Answers that the end of the connection broke off, because the store went away after they had begun. */
  torn: number
}

const WINDOW = 500

/** Any other answer is an error. */
const answerTo = async (
  service: Box.Running,
  path: string
): Promise<{ readonly kind: "whole"; readonly range: Range } | { readonly kind: "unavailable" | "torn" }> => {
  const answer = await fetch(`${service.address}/api/v1${path}`)
  if (answer.status === 503) return { kind: "unavailable" }
  expect(answer.status).toBe(200)
  const text = await answer.text().catch(() => undefined)
  return text === undefined ? { kind: "torn" } : { kind: "whole", range: JSON.parse(text) as Range }
}

/**
 * Reads session 1 repeatedly: each answer must have everything that was stored before its
 * request, counted over the whole session and compared at its newest points. Ends only with an answer that has not.
 */
export const watchReads = (service: Box.Running, replay: LongReplay, answers: Answers) =>
  Effect.gen(function* () {
    const stored = (yield* Box.connectionOf(service))?.points_stored ?? 0
    const from = Math.max(0, stored - WINDOW)
    const window = `&start_time=${replay.point(from)["timestamp"]}&end_time=${replay.point(stored)["timestamp"]}`
    const ask = (more: string) =>
      Effect.promise(() => answerTo(service, `/telemetry/range?session_id=1&sample_rate=${more}`))
    const whole = yield* ask("100000")
    const newest = yield* ask(`1${window}`)
    for (const answer of [whole, newest]) answers[answer.kind]++
    if (whole.kind === "whole") expect(whole.range.total_points).toBeGreaterThanOrEqual(stored)
    if (newest.kind === "whole") {
      const { length } = newest.range.points
      expect(length).toBeGreaterThanOrEqual(stored - from)
      expect(newest.range.points).toEqual(Array.from({ length }, (_, i) => replay.point(from + i)))
    }
    yield* Effect.sleep("100 millis")
  }).pipe(Effect.forever)
