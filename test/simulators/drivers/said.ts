import type { SimulatorEvent } from "../../../src/domain/SimulatorEvent.ts"
import { discarded, signedArea } from "./suite/events.ts"
export { column, eventsOf as only, falls, story } from "./suite/events.ts"
export const late = (events: ReadonlyArray<SimulatorEvent>): number => discarded(events, "late")
export const turning = (xs: ReadonlyArray<number>, ys: ReadonlyArray<number>): number =>
  2 * signedArea(xs, ys)
