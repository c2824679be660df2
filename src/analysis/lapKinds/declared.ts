/**
 * Stops and neutralisations that a simulator reports by a channel. A later channel of flags (of the whole field's
 * timeline) is a row more in FLAGS.
 */
import { lowerBound } from "../../domain/RowBatch.ts"
import type { Nodes, OnLap, Placed, Usual } from "./placedLaps.ts"
import { beginOf, endOf, withinOf } from "./stops.ts"

const IN_PIT = "in_pit"

/** The values of a channel at which the car may not be driven at its pace, and what they mean. */
const FLAGS: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  f1_safety_car: {
    1: "behind the safety car",
    2: "under the virtual safety car",
    3: "before the start"
  },
  f1_flag: { 3: "under a yellow flag" }
}

/** The channels that show what kind a lap is of, of those that a session has. */
export const kindChannels = (tells: (name: string) => boolean): ReadonlyArray<string> =>
  [IN_PIT, ...Object.keys(FLAGS)].filter(tells)

/** The nodes of a lap at which a channel's value, as of the last sample, is one of those wanted. */
const nodesWhere = (
  { around, lap, onGrid }: Placed,
  channel: string,
  wanted: (value: number) => boolean
): ReadonlyArray<Nodes> | undefined => {
  const samples = around.find(({ batch }) => batch.channels.includes(channel))?.batch
  if (samples === undefined || samples.length === 0) return undefined
  const t = samples.timestamps
  const values = samples.column(channel)
  const last = onGrid.time.length - 1
  const found: Array<Nodes> = []
  for (let i = lowerBound(t, lap.startTime); i < t.length && t[i]! < lap.endTime; i++) {
    if (!wanted(values[i]!)) continue
    const began = i > 0 && wanted(values[i - 1]!) ? lap.startTime : t[i]!
    let end = i
    while (end + 1 < t.length && wanted(values[end + 1]!)) end++
    const until = t[end + 1] ?? lap.endTime
    found.push({
      from: Math.max(0, Math.min(last, lowerBound(onGrid.time, began - lap.startTime))),
      to: Math.min(last, lowerBound(onGrid.time, until - lap.startTime))
    })
    i = end
  }
  return found
}

/** By `in_pit`; undefined where no lap has it, or it never rises. */
export const declaredStops = (
  placed: ReadonlyArray<Placed>,
  usual: Usual
): ReadonlyArray<OnLap> | undefined => {
  const last = usual.speed.length - 1
  const found = placed.flatMap((lap) =>
    (nodesWhere(lap, IN_PIT, (value) => value > 0) ?? []).flatMap(({ from, to }): ReadonlyArray<OnLap> => {
      if (from === 0) return lap.begins ? [] : [beginOf(lap, usual, to, IN_PIT)]
      return to === last ? [endOf(lap, usual, from, IN_PIT)] : [withinOf(lap, usual, { from, to }, IN_PIT)]
    })
  )
  return found.length === 0 ? undefined : found
}

/** By channels of flags; undefined where no lap has one. */
export const declaredFlags = (placed: ReadonlyArray<Placed>): ReadonlyArray<OnLap> | undefined => {
  let isDeclared = false
  const found: Array<OnLap> = []
  for (const [channel, meanings] of Object.entries(FLAGS)) {
    for (const [value, what] of Object.entries(meanings)) {
      for (const lap of placed) {
        const parts = nodesWhere(lap, channel, (reported) => reported === Number(value))
        if (parts === undefined) continue
        isDeclared = true
        for (const part of parts) {
          const isKnown = found.some((one) => one.lap === lap && one.from <= part.to && part.from <= one.to)
          if (!isKnown) found.push({ lap, ...part, type: "neutralised", channel, what })
        }
      }
    }
  }
  return isDeclared ? found : undefined
}
