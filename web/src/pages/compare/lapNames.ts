/** Names of compared laps: their numbers, with what distinguishes laps of the same number. */
import { dateTime } from "../../format.ts"
import { driverOf } from "../../names.ts"
import type { ChosenLap } from "./ChosenLaps.tsx"

/** What may distinguish two laps, the shortest first; the last always does. */
const marks: ReadonlyArray<(lap: ChosenLap) => string> = [
  () => "",
  ({ session }) => driverOf(session),
  ({ session }) => dateTime(session.datetime),
  ({ session }) => `${driverOf(session)}, ${dateTime(session.datetime)}`,
  ({ lap }) => `id ${lap.id}`
]

/** Each lap's name, such as "lap 14", or "lap 1 (Robin Vale)" if another of them is a lap 1 of another driver. */
export const lapNames = (laps: ReadonlyArray<ChosenLap>): ReadonlyArray<string> =>
  laps.map((one) => {
    const same = laps.filter(({ lap }) => lap.lap_number === one.lap.lap_number)
    const mark = marks.find((of) => new Set(same.map(of)).size === same.length)!(one)
    return `lap ${one.lap.lap_number}${mark === "" ? "" : ` (${mark})`}`
  })

export const capital = (text: string): string => text[0]!.toUpperCase() + text.slice(1)
