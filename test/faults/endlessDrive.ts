/** A drive of the test's own that no lap ends, however long the test takes on a busy machine. */
import { Effect } from "effect"
import { feedServer } from "../simulators/native/feedServer.ts"

/** Points in a message, of which there are fifty a second. */
const POINTS = 10
const INTERVAL_S = 0.002
const SPEED_KMH = 180

const session = JSON.stringify({
  type: "session",
  circuit: "Straight on",
  vehicle: "Kart",
  driver: "Robin Vale",
  start_time: 1.75e9
})

const pointAt = (n: number) => {
  const timestamp = n * INTERVAL_S
  const position_x = (SPEED_KMH / 3.6) * timestamp
  return { timestamp, speed: SPEED_KMH, rpm: 6000, gear: 4, throttle: 1, position_x, position_y: 0 }
}

/** Sends to the first client that connects, until the scope ends; returns the address of a simulator. */
export const endlessDrive = Effect.gen(function* () {
  const { peer, port } = yield* feedServer()
  yield* Effect.forkScoped(
    Effect.gen(function* () {
      const { socket } = yield* peer
      socket.send(session)
      for (let from = 0; ; from += POINTS) {
        const points = Array.from({ length: POINTS }, (_, k) => pointAt(from + k))
        socket.send(JSON.stringify({ type: "points", points }))
        yield* Effect.sleep("20 millis")
      }
    })
  )
  return { address: `http://127.0.0.1:${port}` }
})
