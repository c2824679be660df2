/** The serving side of the relay: asks who records, and shows what it tells to the live clients of this process. */
import { Effect, Layer } from "effect"
import type { LiveStats } from "../live/Hub.ts"
import { LiveHub } from "../live/LiveHub.ts"
import { LiveRate } from "../live/LiveRate.ts"
import { Counts } from "../observability/Counts.ts"
import { labelledByProcess, processFamilies, ProcessName } from "../observability/process.ts"
import { type Family, gauge, total } from "../observability/prometheus.ts"
import { StoreProgress } from "../recording/StoreProgress.ts"
import { Simulators } from "../simulators/Simulators.ts"
import { Catalog } from "../store/Catalog.ts"
import { type News, Relay } from "./Relay.ts"

const liveFamilies = ({ sent, skipped, subscribers }: LiveStats): ReadonlyArray<Family> => [
  gauge("telemetry_live_subscribers", "Clients of the live WebSocket and of live subscriptions", subscribers),
  total("telemetry_live_messages_sent_total", "Live messages handed to sockets", sent),
  total(
    "telemetry_live_messages_skipped_total",
    "Live messages left out for clients that were behind",
    skipped
  )
]

/** A hub of this process, at the configured rate, for what is told. */
const hub = Layer.scopedDiscard(
  Effect.gen(function* () {
    const { announce, publish, setRate, stats } = yield* LiveHub
    const relay = yield* Relay
    let told = false
    yield* relay.listen((news: News) => {
      switch (news.type) {
        case "points":
          return publish(news.sessionId, news.batch, news.first)
        case "event":
          return announce(news.event)
        case "rate":
          told = true
          return setRate(news.hz)
      }
    })
    const ofProcess = labelledByProcess(yield* ProcessName)
    yield* relay.count(Effect.sync(() => ofProcess([...liveFamilies(stats()), ...processFamilies()])))
    const { telemetry_rate } = yield* (yield* Catalog).configuration
    // What was told meanwhile is newer.
    if (!told) setRate(telemetry_rate)
  })
).pipe(Layer.provideMerge(LiveHub.layer))

/** What HTTP asks of the process that records, which may be this one. */
export const layer = Layer.mergeAll(
  Layer.effect(
    Simulators,
    Effect.map(Relay, ({ recording }) => recording)
  ),
  Layer.effect(
    StoreProgress,
    Effect.map(Relay, ({ recording }) => ({ stalled: recording.stalled }))
  ),
  Layer.effect(
    LiveRate,
    Effect.map(Relay, ({ tell }) => ({ set: (hz) => Effect.sync(() => tell({ type: "rate", hz })) }))
  ),
  Layer.effect(
    Counts,
    Effect.map(Relay, ({ counts }) => counts)
  ),
  hub
)
