/** Sessions, laps and points put into the store directly, for tests that read them. */
import { Effect } from "effect"
import { POINTS } from "../../src/domain/Dictionary.ts"
import type { NewLap } from "../../src/domain/Lap.ts"
import type { PointBatch } from "../../src/domain/RowBatch.ts"
import { samplePoints } from "../contracts/samples.ts"
import type { Service } from "../support/service.ts"

/** When stored sessions begin, epoch seconds. */
export const START = 1_771_000_000

export const names = { circuit: "Monza", vehicle: "GT3", driver: "Anna" }

export const lapOf = (sessionId: number, lapNumber: number, from: number, until: number): NewLap => ({
  sessionId: sessionId,
  lapNumber: lapNumber,
  lapTime: until - from,
  sector1Time: 10,
  sector2Time: 20.5,
  sector3Time: null,
  valid: true,
  startTime: from,
  endTime: until
})

/** The same values, with gears that are gears. */
export const drivenPoints = (start: number, count: number, rate = 60): PointBatch => {
  const batch = samplePoints(start, count, rate)
  batch.column("gear").forEach((gear, i, gears) => {
    gears[i] = Math.round(gear) % 7
  })
  return batch
}

export const storeSession = Effect.fnUntraced(function* (
  { catalog }: Pick<Service, "catalog">,
  { datetime = START, ...other }: Partial<typeof names> & { readonly datetime?: number } = {}
) {
  return yield* catalog.createSession({ ...names, ...other, datetime }, { recording: false })
})

/**
 * A session with `count` points at `rate` from START, and laps of `lapPoints` points each, the first of them
 * after `before` points outside any lap.
 */
export const storeDrive = Effect.fnUntraced(function* (
  service: Pick<Service, "catalog" | "points">,
  drive: {
    readonly count: number
    readonly rate?: number
    readonly laps?: number
    readonly lapPoints?: number
    readonly before?: number
  }
) {
  const { before = 0, count, lapPoints = count, laps = 1, rate = 60 } = drive
  const session = yield* storeSession(service)
  const points = drivenPoints(START, count, rate)
  for (let from = 0; from < count; from += 10_000) {
    const batch = points.slice(from, Math.min(count, from + 10_000))
    yield* service.points.write([{ sessionId: session.id, group: POINTS, batch }])
  }
  yield* service.catalog.extendSessions(
    new Map([
      [
        session.id,
        {
          first: points.timestamps[0]!,
          last: points.timestamps[count - 1]!
        }
      ]
    ])
  )
  const timeOf = (index: number) => START + index / rate
  const recorded = yield* service.catalog.addLaps(
    Array.from({ length: laps }, (_, i) =>
      lapOf(session.id, i + 1, timeOf(before + i * lapPoints), timeOf(before + (i + 1) * lapPoints))
    )
  )
  return { session: yield* service.catalog.session(session.id), laps: recorded, points }
}, Effect.orDie)
