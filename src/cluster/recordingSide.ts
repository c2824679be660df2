/** The recording side of the relay: answers commands, and publishes points and events. */
import { Effect, Layer, Stream } from "effect"
import { ConnectionState } from "../domain/Connection.ts"
import { POINTS } from "../domain/Dictionary.ts"
import { channels } from "../domain/pointChannels.ts"
import { ImportQueue } from "../imports/ImportQueue.ts"
import { LivePublisher } from "../live/hub/LivePublisher.ts"
import { isStartOrEnd } from "../live/hub/messages.ts"
import { SamplePublisher } from "../live/hub/SamplePublisher.ts"
import { labelledByProcess, processFamilies, ProcessName } from "../observability/process.ts"
import { counted, type Family, gauge } from "../observability/prometheus.ts"
import { type Stalled, stalledHere } from "../recording/intake/StoreProgress.ts"
import { Simulators } from "../simulators/connection/Simulators.ts"
import type { SimulatorsStatus } from "../simulators/connection/SimulatorsStatus.ts"
import { Relay } from "./Relay.ts"

/** Publishes recorded points and events to all live clients. */
export const publisher = Layer.scoped(
  LivePublisher,
  Effect.gen(function* () {
    const { publish, subscribe } = yield* Relay
    const samples = new SamplePublisher((sessionId, groups) =>
      publish({ type: "samples", sessionId, groups })
    )
    yield* subscribe((update) => {
      if (update.type === "watch") samples.watch(update.watched)
    })
    return {
      publish: (sessionId, group, batch, first) => {
        if (group !== POINTS) return samples.publish(sessionId, group, batch)
        samples.beforePoints(sessionId)
        publish({ type: "points", sessionId, batch: batch.only(channels), first })
      },
      declare: (sessionId, dictionary) => samples.declare(sessionId, dictionary),
      announce: (event) => {
        // This is needed at the session's end. At its start there is nothing to drop.
        if (isStartOrEnd(event)) samples.forget(event.sessionId)
        publish({ type: "event", event })
      }
    }
  })
)

const connectionFamily = ({ connections }: SimulatorsStatus): Family => ({
  name: "telemetry_connections",
  type: "gauge",
  help: "Connections to simulators, by state",
  samples: ConnectionState.literals.map((state) => ({
    suffix: "",
    labels: [["state", state]],
    value: connections.filter((connection) => connection.state === state).length
  }))
})

const stalledFamily = (stalled: Stalled | null): Family =>
  gauge(
    "telemetry_store_stalled_seconds",
    "How long something has waited to be stored; 0 for less than 2 s",
    stalled?.seconds ?? 0
  )

/** Counts the process's own metrics, if the serving side does not count them. */
export const countProcess = Layer.scopedDiscard(
  Effect.gen(function* () {
    const ofProcess = labelledByProcess(yield* ProcessName)
    yield* (yield* Relay).count(Effect.sync(() => ofProcess(processFamilies())))
  })
)

/** Answers commands from this process's connections as long as the layer lives. */
export const answering = Layer.scopedDiscard(
  Effect.gen(function* () {
    const relay = yield* Relay
    const simulators = yield* Simulators
    const connections = Effect.map(simulators.status, (status) => [connectionFamily(status)])
    yield* relay.count(Effect.orElseSucceed(connections, () => []))
    yield* relay.count(counted)
    yield* relay.count(Effect.map(stalledHere, (stalled) => [stalledFamily(stalled)]))
    const { change: changeImports } = yield* ImportQueue
    yield* relay.record({ ...simulators, stalled: stalledHere, changeImports })
    const publishStatus = (status: SimulatorsStatus) => Effect.sync(() => relay.publishStatus(status))
    yield* Effect.forkScoped(Stream.runForEach(simulators.statusChanges, publishStatus))
  })
)

/** The queue of imports; its changes are published to all processes. `atOnce`: the files that are read at a time. */
export const imports = (atOnce: number) =>
  Layer.unwrapEffect(
    Effect.map(Relay, ({ publish }) =>
      ImportQueue.layer({ atOnce, changed: (importId) => publish({ type: "import", importId }) })
    )
  )
