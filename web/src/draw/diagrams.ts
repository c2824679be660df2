/** Diagrams on a canvas of the size that its style gives it: forces against each other, and shares of a lap's time. */
import { percent } from "../format.ts"

export interface DiagramLook {
  readonly line: string
  readonly text: string
}

/** Share of the time (0 to 1) in each bin between two edges; values beyond the outer edges count in the outer bins. */
export const distribution = (
  values: ReadonlyArray<number | null>,
  weights: ArrayLike<number>,
  edges: ReadonlyArray<number>
): ReadonlyArray<number> => {
  const sums = Array.from({ length: edges.length - 1 }, () => 0)
  const width = edges[1]! - edges[0]!
  let total = 0
  for (const [n, value] of values.entries()) {
    if (value === null) continue
    const bin = Math.floor((value - edges[0]!) / width)
    sums[Math.min(sums.length - 1, Math.max(0, bin))]! += weights[n]!
    total += weights[n]!
  }
  return total === 0 ? sums : sums.map((sum) => sum / total)
}

/** Widths of bins of velocities, mm/s: round numbers. */
const WIDTHS = [1, 2, 5, 10, 20, 25, 50, 100]
/** To each side of 0. */
const BINS = 12
/** This share of the values lies within the outer edges: the few beyond, over kerbs, count in the outer bins. */
const WITHIN = 0.98

/** Edges of bins that are as narrow as the values allow, the same to both sides of 0. */
export const edgesAround0 = (columns: ReadonlyArray<ReadonlyArray<number | null>>): ReadonlyArray<number> => {
  const sizes = Float64Array.from(
    columns.flatMap((column) => column.filter((value) => value !== null).map(Math.abs))
  ).sort()
  const most = sizes[Math.floor(WITHIN * (sizes.length - 1))] ?? 0
  const width = WIDTHS.find((one) => one * BINS >= most) ?? WIDTHS.at(-1)!
  return Array.from({ length: 2 * BINS + 1 }, (_, k) => (k - BINS) * width)
}

const FONT = "11px sans-serif"

/** Clears the canvas and fits it to its place on the page; lengths are CSS pixels. */
export const room = (canvas: HTMLCanvasElement) => {
  const ratio = window.devicePixelRatio
  const [width, height] = [canvas.clientWidth, canvas.clientHeight]
  canvas.width = Math.round(width * ratio)
  canvas.height = Math.round(height * ratio)
  const context = canvas.getContext("2d")!
  context.scale(ratio, ratio)
  context.font = FONT
  return { context, width, height }
}

export interface Forces {
  readonly across: ReadonlyArray<number | null>
  readonly along: ReadonlyArray<number | null>
  readonly stroke: string
}

/** Only every few nodes are drawn, and those of all laps in turn: no lap hides another. */
const EACH = 2
const DOT = 2

/** g across to the right and along upwards, in circles of whole g. */
export const drawForces = (
  canvas: HTMLCanvasElement,
  laps: ReadonlyArray<Forces>,
  look: DiagramLook
): void => {
  const { context, height, width } = room(canvas)
  const most = laps.reduce((top, { across, along }) => {
    for (const [n, g] of across.entries()) top = Math.max(top, Math.abs(g ?? 0), Math.abs(along[n] ?? 0))
    return top
  }, 1)
  const circles = Math.ceil(most)
  const scale = (Math.min(width, height) / 2 - 14) / circles
  const [middleX, middleY] = [width / 2, height / 2]
  context.strokeStyle = look.line
  context.fillStyle = look.text
  for (let g = 1; g <= circles; g++) {
    context.beginPath()
    context.arc(middleX, middleY, g * scale, 0, 2 * Math.PI)
    context.stroke()
    context.fillText(`${g} g`, middleX + 3, middleY - g * scale - 2)
  }
  context.beginPath()
  context.moveTo(middleX - circles * scale, middleY)
  context.lineTo(middleX + circles * scale, middleY)
  context.moveTo(middleX, middleY - circles * scale)
  context.lineTo(middleX, middleY + circles * scale)
  context.stroke()
  context.globalAlpha = 0.7
  const nodes = Math.max(...laps.map(({ across }) => across.length))
  for (let n = 0; n < nodes; n += EACH) {
    for (let turn = 0; turn < laps.length; turn++) {
      const { across, along, stroke } = laps[(n / EACH + turn) % laps.length]!
      const [x, y] = [across[n] ?? null, along[n] ?? null]
      if (x === null || y === null) continue
      context.fillStyle = stroke
      context.fillRect(middleX + x * scale - DOT / 2, middleY - y * scale - DOT / 2, DOT, DOT)
    }
  }
}

export interface Shares {
  readonly shares: ReadonlyArray<number>
  readonly stroke: string
  /** A dash pattern of the canvas; empty: a solid line. */
  readonly dash: ReadonlyArray<number>
}

/** Distance of the grid's lines, as a share: round numbers. */
const STEPS = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2]
const MAX_LINES = 5
const LEFT = 40
const BOTTOM = 20
const RIGHT = 16

/** Where a bin is drawn, as a style. */
export const placeOfBin = (bin: number, bins: number) => ({
  left: `calc(${LEFT}px + (100% - ${LEFT + RIGHT}px) * ${bin / bins})`,
  width: `calc((100% - ${LEFT + RIGHT}px) * ${1 / bins})`
})

/** The bin under the pointer; undefined: none. */
export const binUnder = (of: Element, clientX: number, bins: number): number | undefined => {
  const across = clientX - of.getBoundingClientRect().left - LEFT
  const bin = Math.floor((across / (of.clientWidth - RIGHT - LEFT)) * bins)
  return bin >= 0 && bin < bins ? bin : undefined
}

/** A stepped line for each lap; `edges`: the texts below the bins. */
export const drawShares = (
  canvas: HTMLCanvasElement,
  laps: ReadonlyArray<Shares>,
  edges: ReadonlyArray<string>,
  look: DiagramLook
): void => {
  const { context, height, width } = room(canvas)
  const top = Math.max(0.01, ...laps.flatMap(({ shares }) => shares)) * 1.05
  const right = width - RIGHT
  const floor = height - BOTTOM
  const x = (edge: number) => LEFT + ((right - LEFT) * edge) / (edges.length - 1)
  const y = (share: number) => floor - (floor - 10) * (share / top)
  context.strokeStyle = look.line
  context.fillStyle = look.text
  context.textAlign = "right"
  const step = STEPS.find((size) => size * MAX_LINES >= top) ?? STEPS.at(-1)!
  for (let line = 0; line * step <= top; line++) {
    const share = line * step
    context.beginPath()
    context.moveTo(LEFT, y(share))
    context.lineTo(right, y(share))
    context.stroke()
    context.fillText(percent(share, step < 0.01 ? 1 : 0), LEFT - 5, y(share) + 4)
  }
  context.textAlign = "center"
  // As many as have room.
  const each = Math.max(1, Math.ceil(edges.length / ((right - LEFT) / 38)))
  for (const [k, edge] of edges.entries()) if (k % each === 0) context.fillText(edge, x(k), height - 5)
  for (const { dash, shares, stroke } of laps) {
    context.beginPath()
    for (const [bin, share] of shares.entries()) {
      context.lineTo(x(bin), y(share))
      context.lineTo(x(bin + 1), y(share))
    }
    context.strokeStyle = stroke
    context.lineWidth = 1.5
    context.setLineDash([...dash])
    context.stroke()
  }
}
