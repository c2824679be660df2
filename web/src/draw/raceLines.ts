/** The lines of several laps around a place, with the points where they begin to brake. Metres on the ground, y up. */
import { room } from "./diagrams.ts"

export interface RaceLine {
  readonly x: ReadonlyArray<number | null>
  readonly y: ReadonlyArray<number | null>
  /** The nodes at which braking begins. */
  readonly brakes: ReadonlyArray<number>
  /** The node at the cursor; undefined: the lap has ended there. */
  readonly at: number | undefined
  readonly stroke: string
  readonly dash: ReadonlyArray<number>
}

const DOT = 5

/** `reach`: what is seen to each side of the middle, m, in the shorter direction. */
export const drawRaceLines = (
  canvas: HTMLCanvasElement,
  lines: ReadonlyArray<RaceLine>,
  reach: number,
  look: { readonly text: string; readonly edge: string }
): void => {
  const { context, height, width } = room(canvas)
  const middle = lines.find(({ at, x, y }) => at !== undefined && x[at] !== null && y[at] !== null)
  if (middle === undefined) return
  const [middleX, middleY] = [middle.x[middle.at!]!, middle.y[middle.at!]!]
  const scale = Math.min(width, height) / 2 / reach
  const left = (x: number) => width / 2 + (x - middleX) * scale
  const top = (y: number) => height / 2 - (y - middleY) * scale
  for (const { dash, stroke, x, y } of lines) {
    context.beginPath()
    let wasKnown = false
    for (let n = 0; n < x.length; n++) {
      const isKnown = x[n] !== null && y[n] !== null
      if (isKnown && wasKnown) context.lineTo(left(x[n]!), top(y[n]!))
      else if (isKnown) context.moveTo(left(x[n]!), top(y[n]!))
      wasKnown = isKnown
    }
    context.strokeStyle = stroke
    context.lineWidth = 1.5
    context.setLineDash([...dash])
    context.stroke()
  }
  context.setLineDash([])
  const place = (line: RaceLine, node: number, draw: (left: number, top: number) => void) => {
    const [x, y] = [line.x[node] ?? null, line.y[node] ?? null]
    if (x !== null && y !== null) draw(left(x), top(y))
  }
  for (const line of lines) {
    context.strokeStyle = line.stroke
    context.fillStyle = line.stroke
    context.lineWidth = 2
    for (const node of line.brakes) {
      // A cross, which differs from a car also without colours.
      place(line, node, (x, y) => {
        context.beginPath()
        context.moveTo(x - DOT, y - DOT)
        context.lineTo(x + DOT, y + DOT)
        context.moveTo(x - DOT, y + DOT)
        context.lineTo(x + DOT, y - DOT)
        context.stroke()
      })
    }
    if (line.at === undefined) continue
    place(line, line.at, (x, y) => {
      context.beginPath()
      context.arc(x, y, DOT, 0, 2 * Math.PI)
      context.fill()
      context.strokeStyle = look.edge
      context.stroke()
    })
  }
  scaleBar(context, scale, height, look.text)
}

const BAR_M = 20

const scaleBar = (context: CanvasRenderingContext2D, scale: number, height: number, text: string) => {
  context.strokeStyle = text
  context.fillStyle = text
  context.lineWidth = 1
  context.font = "11px sans-serif"
  context.beginPath()
  context.moveTo(10, height - 10)
  context.lineTo(10 + BAR_M * scale, height - 10)
  context.stroke()
  context.fillText(`${BAR_M} m`, 10, height - 15)
}
