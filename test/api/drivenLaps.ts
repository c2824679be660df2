import { Effect } from "effect"
import { POINTS } from "../../src/domain/Dictionary.ts"
import type { Channel } from "../../src/domain/pointChannels.ts"
import { ABSENT } from "../../src/domain/RowBatch.ts"
import { drive, drivenLap } from "../analysis/lapData.ts"
import type { Service } from "../support/service.ts"
import { START, storeSession } from "./stored.ts"

/** A session of `count` laps of a simulated drive, all its points stored, without the channels that are `undeclared`. */
export const storeLaps = Effect.fnUntraced(function* (
  running: Service,
  count: number,
  {
    rate = 60,
    undeclared = []
  }: { readonly rate?: number; readonly undeclared?: ReadonlyArray<Channel> } = {}
) {
  const { id } = yield* storeSession(running)
  const from = drive()
  const laps = []
  for (let number = 1; number <= count; number++) {
    const { lap, points } = drivenLap(from, number, rate, 0, START)
    for (const channel of undeclared) points.column(channel).fill(ABSENT)
    yield* running.points.write([{ sessionId: id, group: POINTS, batch: points }])
    laps.push({ ...lap, sessionId: id })
  }
  const recorded = yield* running.catalog.addLaps(laps.map(({ id: _id, ...lap }) => lap))
  return { id, laps: recorded }
}, Effect.orDie)
