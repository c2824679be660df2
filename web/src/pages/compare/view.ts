/**
 * The view of a comparison in the address: `laps`, `reference` and `lap` (ids), `channels` (names), `over` (`time`), `from` and
 * `to` (the zoom) and `cursor`, in metres or seconds, and `diagram`. `at` (metres) leads to a place.
 */
import { OWN } from "../../draw/compareChannels.ts"
import { place } from "../../router.ts"
import { kept } from "../../kept.ts"

export const DIAGRAMS = ["gg", "suspension", "throttle"] as const
export type Diagram = (typeof DIAGRAMS)[number]

export interface CompareView {
  readonly reference: number | undefined
  /** The lap whose losses and gains are shown. */
  readonly lap: number | undefined
  readonly channels: ReadonlyArray<string>
  readonly over: "distance" | "time"
  readonly from: number | undefined
  readonly to: number | undefined
  readonly cursor: number | undefined
  readonly diagram: Diagram | undefined
}

/** A corner with the braking before it and the throttle after. */
export const AROUND_M = 250

const KEY = "compared-channels"

const namesIn = (text: string | null): ReadonlyArray<string> => [
  ...new Set((text ?? "").split(",").filter((name) => /^[a-z][a-z0-9_]*$/.test(name)))
]

const remembered = (): ReadonlyArray<string> => {
  const names = namesIn(kept.get(KEY))
  return names.length === 0 ? OWN : names
}

/** Remembers channels for the next comparison that names none. */
export const rememberChannels = (names: ReadonlyArray<string>) => kept.set(KEY, names.join(","))

export const idsOf = (text: string | null): ReadonlyArray<number> => [
  ...new Set(
    (text ?? "")
      .split(",")
      .map(Number)
      .filter((id) => Number.isSafeInteger(id) && id > 0)
  )
]

const numberOf = (text: string | null): number | undefined => {
  const value = text === null || text === "" ? Number.NaN : Number(text)
  return Number.isFinite(value) ? value : undefined
}

export const viewOf = (): CompareView => {
  const { query } = place.value
  const names = namesIn(query.get("channels"))
  // The place of a link, m.
  const at = numberOf(query.get("at"))
  const around = (metres: number) => (at === undefined ? undefined : Math.max(0, at + metres))
  return {
    reference: numberOf(query.get("reference")),
    lap: numberOf(query.get("lap")),
    channels: names.length === 0 ? remembered() : names,
    over: query.get("over") === "time" ? "time" : "distance",
    from: numberOf(query.get("from")) ?? around(-AROUND_M),
    to: numberOf(query.get("to")) ?? around(AROUND_M),
    cursor: numberOf(query.get("cursor")) ?? at,
    diagram: DIAGRAMS.find((name) => name === query.get("diagram"))
  }
}

const SUSPENSION = ["fl", "fr", "rl", "rr"].map((wheel) => `suspension_velocity_${wheel}`)

/** Channels of a diagram in addition to the usual ones. */
export const channelsOfDiagram = (diagram: Diagram | undefined): ReadonlyArray<string> => {
  if (diagram === "gg") return ["g_lateral", "g_longitudinal"]
  return diagram === "suspension" ? SUSPENSION : []
}
