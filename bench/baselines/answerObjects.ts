/**
 * The usual way: the points as objects, ready in memory, and for each answer JSON.stringify of the whole, or the rows
 * of a CSV joined; the answer goes out when its text is complete. It has the same paths as the service, for one driven
 * session; data about its laps comes from the service at the start. Prints where it listens.
 *
 *   node answerObjects.ts http://HOST:PORT '{"points":1000000,"lapPoints":6000,"floats":false}'
 */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { channels } from "../../src/domain/pointChannels.ts"
import { type DrivenSession, type Point, recordedPoints } from "../suite/drivenSession.ts"

const [service, argument] = process.argv.slice(2) as [string, string]
const driven = JSON.parse(argument) as DrivenSession
const reported = async (path: string) => (await fetch(`${service}/api/v1/${path}`)).json() as Promise<unknown>
const session = await reported("sessions/1")
const laps = (await reported("1/laps")) as ReadonlyArray<{ readonly id: number; readonly lap_number: number }>

const points = recordedPoints(driven)
const pointsOfLap = laps.map((_, index) =>
  points.slice(index * driven.lapPoints, (index + 1) * driven.lapPoints)
)

const header = channels.join(",")
/** As the service writes numbers of continuous channels: with a decimal point, by which readers take a column's type. */
const pointed = (value: number) => (Number.isInteger(value) ? `${value}.0` : `${value}`)

const row = (p: Point) =>
  [
    pointed(p.timestamp),
    pointed(p.speed),
    pointed(p.rpm),
    p.gear,
    ...[p.throttle, p.brake, p.steering, p.position_x, p.position_y, p.position_z].map(pointed)
  ].join(",")

const csv = (some: ReadonlyArray<Point>) => `${[header, ...some.map(row)].join("\r\n")}\r\n`

const range = () =>
  JSON.stringify({
    session_id: 1,
    start_time: points[0]!.timestamp,
    end_time: points.at(-1)!.timestamp,
    points,
    total_points: points.length
  })

const sessionCsv = () => {
  const rows = laps.flatMap(({ lap_number }, index) =>
    pointsOfLap[index]!.map((p) => `${lap_number},${row(p)}`)
  )
  return `${[`lap_number,${header}`, ...rows].join("\r\n")}\r\n`
}

const sessionJson = () =>
  JSON.stringify({ session, laps: laps.map((lap, index) => ({ lap, points: pointsOfLap[index] })) })

const lapTexts = laps.flatMap((lap, index): ReadonlyArray<readonly [string, () => string]> => {
  const some = pointsOfLap[index]!
  return [
    [
      `${lap.id}/telemetry`,
      () => JSON.stringify({ lap_id: lap.id, points: some, total_points: some.length })
    ],
    [`export/json/${lap.id}`, () => JSON.stringify({ lap, session, points: some })],
    [`export/csv/${lap.id}`, () => csv(some)]
  ]
})

const texts = new Map<string, (accept: string) => string>([
  ...lapTexts,
  ["telemetry/range?session_id=1", (accept) => (accept === "text/csv" ? csv(points) : range())],
  ["export/session/1?format=csv", sessionCsv],
  ["export/session/1?format=json", sessionJson]
])

const server = createServer((request, response) => {
  const text = texts.get(request.url!.replace("/api/v1/", ""))
  if (text === undefined) return void response.writeHead(404).end()
  response.end(text(request.headers.accept!))
})
server.listen(0, "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
