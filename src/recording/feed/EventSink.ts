/**
 * The interface through which every driver hands over its simulator's events, whether the driver can wait or not.
 *
 * Ordering: events are recorded in the order in which they were offered. All offered events are recorded, even while the
 * connection is being ended: the sink records the events that it keeps before the session is left or closed.
 *
 * Back-pressure: after `offer` has returned false, nothing may be offered until `ready` has succeeded. A driver that can make
 * its simulator wait does not read meanwhile, so nothing is lost.
 */
import type { Effect } from "effect"
import type { SimulatorEvent } from "../../domain/SimulatorEvent.ts"

export interface EventSink {
  /**
   * Records events in order until one has to wait, and keeps the others. Returns true if all are recorded and more may be
   * offered immediately; the caller may then reuse their memory. Plain: it costs no fiber.
   */
  readonly offer: (events: ReadonlyArray<SimulatorEvent>) => boolean
  /**
   * Succeeds when everything that the sink kept is recorded and more may be offered. An interruption does not end the
   * recording, but it ends the wait of a feed that has caused more sessions or laps than it may.
   */
  readonly ready: Effect.Effect<void>
}
