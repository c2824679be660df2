/** Sinks that tests give to links, and the events of links as streams. */
import { Chunk, Effect, Mailbox, Stream } from "effect"
import { RowBatch } from "../../src/domain/RowBatch.ts"
import { SimulatorEvent } from "../../src/domain/SimulatorEvent.ts"
import type { EventSink } from "../../src/recording/feed/EventSink.ts"
import type { Link, LinkLost } from "../../src/simulators/Driver.ts"

const copied = <Name extends string>({ channels, data, length }: RowBatch<Name>) =>
  new RowBatch(length, data.slice(), channels)

/** A sink may keep the memory of an event only until it is offered others. */
export const owned = (event: SimulatorEvent): SimulatorEvent => {
  if (event._tag !== "Rows") return event
  return SimulatorEvent.Rows({ ...event, batch: copied(event.batch), lap: event.lap && copied(event.lap) })
}

/** Takes all at once. */
export const collecting = () => {
  const events: Array<SimulatorEvent> = []
  const sink: EventSink = {
    offer: (offered) => {
      events.push(...offered.map(owned))
      return true
    },
    ready: Effect.void
  }
  return { events, sink }
}

/** The events of a link until it is lost; events that are offered together are a chunk. Without a pull, the sink is not ready. */
export const linkEvents = ({ deliverTo }: Pick<Link, "deliverTo">): Stream.Stream<SimulatorEvent, LinkLost> =>
  Stream.unwrapScoped(
    Effect.gen(function* () {
      const offers = yield* Mailbox.make<Chunk.Chunk<SimulatorEvent>, LinkLost>(1)
      let kept: Array<SimulatorEvent> = []
      const sink: EventSink = {
        offer: (offered) => {
          kept.push(...offered.map(owned))
          return false
        },
        ready: Effect.suspend(() => {
          const chunk = Chunk.unsafeFromArray(kept)
          kept = []
          return offers.offer(chunk)
        })
      }
      yield* deliverTo(sink).pipe(
        Effect.catchAllCause((cause) => offers.failCause(cause)),
        Effect.forkScoped
      )
      return Stream.flattenChunks(Mailbox.toStream(offers))
    })
  )
