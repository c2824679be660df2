/** Samples of made-up groups, of the kinds of values that groups have. */
import { ABSENT, RowBatch } from "../../src/domain/RowBatch.ts"
import { awkwardDoubles } from "./samples.ts"

const finite = awkwardDoubles.filter(Number.isFinite)

/** The values of a channel, by the number of the sample; of a name that is not here, its own sine. */
const kinds: Readonly<Record<string, (i: number) => number>> = {
  tyre_temperature_fl: (i) => Math.fround(84 + 10 * Math.sin(i / 700)),
  tyre_temperature_fr: (i) => Math.round(840 + 100 * Math.sin(i / 700)) / 10,
  tyre_temperature_rl: (i) => (i % 3 === 0 ? ABSENT : 80 + Math.sin(i / 50)),
  tyre_temperature_rr: (i) => (i % 500 === 0 ? 80 + i / 1000 : ABSENT),
  tyre_pressure_fl: () => 180.5,
  tyre_pressure_fr: () => ABSENT,
  tyre_pressure_rl: (i) => (i < 100 ? ABSENT : 181),
  tyre_pressure_rr: (i) => Math.floor(i / 500),
  tyre_grip_fl: (i) => finite[i % finite.length]!,
  tyre_grip_fr: (i) => (i % 2 === 0 ? -0 : 0)
}

/** The columns of the group `tyres` here. */
export const tyres = ["timestamp", ...Object.keys(kinds)]

const sine = (name: string) => {
  let sum = 0
  for (let at = 0; at < name.length; at++) sum += name.charCodeAt(at) * (at + 1)
  return (i: number) => Math.sin(i / (10 + (sum % 97))) * (sum % 1000)
}

/** `length` samples at `rate` Hz, of which the first is the `first`th after `start`; each value follows from its column and number. */
export const groupSamples = (
  start: number,
  length: number,
  {
    columns = tyres,
    first = 0,
    rate = 10
  }: { columns?: ReadonlyArray<string>; first?: number; rate?: number } = {}
): RowBatch => {
  const batch = RowBatch.allocate(length, columns)
  for (const [c, name] of columns.entries()) {
    const value = name === "timestamp" ? (i: number) => start + i / rate : (kinds[name] ?? sine(name))
    for (let i = 0; i < length; i++) batch.data[c * length + i] = value(first + i)
  }
  return batch
}
