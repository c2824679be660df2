/**
 * Where a driver hands over what its simulator says: one way in, whether the driver has to wait or not.
 *
 * Ordering: events are recorded in the order in which they were offered. What was offered is recorded whole, also when the
 * connection is being ended: what the sink keeps is recorded before the session is left or closed.
 *
 * Back-pressure: after `offer` has returned false, nothing may be offered until `ready` has succeeded. A driver that can make
 * its simulator wait does not read meanwhile, so that nothing is lost.
 */
import type { Effect } from "effect"
import type { SimulatorEvent } from "../domain/SimulatorEvent.ts"

export interface EventSink {
  /**
   * Records the events, in order, as far as nothing has to be waited for, and keeps the others. True where all of them are
   * recorded and more may be offered at once; their memory is then the caller's again. Plain: it costs no fiber.
   */
  readonly offer: (events: ReadonlyArray<SimulatorEvent>) => boolean
  /**
   * Succeeds when all that the sink kept is recorded, and when more may be offered. An interruption does not end the
   * recording; it does end the wait of a feed that has caused more sessions or laps than it may.
   */
  readonly ready: Effect.Effect<void>
}
