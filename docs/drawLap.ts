/**
 * Draws a lap as SVG, its track coloured by speed above its speed over the distance: README's picture.
 *
 *   npx tsx docs/drawLap.ts http://127.0.0.1:8080 LAP_ID > docs/lap.svg
 *
 * Also an example of what the REST interface gives a program.
 */
import { across, axis, colouredCurve, curve, frame, grid, mapInto, picture, ramp, WIDTH } from "./plot.ts"

interface Point {
  readonly timestamp: number
  readonly speed: number
  readonly position_x: number
  readonly position_y: number
}

const [service = "http://127.0.0.1:8080", lapId = "1"] = process.argv.slice(2)

const get = async <A>(path: string): Promise<A> => {
  const response = await fetch(`${service}/api/v1${path}`)
  const body: unknown = await response.json()
  if (!response.ok) throw new Error((body as { readonly detail: string }).detail)
  return body as A
}

const lap = await get<{
  readonly session_id: number
  readonly lap_number: number
  readonly lap_time: number
}>(`/${lapId}`)
const session = await get<{ readonly circuit: string; readonly vehicle: string; readonly driver: string }>(
  `/sessions/${lap.session_id}`
)
const { points } = await get<{ readonly points: ReadonlyArray<Point> }>(`/${lapId}/telemetry?sample_rate=12`)

const xs = points.map((point) => point.position_x)
const ys = points.map((point) => point.position_y)
const speeds = points.map((point) => point.speed)
const [slowest, fastest] = [Math.min(...speeds), Math.max(...speeds)]

const distances = [0]
for (let i = 1; i < points.length; i++) {
  distances.push(distances[i - 1]! + Math.hypot(xs[i]! - xs[i - 1]!, ys[i]! - ys[i - 1]!))
}

/** Dark blue (slow) to yellow (fast): the ends and middle of cividis, which colour-blind people can read. */
const colour = ramp([
  [0, 34, 78],
  [124, 123, 120],
  [254, 232, 56]
])
const { place } = mapInto({ left: 36, right: WIDTH - 36, top: 44, bottom: 360 }, xs, ys)
const below = frame(396, 150)
const x = across(below, 0, distances.at(-1)! / 1000)
const y = axis(0, fastest * 1.05, below.bottom, below.top)
const title = `${session.circuit} · ${session.vehicle} · ${session.driver} · lap ${lap.lap_number} in ${lap.lap_time.toFixed(3)} s`

process.stdout.write(
  picture(594, title, [
    colouredCurve(
      points.map((point) => place(point.position_x, point.position_y)),
      speeds.slice(1).map((speed) => colour((speed - slowest) / (fastest - slowest))),
      7
    ),
    grid(
      below,
      { axis: x, name: "distance from the line, km", show: (value) => value.toFixed(1) },
      { axis: y, name: "speed, km/h", about: 4 }
    ),
    curve(
      speeds.map((speed, i) => [x(distances[i]! / 1000), y(speed)] as const),
      "#00224e",
      { "stroke-width": "2" }
    )
  ])
)
