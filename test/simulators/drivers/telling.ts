/** The channels in a driver's events: as columns, and compared with the emulator's drive. */
import { expect } from "vitest"
import type { SimulatorEvent } from "../../../src/domain/SimulatorEvent.ts"
import { namedChannel } from "../../../src/domain/vocabulary.ts"
import type { Frame } from "../../../simulator/emulators/Emulator.ts"
import { driveGroups } from "../../../simulator/model/channelGroups.ts"
import { eventsOf } from "./recorded.ts"

export interface Reported {
  readonly times: ReadonlyArray<number>
  readonly values: ReadonlyArray<number>
}

/** The rows of every channel, by its name. */
export const channelsIn = (events: ReadonlyArray<SimulatorEvent>): ReadonlyMap<string, Reported> => {
  const reported = new Map<string, { readonly times: Array<number>; readonly values: Array<number> }>()
  for (const { batch } of eventsOf(events, "Samples")) {
    for (const name of batch.channels.slice(1)) {
      const { times, values } = reported.get(name) ?? { times: [], values: [] }
      times.push(...batch.timestamps)
      values.push(...batch.column(name))
      reported.set(name, { times, values })
    }
  }
  return reported
}

/** The values of a channel that is reported. */
export const valuesOf = (reported: ReadonlyMap<string, Reported>, name: string): ReadonlyArray<number> => {
  const channel = reported.get(name)
  if (channel === undefined) return expect.unreachable(`${name} is not reported`)
  return channel.values
}

/** The names of channels whose values are always `such`. */
export const namesWith = (
  reported: ReadonlyMap<string, Reported>,
  such: (value: number) => boolean
): ReadonlyArray<string> =>
  [...reported].flatMap(([name, { values }]) => (values.every(such) ? [name] : [])).toSorted()

export const meanOf = (values: ReadonlyArray<number>): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

/** Value by value. */
export const differenceOf = (a: ReadonlyArray<number>, b: ReadonlyArray<number>): ReadonlyArray<number> =>
  a.map((value, i) => value - b[i]!)

/** The least and the greatest value. */
export const spanOf = (reported: ReadonlyMap<string, Reported>, name: string): readonly [number, number] => {
  const values = valuesOf(reported, name)
  return [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))]
}

/** The correlation of two columns: Pearson's r, and the slope of `b` over `a`. */
export const together = (a: ReadonlyArray<number>, b: ReadonlyArray<number>) => {
  const [meanA, meanB] = [meanOf(a), meanOf(b)]
  let [ab, aa, bb] = [0, 0, 0]
  a.forEach((value, i) => {
    ab += (value - meanA) * (b[i]! - meanB)
    aa += (value - meanA) ** 2
    bb += (b[i]! - meanB) ** 2
  })
  return { r: ab / Math.sqrt(aa * bb), slope: ab / aa }
}

/** The rate of change of a column of evenly timed values, each over `reach` values on both sides. */
export const rateOf = (values: ReadonlyArray<number>, hz: number, reach = 3): ReadonlyArray<number> =>
  values.map((_, i) => {
    const [before, after] = [Math.max(0, i - reach), Math.min(values.length - 1, i + reach)]
    return ((values[after]! - values[before]!) * hz) / (after - before)
  })

const ofTheDrive = new Set(driveGroups.flatMap(({ channels }) => channels.map(({ name }) => name)))

/** The expected value of a channel that the drive has no name for, or that the game tells differently. */
export type Expected = ((frame: Frame) => number) | "absent"

/** The share of rows that may be wrong: the game tells some values a few packets late. */
const LATE = 0.01

/**
 * Expects each reported channel to be what was driven: by the drive's channel of this name, or as `expected`. The emulator began at
 * 100 s of the service's clock, without pauses. `by`: the tolerance of some channels; that of others is a thousandth of the value
 * and of 1.
 */
export const expectDeclared = (
  {
    events,
    frames
  }: { readonly events: ReadonlyArray<SimulatorEvent>; readonly frames: ReadonlyArray<Frame> },
  rate: number,
  expected: Readonly<Record<string, Expected>>,
  by: Readonly<Record<string, number>> = {}
): void => {
  const reported = channelsIn(events)
  expect(reported.size).toBeGreaterThan(0)
  for (const [name, { times, values }] of reported) {
    const other = expected[name]
    if (other === undefined && !ofTheDrive.has(name)) expect.unreachable(`${name}: nothing is known of it`)
    const isAngle = namedChannel(name)?.channel.kind === "angle"
    let off = 0
    let example = ""
    for (const [i, value] of values.entries()) {
      const frame = frames[Math.round((times[i]! - 100) * rate)]!
      const driven =
        other === undefined ? frame.carValue(name) : other === "absent" ? Number.NaN : other(frame)
      const wrong = isAngle ? Math.abs(((value - driven + 540) % 360) - 180) : Math.abs(value - driven)
      if (Number.isNaN(value) && Number.isNaN(driven)) continue
      if (wrong <= (by[name.replace(/_[fr][lr]$/, "")] ?? 0.001 * (1 + Math.abs(driven)))) continue
      off++
      example ||= `${name} at ${times[i]}: ${value}, driven ${driven}`
    }
    if (off > values.length * LATE) expect.unreachable(`${off} of ${values.length} rows: ${example}`)
  }
}
