/** A circuit prepared for driving: its outline, rounded, smoothed and on a grid of about a metre. */
import invariant from "tiny-invariant"
import { drawings, type CircuitDrawing } from "./circuits.ts"
import { findCorners, type Corner } from "./corners.ts"
import { racingLine } from "./racingLine.ts"
import { periodicBSpline } from "./spline.ts"

/** Across the track, from one end to the other: m, in the points' x and y. */
export interface StartLine {
  readonly x1: number
  readonly y1: number
  readonly x2: number
  readonly y2: number
}

/** The line as columns over nodes; node 0 is on the start line, node `nodes` would be node 0 again. */
export interface Circuit {
  readonly name: string
  /** Along the centre line, m. */
  readonly length: number
  readonly halfWidth: number
  /** Number of nodes, a multiple of three, so that the sectors end on nodes. */
  readonly nodes: number
  /** Metres of centre line from node to node. */
  readonly step: number
  readonly x: Float64Array
  readonly y: Float64Array
  readonly z: Float64Array
  /** The unit normal to the left of the driving direction. */
  readonly normalX: Float64Array
  readonly normalY: Float64Array
  /** Metres left of the centre line where the fastest line runs. */
  readonly racingLine: Float64Array
  readonly corners: ReadonlyArray<Corner>
  readonly startLine: StartLine
}

/** Spacing of the rough outline before it is smoothed, m. */
const OUTLINE_M = 0.5
/** The start line reaches this far beyond the edges, so that a car on the kerb crosses it too, m. */
const LINE_MARGIN_M = 3

interface Outline {
  readonly x: Array<number>
  readonly y: Array<number>
}

const straight = (into: Outline, ax: number, ay: number, bx: number, by: number): void => {
  const steps = Math.max(1, Math.round(Math.hypot(bx - ax, by - ay) / OUTLINE_M))
  for (let k = 0; k < steps; k++) {
    into.x.push(ax + ((bx - ax) * k) / steps)
    into.y.push(ay + ((by - ay) * k) / steps)
  }
}

/** Straights and arcs, evenly spaced, from the start line around to it. */
const outline = (drawing: CircuitDrawing): Outline => {
  const { corners, name } = drawing
  const fillets = corners.map(([x, y, radius], c) => {
    const [px, py] = corners.at(c - 1)!
    const [nx, ny] = corners[(c + 1) % corners.length]!
    const into = Math.atan2(y - py, x - px)
    const turn = Math.atan2(
      Math.sin(Math.atan2(ny - y, nx - x) - into),
      Math.cos(Math.atan2(ny - y, nx - x) - into)
    )
    return { x, y, radius, into, turn, tangent: radius * Math.tan(Math.abs(turn) / 2) }
  })
  const result: Outline = { x: [], y: [] }
  const [first, second] = [fillets[0]!, fillets[1]!]
  const heading = second.into
  const length = Math.hypot(second.x - first.x, second.y - first.y)
  const startX = first.x + Math.cos(heading) * length * drawing.start
  const startY = first.y + Math.sin(heading) * length * drawing.start
  let [x, y] = [startX, startY]
  for (let c = 1; c <= fillets.length; c++) {
    const corner = fillets[c % fillets.length]!
    const entryX = corner.x - Math.cos(corner.into) * corner.tangent
    const entryY = corner.y - Math.sin(corner.into) * corner.tangent
    invariant(
      Math.cos(corner.into) * (entryX - x) + Math.sin(corner.into) * (entryY - y) > 0,
      `${name}: corner ${c % fillets.length} does not fit between its neighbours`
    )
    straight(result, x, y, entryX, entryY)
    const side = Math.sign(corner.turn)
    const centreX = entryX - Math.sin(corner.into) * corner.radius * side
    const centreY = entryY + Math.cos(corner.into) * corner.radius * side
    const steps = Math.max(1, Math.round((corner.radius * Math.abs(corner.turn)) / OUTLINE_M))
    for (let k = 0; k < steps; k++) {
      const angle = corner.into + (corner.turn * k) / steps
      result.x.push(centreX + Math.sin(angle) * corner.radius * side)
      result.y.push(centreY - Math.cos(angle) * corner.radius * side)
    }
    x = centreX + Math.sin(corner.into + corner.turn) * corner.radius * side
    y = centreY - Math.cos(corner.into + corner.turn) * corner.radius * side
  }
  straight(result, x, y, startX, startY)
  return result
}

const around = (row: ReadonlyArray<number>, i: number): number => row[(i + row.length) % row.length]!

/** Three running means over a closed row, nearly a Gaussian: bends begin gently, as roads are built. */
const eased = (values: ReadonlyArray<number>, width: number): ReadonlyArray<number> => {
  const reach = Math.max(1, Math.round(width / OUTLINE_M / 6))
  let row = values
  for (let pass = 0; pass < 3; pass++) {
    let sum = 0
    for (let i = -reach; i <= reach; i++) sum += around(row, i)
    const next: Array<number> = []
    for (let i = 0; i < row.length; i++) {
      next.push(sum / (2 * reach + 1))
      sum += around(row, i + reach + 1) - around(row, i - reach)
    }
    row = next
  }
  return row
}

/** Points at equal distances along a closed row of points. */
const evenly = (x: ReadonlyArray<number>, y: ReadonlyArray<number>) => {
  const along = [0]
  for (let i = 0; i < x.length; i++) {
    const j = (i + 1) % x.length
    along.push(along[i]! + Math.hypot(x[j]! - x[i]!, y[j]! - y[i]!))
  }
  const length = along.at(-1)!
  const nodes = 3 * Math.round(length / 3)
  const column = () => new Float64Array(nodes)
  const even = { length, nodes, step: length / nodes, x: column(), y: column() }
  for (let n = 0, i = 0; n < nodes; n++) {
    const distance = n * even.step
    while (along[i + 1]! <= distance) i++
    const j = (i + 1) % x.length
    const share = (distance - along[i]!) / (along[i + 1]! - along[i]!)
    even.x[n] = x[i]! + share * (x[j]! - x[i]!)
    even.y[n] = y[i]! + share * (y[j]! - y[i]!)
  }
  return even
}

export const buildCircuit = (drawing: CircuitDrawing): Circuit => {
  const rough = outline(drawing)
  const even = evenly(eased(rough.x, drawing.easing), eased(rough.y, drawing.easing))
  const { nodes, x, y } = even
  const z = new Float64Array(nodes)
  const normalX = new Float64Array(nodes)
  const normalY = new Float64Array(nodes)
  for (let n = 0; n < nodes; n++) {
    const before = (n + nodes - 1) % nodes
    const after = (n + 1) % nodes
    const dx = x[after]! - x[before]!
    const dy = y[after]! - y[before]!
    normalX[n] = -dy / Math.hypot(dx, dy)
    normalY[n] = dx / Math.hypot(dx, dy)
    z[n] = periodicBSpline(drawing.heights, (n / nodes) * drawing.heights.length)
  }
  const centre = { ...even, z, normalX, normalY, halfWidth: drawing.halfWidth }
  const line = racingLine(centre)
  const reach = drawing.halfWidth + LINE_MARGIN_M
  return {
    ...centre,
    name: drawing.name,
    racingLine: line,
    corners: findCorners(centre, line),
    startLine: {
      x1: x[0]! + normalX[0]! * reach,
      y1: y[0]! + normalY[0]! * reach,
      x2: x[0]! - normalX[0]! * reach,
      y2: y[0]! - normalY[0]! * reach
    }
  }
}

const built = new Map<string, Circuit>()

export const circuitNames: ReadonlyArray<string> = drawings.map((drawing) => drawing.name)

/** The circuit of that name, ignoring case; computed once, on first use. */
export const circuitNamed = (name: string): Circuit | undefined => {
  const drawing = drawings.find((known) => known.name.toLowerCase() === name.trim().toLowerCase())
  if (drawing === undefined) return undefined
  const circuit = built.get(drawing.name) ?? buildCircuit(drawing)
  built.set(drawing.name, circuit)
  return circuit
}
