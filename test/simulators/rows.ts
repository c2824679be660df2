/** Selects events by their rows. */
import { POINTS } from "../../src/domain/Dictionary.ts"
import type { Rows, SimulatorEvent } from "../../src/domain/SimulatorEvent.ts"
import type { FeedPoints } from "../../src/recording/feed/admission.ts"

/** The kind of an event: its tag, and for rows, whether these are points or samples of another group. */
export type EventKind = Exclude<SimulatorEvent["_tag"], "Rows"> | "Points" | "Samples"

export const kindOf = (event: SimulatorEvent): EventKind => {
  if (event._tag !== "Rows") return event._tag
  return event.group === POINTS ? "Points" : "Samples"
}

export type EventOf<Kind extends EventKind> = Kind extends "Points"
  ? Rows & FeedPoints
  : Kind extends "Samples"
    ? Rows
    : Extract<SimulatorEvent, { readonly _tag: Kind }>

export const isOf =
  <Kind extends EventKind>(kind: Kind) =>
  (event: SimulatorEvent | undefined): event is EventOf<Kind> =>
    event !== undefined && kindOf(event) === kind

export const isPoints = isOf("Points")
export const isSamples = isOf("Samples")
