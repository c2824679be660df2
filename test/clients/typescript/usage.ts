/**
 * A TypeScript program with the types that openapi-typescript generates from /openapi.json: lists sessions, reads laps and
 * points, compares. Prints the results. Compiling it is half of the test.
 *
 *   node usage.js SERVICE SESSION
 */
import createClient from "openapi-fetch"
import type { components, paths } from "./schema.js"

declare const process: { readonly argv: ReadonlyArray<string> }

const client = createClient<paths>({ baseUrl: process.argv[2]! })

const list = await client.GET("/api/v1/sessions", { params: { query: { limit: 50 } } })
if (list.error !== undefined) throw new Error(list.error.detail)
const wanted = Number(process.argv[3])
const session: components["schemas"]["Session"] = list.data.items.find(({ id }) => id === wanted)!
const best: number | null = session.best_lap_time

const ofSession = { params: { path: { session_id: wanted } } }
const { data: laps } = await client.GET("/api/v1/{session_id}/laps", ofSession)
const lapIds = laps!.map((lap) => lap.id)
const { data: points } = await client.GET("/api/v1/{lap_id}/telemetry", {
  params: { path: { lap_id: lapIds[0]! }, query: { sample_rate: 10 } }
})
const until = points!.points[0]!.timestamp + 10
const { data: part } = await client.GET("/api/v1/telemetry/range", {
  params: { query: { session_id: wanted, start_time: `${session.datetime}Z`, end_time: until } }
})
const { data: compared } = await client.GET("/api/v1/compare", { params: { query: { lap_ids: lapIds } } })
const { data: traced } = await client.POST("/api/v1/analysis/compare", { body: { lap_ids: lapIds } })
const { data: predicted } = await client.GET("/api/v1/analysis/predictions/{session_id}", ofSession)
const interval: ReadonlyArray<number> | null = predicted!.confidence_interval
const missing = await client.GET("/api/v1/sessions/{session_id}", { params: { path: { session_id: 77 } } })
const sentence: string = missing.error!.detail

const asXml = { params: { path: { session_id: wanted }, query: { format: "xml" as const } } }

// Requests that the service would refuse do not compile.
export const refused = () => [
  // @ts-expect-error a session has a driver
  client.POST("/api/v1/sessions", { body: { circuit: "Spa", vehicle: "GT3" } }),
  // @ts-expect-error ids are numbers
  client.POST("/api/v1/analysis/compare", { body: { lap_ids: ["1", "2"] } }),
  // @ts-expect-error one of csv and json
  client.GET("/api/v1/export/session/{session_id}", asXml),
  // @ts-expect-error no such path
  client.GET("/api/v1/nothing", {})
]

console.log(
  JSON.stringify({ best, interval, session, laps, points, part, compared, traced, predicted, sentence })
)
