/**
 * Prints what a running service has recorded, and listens to it for five seconds:
 *
 *     npm run example [http://127.0.0.1:8080]
 */
import { createTelemetryClient } from "telemetry-session-service/client"

const client = createTelemetryClient(process.argv[2] ?? "http://127.0.0.1:8080")

// The client sends requests of one turn of the event loop together. The service's own types describe the answers.
const [status, best, sessions] = await Promise.all([
  client.system.status.query(),
  client.statistics.bestLaps.query({ limit: 3 }),
  client.sessions.list.query({ limit: 1 })
])

for (const { host, port, simulator, state } of status.connections) {
  console.log(`${state} to ${simulator} at ${host}:${port}`)
}
for (const lap of best)
  console.log(`${lap.rank}. ${lap.driver}, ${lap.circuit}: ${lap.lap_time?.toFixed(3)} s`)

const [newest] = sessions.items
if (newest !== undefined) {
  const laps = await client.sessions.laps.query({ sessionId: newest.id })
  console.log(
    `Newest of ${sessions.total}: ${newest.circuit}, ${newest.vehicle}; laps so far: ${laps.length}`
  )
}

// Server-sent events. Each has an id, and a lost connection continues after the last one. A client that knows a lap may name
// it as the last, and misses none between the request above and this one.
const laps = client.live.laps.subscribe(
  {},
  { onData: ({ data: { data } }) => console.log(`Lap ${data.lap_number}: ${data.lap_time} s`) }
)
const telemetry = client.live.telemetry.subscribe(
  { rate: 2 },
  {
    onData({ data }) {
      if (data.type !== "telemetry") return
      // A value that a simulator does not report is null.
      const { gear, speed } = data.data
      console.log(`${speed?.toFixed(0) ?? "–"} km/h in gear ${gear ?? "–"}`)
    },
    onError: (error) => console.error(error.message)
  }
)

setTimeout(() => {
  laps.unsubscribe()
  telemetry.unsubscribe()
}, 5000)
