/**
 * Stands in for InfluxDB: answers f1-telemetry's requests at once, and counts the rows, each a line of InfluxDB's
 * protocol.
 */
import { once } from "node:events"
import { createServer } from "node:http"

/** f1-telemetry supports no other port. */
const PORT = 8086

export interface InfluxStandIn {
  readonly rows: () => number
  readonly stop: () => Promise<void>
}

export const influxStandIn = async (): Promise<InfluxStandIn> => {
  let rows = 0
  const server = createServer(async (request, response) => {
    const chunks: Array<Buffer> = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    if (request.method === "POST") {
      rows += Buffer.concat(chunks).toString().trimEnd().split("\n").length
      response.statusCode = 204
      response.end()
      return
    }
    response.setHeader("content-type", "application/json")
    response.end(JSON.stringify({ status: "ready", started: "2026-01-01T00:00:00Z", up: "1s" }))
  })
  server.listen(PORT, "127.0.0.1")
  await once(server, "listening")
  return {
    rows: () => rows,
    stop: async () => {
      server.closeAllConnections()
      await once(server.close(), "close")
    }
  }
}
