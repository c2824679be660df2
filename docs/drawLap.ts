/**
 * Draws a lap as SVG, its track coloured by speed above its speed over the distance: README's picture.
 *
 *   npx tsx docs/drawLap.ts http://127.0.0.1:8080 LAP_ID > docs/lap.svg
 *
 * Also an example of what the REST interface gives a program.
 */
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

const WIDTH = 900
const MAP_HEIGHT = 360
const TRACE_HEIGHT = 150
const MARGIN = 36

const xs = points.map((point) => point.position_x)
const ys = points.map((point) => point.position_y)
const speeds = points.map((point) => point.speed)
const [left, right] = [Math.min(...xs), Math.max(...xs)]
const [bottom, top] = [Math.min(...ys), Math.max(...ys)]
const [slowest, fastest] = [Math.min(...speeds), Math.max(...speeds)]
const scale = Math.min((WIDTH - 2 * MARGIN) / (right - left), (MAP_HEIGHT - MARGIN) / (top - bottom))
const offset = (WIDTH - (right - left) * scale) / 2

/** Dark blue (slow) to yellow (fast): the ends and middle of cividis, which colour-blind people can read. */
const colour = (speed: number) => {
  const share = (speed - slowest) / (fastest - slowest)
  const stops = [
    [0, 34, 78],
    [124, 123, 120],
    [254, 232, 56]
  ] as const
  const at = Math.min(1, Math.floor(share * 2))
  const mix = stops[at]!.map((low, i) => Math.round(low + (stops[at + 1]![i]! - low) * (share * 2 - at)))
  return `rgb(${mix.join(",")})`
}

const mapX = (x: number) => (offset + (x - left) * scale).toFixed(1)
const mapY = (y: number) => (MARGIN + (top - y) * scale).toFixed(1)

const distances = [0]
for (let i = 1; i < points.length; i++) {
  distances.push(distances[i - 1]! + Math.hypot(xs[i]! - xs[i - 1]!, ys[i]! - ys[i - 1]!))
}
const length = distances.at(-1)!
const traceX = (metres: number) => (MARGIN + (metres / length) * (WIDTH - 2 * MARGIN)).toFixed(1)
const traceY = (speed: number) =>
  (MAP_HEIGHT + MARGIN + TRACE_HEIGHT - (speed / fastest) * TRACE_HEIGHT).toFixed(1)

const segments = points.slice(1).map((point, i) => {
  const [from, to] = [points[i]!, point]
  return `<line x1="${mapX(from.position_x)}" y1="${mapY(from.position_y)}" x2="${mapX(to.position_x)}" y2="${mapY(to.position_y)}" stroke="${colour(to.speed)}"/>`
})
const trace = points.map((point, i) => `${traceX(distances[i]!)},${traceY(point.speed)}`).join(" ")
const title = `${session.circuit} · ${session.vehicle} · ${session.driver} · lap ${lap.lap_number} in ${lap.lap_time.toFixed(3)} s`

console.log(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${MAP_HEIGHT + TRACE_HEIGHT + 3 * MARGIN}" font-family="sans-serif" font-size="15" fill="#333">
<rect width="100%" height="100%" fill="#fff"/>
<text x="${MARGIN}" y="24">${title}</text>
<g stroke-width="7" stroke-linecap="round">${segments.join("")}</g>
<line x1="${MARGIN}" x2="${WIDTH - MARGIN}" y1="${traceY(0)}" y2="${traceY(0)}" stroke="#999"/>
<polyline fill="none" stroke="#00224e" stroke-width="2" points="${trace}"/>
<text x="${MARGIN}" y="${Number(traceY(fastest)) - 6}">${fastest.toFixed(0)} km/h</text>
<text x="${WIDTH - MARGIN}" y="${Number(traceY(0)) + 20}" text-anchor="end">${(length / 1000).toFixed(2)} km</text>
</svg>`)
