/** The serving side of the relay: sends commands to the recorder, and its updates to the live clients of this process. */
import { Effect, Layer, Queue, Stream } from "effect"
import { ImportCommands } from "../imports/ImportCommands.ts"
import type { LiveStats } from "../live/hub/Hub.ts"
import { LiveHub } from "../live/hub/LiveHub.ts"
import { isStartOrEnd } from "../live/hub/messages.ts"
import { Announcer } from "../live/Announcer.ts"
import { ReachesNodes } from "../live/ReachesNodes.ts"
import * as OnAirNow from "../live/OnAirNow.ts"
import { LiveRate } from "../live/hub/LiveRate.ts"
import { Counts } from "../observability/Counts.ts"
import { labelledByProcess, processFamilies, ProcessName } from "../observability/process.ts"
import { type Family, gauge, total } from "../observability/prometheus.ts"
import { StoreProgress } from "../recording/intake/StoreProgress.ts"
import { Simulators } from "../simulators/connection/Simulators.ts"
import type { SimulatorsStatus } from "../simulators/connection/SimulatorsStatus.ts"
import { askingStore } from "../platform/retryPolicies.ts"
import { Configurations } from "../store/Configurations.ts"
import { type Update, Relay } from "./Relay.ts"

const liveFamilies = ({ sent, skipped, subscribers }: LiveStats): ReadonlyArray<Family> => [
  gauge("telemetry_live_subscribers", "Clients of the live WebSocket and of live subscriptions", subscribers),
  total("telemetry_live_messages_sent_total", "Live messages handed to sockets", sent),
  total(
    "telemetry_live_messages_skipped_total",
    "Live messages left out for clients that were behind",
    skipped
  )
]

/** The hub of this process, at the configured rate; it gets all updates. */
const hub = Layer.scopedDiscard(
  Effect.gen(function* () {
    const { addSamples, announce, onWanted, publish, setRate, stats } = yield* LiveHub
    const relay = yield* Relay
    let isRateKnown = false
    yield* relay.subscribe((update: Update) => {
      switch (update.type) {
        case "points":
          return publish(update.sessionId, update.batch, update.first)
        case "samples":
          return addSamples(update.sessionId, update.groups)
        case "watch":
        case "import":
        case "on_air":
          return
        case "event":
          return announce(update.event)
        case "rate":
          isRateKnown = true
          return setRate(update.hz)
      }
    })
    onWanted(({ channels, points }) => relay.publish({ type: "watch", watched: channels, points }))
    const ofProcess = labelledByProcess(yield* ProcessName)
    yield* relay.count(Effect.sync(() => ofProcess([...liveFamilies(stats()), ...processFamilies()])))
    const { telemetryRate } = yield* (yield* Configurations).configuration
    // A rate that was published meanwhile is newer.
    if (!isRateKnown) setRate(telemetryRate)
  })
).pipe(Layer.provideMerge(LiveHub.layer))

const sessionsOf = ({ connections }: SimulatorsStatus) => connections.map(({ sessionId }) => sessionId)

const onAir = OnAirNow.layer(
  Effect.gen(function* () {
    const relay = yield* Relay
    const { announce } = yield* LiveHub
    const asked = yield* Queue.sliding<void>(1)
    const ask = () => void asked.unsafeOffer(undefined)
    yield* relay.subscribe((update) => {
      if (update.type === "on_air" || (update.type === "event" && isStartOrEnd(update.event))) ask()
    })
    const statuses = relay.statusChanges.pipe(
      Stream.map(sessionsOf),
      Stream.changesWith((a, b) => a.join() === b.join()),
      // It fails while no process records.
      Stream.retry(askingStore),
      Stream.orDie
    )
    return {
      running: Effect.orElseSucceed(Effect.map(relay.recording.status, sessionsOf), () => []),
      mayHaveChanged: Stream.merge(statuses, Stream.fromQueue(asked)),
      publish: Effect.sync(() => relay.publish({ type: "on_air" })),
      announce: (now) => announce({ type: "on_air", ...now })
    }
  })
)

/** The recorder's services for HTTP. The recorder may be this process. */
export const layer = Layer.mergeAll(
  Layer.effect(
    Simulators,
    Effect.map(Relay, ({ recording, statusChanges }) => ({ ...recording, statusChanges }))
  ),
  Layer.effect(
    StoreProgress,
    Effect.map(Relay, ({ recording }) => ({ stalled: recording.stalled }))
  ),
  Layer.effect(
    LiveRate,
    Effect.map(Relay, ({ publish }) => ({ set: (hz) => Effect.sync(() => publish({ type: "rate", hz })) }))
  ),
  Layer.effect(
    Announcer,
    Effect.map(Relay, ({ publish }) => ({
      announce: (event) => Effect.sync(() => publish({ type: "event", event }))
    }))
  ),
  Layer.effect(
    ImportCommands,
    Effect.map(Relay, ({ recording, subscribe }) => ({
      change: recording.changeImports,
      watch: (receive) =>
        subscribe((update) => {
          if (update.type === "import") receive(update.importId)
        })
    }))
  ),
  Layer.effect(
    ReachesNodes,
    Effect.map(
      Relay,
      ({ isUp }) =>
        () =>
          isUp?.()
    )
  ),
  Layer.effect(
    Counts,
    Effect.map(Relay, ({ counts }) => counts)
  ),
  Layer.provideMerge(onAir, hub)
)
