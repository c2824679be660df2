/** The rows of a `.vbo` file: their times and cells, and what a first reading of them shows. */
import type { Gate } from "../../../domain/Gate.ts"
import type { SourceFile } from "../../FileReader.ts"
import type { Crossing } from "../../tables/Crossings.ts"
import { GateCrossings } from "../../tables/GateCrossings.ts"
import { type KnownLaps, KnownLines } from "../../tables/KnownLines.ts"
import { LineCells } from "../../tables/LineCells.ts"
import { isFix } from "../../tables/place.ts"
import { type Candidate, type Checked, SignCheck } from "../../tables/SignCheck.ts"
import { withSplits } from "../../tables/splits.ts"
import { conversion } from "../../tables/units.ts"
import { rowsOf, type TimingLine, type VboHead } from "./vboFile.ts"

export const DAY_S = 86_400

export const longitudeOf = (minutes: number) => -minutes / 60
export const latitudeOf = (minutes: number) => minutes / 60

/** The times of rows: HHMMSS.sss of UTC, which begin anew at midnight. */
export class Clock {
  readonly #day: number
  #days = 0
  #last = Number.NEGATIVE_INFINITY

  constructor(day: number) {
    this.#day = day
  }

  /** Epoch seconds, to the millisecond. */
  at(time: number): number {
    const whole = Math.floor(time / 100)
    const seconds = Math.floor(whole / 100) * 3600 + (whole % 100) * 60 + (time - whole * 100)
    if (seconds < this.#last - DAY_S / 2) this.#days++
    this.#last = seconds
    return this.#day + this.#days * DAY_S + Math.round(seconds * 1000) / 1000
  }
}

const toMetresPerSecond = ({ units }: VboHead) =>
  conversion(units.get("velocity") ?? "km/h", "m/s") ?? ((v: number) => v / 3.6)

/** Both readings of a gate: longitude first, or latitude first. */
const readings = ([a, b, c, d]: TimingLine["values"]): ReadonlyArray<Gate> => [
  { latitudes: [latitudeOf(b), latitudeOf(d)], longitudes: [longitudeOf(a), longitudeOf(c)] },
  { latitudes: [latitudeOf(a), latitudeOf(c)], longitudes: [longitudeOf(b), longitudeOf(d)] }
]

/** The reading whose first point is nearer to the car. */
const gateAt = ({ values }: TimingLine, latitude: number, longitude: number): Gate => {
  const far = ({ latitudes: [lat], longitudes: [lon] }: Gate) =>
    Math.hypot(lat - latitude, (lon - longitude) * Math.cos((latitude * Math.PI) / 180))
  const [first, second] = readings(values)
  return far(first!) <= far(second!) ? first! : second!
}

/** Columns that may be checked channels, the plain ones first. */
const candidates: ReadonlyArray<readonly [pattern: RegExp, channel: Checked]> = [
  [/^(latacc|lat-acc|lateral_acc)$/, "g_lateral"],
  [/^(longacc|long-acc|longitudinal_acc)$/, "g_longitudinal"],
  [/^latacc-calc$/, "g_lateral"],
  [/^longacc-calc$/, "g_longitudinal"],
  [/^(yaw_?rate|z[-_](rotation|rate_of_rotation)[-_](gyro|gyroscope))$/, "yaw_rate"]
]

const candidatesIn = (columns: ReadonlyArray<string>): ReadonlyArray<Candidate> =>
  candidates.flatMap(([pattern, channel]) =>
    columns.flatMap((name, column) => (pattern.test(name) ? [{ channel, column }] : []))
  )

/** What the first reading of the rows shows. */
export interface Shown {
  /** Of the start line. */
  readonly crossings: ReadonlyArray<Crossing>
  /** The line is not the file's, but one that is known. */
  readonly known: KnownLaps | undefined
  readonly signs: SignCheck["found"]
  /** Columns that are 0 throughout. */
  readonly zero: ReadonlySet<number>
}

export const look = (
  file: SourceFile,
  head: VboHead,
  day: number,
  startLines: ReadonlyArray<Gate> = []
): Shown => {
  const { columns } = head
  const at = (name: string) => columns.indexOf(name)
  const [time, lat, long] = [at("time"), at("lat"), Math.max(at("long"), at("lng"))]
  const [velocity, heading] = [at("velocity"), at("heading")]
  const start = head.gates.find(({ isStart }) => isStart)
  const gates = start === undefined ? [] : [start, ...head.gates.filter(({ isStart }) => !isStart)]
  const checks = candidatesIn(columns)
  const signs = new SignCheck(checks)
  const zero = new Set(checks.map(({ column }) => column))
  const speedOf = toMetresPerSecond(head)
  const clock = new Clock(day)
  const needed = new Set([time, lat, long, velocity, heading, ...zero])
  const line = new LineCells(columns.map((_, column) => needed.has(column)))
  const cells = line.values
  const known = new KnownLines(gates.length === 0 ? startLines : [])
  let found: ReadonlyArray<GateCrossings> | undefined
  let last = Number.NEGATIVE_INFINITY
  for (const { bytes } of rowsOf(file)) {
    for (let next = 0; next < bytes.length;) {
      next = line.read(bytes, next)
      if (line.found === 0) continue
      const now = clock.at(cells[time]!)
      if (!(now > last)) continue
      last = now
      for (const column of zero) if (cells[column] !== 0) zero.delete(column)
      if (velocity >= 0 && heading >= 0) signs.add(now, speedOf(cells[velocity]!), cells[heading]!, cells)
      const [latitude, longitude] = [
        latitudeOf(cells[lat] ?? Number.NaN),
        longitudeOf(cells[long] ?? Number.NaN)
      ]
      known.add(now, latitude, longitude)
      if (gates.length === 0 || !isFix(latitude, longitude)) continue
      found ??= gates.map((gate) => new GateCrossings(gateAt(gate, latitude, longitude)))
      for (const gate of found) gate.add(now, latitude, longitude)
    }
  }
  const [ofLine = [], ...ofSplits] = (found ?? []).map(({ crossings }) => crossings)
  const crossings = known.laps?.crossings ?? withSplits(ofLine, ofSplits)
  return { crossings, known: known.laps, signs: signs.found, zero }
}
