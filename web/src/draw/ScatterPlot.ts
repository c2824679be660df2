/**
 * One channel against another, a dot for each point. Dots are written into the canvas's pixels, so that 100,000 of them take some
 * milliseconds; the cursor is an element above them. The nearest point is found by looking at all.
 */
import { type Bounds, boundsOf } from "./bounds.ts"
import { marksBetween } from "./scale.ts"

export interface ScatterData {
  readonly x: Float64Array
  readonly y: Float64Array
  /** The index of each point's colour in `colours`. */
  readonly colourOf: Uint8Array
  /** CSS colours, at most 256. */
  readonly colours: ReadonlyArray<string>
  /** Both axes have the same scale, as forces do. */
  readonly square: boolean
}

export interface ScatterLook {
  readonly line: string
  readonly text: string
  readonly mark: (value: number) => string
}

const LEFT = 52
const BOTTOM = 24
const TOP = 10
const RIGHT = 12
/** Room around the values, as a share of their range. */
const MARGIN = 0.03
const DOT = 2
/** The points are drawn in so many turns, each over the whole time. */
const TURNS = 16
/** Pixels between two marks of an axis, at least. */
const MARK_ROOM = 56
/** A pointer that is farther than this from any point, px, points at none. */
const NEAR = 30

const known = (low: number, high: number): readonly [number, number] =>
  low > high ? [0, 1] : low === high ? [low - 1, high + 1] : [low, high]

/** The range of an axis with room around the values. */
const roomy = (low: number, high: number): readonly [number, number] => {
  const [from, to] = known(low, high)
  return [from - MARGIN * (to - from), to + MARGIN * (to - from)]
}

const rangesOf = ({ square, x, y }: ScatterData, width: number, height: number): Bounds => {
  const { bottom, left, right, top } = boundsOf({ x, y })
  const [fromX, toX] = roomy(left, right)
  const [fromY, toY] = roomy(bottom, top)
  if (!square) return { left: fromX, right: toX, bottom: fromY, top: toY }
  const each = Math.max((toX - fromX) / width, (toY - fromY) / height) / 2
  const [middleX, middleY] = [(fromX + toX) / 2, (fromY + toY) / 2]
  return {
    left: middleX - each * width,
    right: middleX + each * width,
    bottom: middleY - each * height,
    top: middleY + each * height
  }
}

export class ScatterPlot {
  readonly #canvas: HTMLCanvasElement
  readonly #dot: HTMLElement
  readonly #resized: ResizeObserver
  #data: ScatterData | undefined
  #look: ScatterLook | undefined
  #range: Bounds = { left: 0, right: 1, bottom: 0, top: 1 }
  #at: number | undefined

  constructor(holder: HTMLElement) {
    this.#canvas = holder.appendChild(document.createElement("canvas"))
    this.#dot = holder.appendChild(document.createElement("i"))
    this.#dot.className = "scatter-cursor"
    this.#dot.hidden = true
    this.#resized = new ResizeObserver(() => this.#draw())
    this.#resized.observe(holder)
  }

  close(): void {
    this.#resized.disconnect()
    this.#canvas.remove()
    this.#dot.remove()
  }

  show(data: ScatterData, look: ScatterLook): void {
    this.#data = data
    this.#look = look
    this.#draw()
  }

  /** Marks a point; undefined: none. */
  point(at: number | undefined): void {
    this.#at = at
    const data = this.#data
    const isKnown = data !== undefined && at !== undefined && !Number.isNaN(data.x[at]! + data.y[at]!)
    this.#dot.hidden = !isKnown
    if (!isKnown) return
    this.#dot.style.transform = `translate(${this.#left(data.x[at]!)}px, ${this.#top(data.y[at]!)}px)`
  }

  /** The point nearest to a place on the canvas, CSS pixels; undefined: none is near. */
  nearest(left: number, top: number): number | undefined {
    const data = this.#data
    if (data === undefined) return undefined
    const { x, y } = data
    const [scaleX, scaleY] = [this.#left(1) - this.#left(0), this.#top(1) - this.#top(0)]
    const [zeroX, zeroY] = [this.#left(0) - left, this.#top(0) - top]
    let found: number | undefined
    let least = NEAR * NEAR
    for (let k = 0; k < x.length; k++) {
      const across = x[k]! * scaleX + zeroX
      const down = y[k]! * scaleY + zeroY
      const distance = across * across + down * down
      // False for unknown values, which are NaN.
      if (distance < least) {
        least = distance
        found = k
      }
    }
    return found
  }

  get #width(): number {
    return Math.max(20, this.#canvas.clientWidth - LEFT - RIGHT)
  }

  get #height(): number {
    return Math.max(20, this.#canvas.clientHeight - TOP - BOTTOM)
  }

  #left(value: number): number {
    const { left, right } = this.#range
    return LEFT + (this.#width * (value - left)) / (right - left)
  }

  #top(value: number): number {
    const { bottom, top } = this.#range
    return TOP + this.#height * (1 - (value - bottom) / (top - bottom))
  }

  #draw(): void {
    const canvas = this.#canvas
    const data = this.#data
    const look = this.#look
    if (data === undefined || look === undefined || canvas.clientWidth === 0) return
    const ratio = window.devicePixelRatio
    canvas.width = Math.round(canvas.clientWidth * ratio)
    canvas.height = Math.round(canvas.clientHeight * ratio)
    const context = canvas.getContext("2d", { willReadFrequently: true })!
    this.#range = rangesOf(data, this.#width, this.#height)
    this.#axes(context, look, ratio)
    this.#dots(context, data, ratio)
    this.point(this.#at)
  }

  #axes(context: CanvasRenderingContext2D, look: ScatterLook, ratio: number): void {
    const { bottom, left, right, top } = this.#range
    context.setTransform(ratio, 0, 0, ratio, 0, 0)
    context.strokeStyle = look.line
    context.fillStyle = look.text
    context.font = "11px sans-serif"
    context.beginPath()
    context.textAlign = "center"
    for (const value of marksBetween(left, right, this.#width / MARK_ROOM)) {
      const x = Math.round(this.#left(value)) + 0.5
      context.moveTo(x, TOP)
      context.lineTo(x, TOP + this.#height)
      context.fillText(look.mark(value), x, TOP + this.#height + 16)
    }
    context.textAlign = "right"
    for (const value of marksBetween(bottom, top, this.#height / MARK_ROOM)) {
      const y = Math.round(this.#top(value)) + 0.5
      context.moveTo(LEFT, y)
      context.lineTo(LEFT + this.#width, y)
      context.fillText(look.mark(value), LEFT - 6, y + 4)
    }
    context.stroke()
  }

  /** Writes the dots over what the canvas has. */
  #dots(context: CanvasRenderingContext2D, { colourOf, colours, x, y }: ScatterData, ratio: number): void {
    const image = context.getImageData(0, 0, context.canvas.width, context.canvas.height)
    const { height, width } = image
    const pixels = new Uint32Array(image.data.buffer)
    const inks = Uint32Array.from(colours, inkOf)
    const size = Math.max(1, Math.round(DOT * ratio))
    const half = size >> 1
    const [zeroX, zeroY] = [this.#left(0) * ratio - half, this.#top(0) * ratio - half]
    const [scaleX, scaleY] = [(this.#left(1) - this.#left(0)) * ratio, (this.#top(1) - this.#top(0)) * ratio]
    // In turns: drawn one after another, the last lap would hide the others.
    for (let turn = 0; turn < TURNS; turn++) {
      for (let k = turn; k < x.length; k += TURNS) {
        const left = Math.round(x[k]! * scaleX + zeroX)
        const top = Math.round(y[k]! * scaleY + zeroY)
        if (!(left >= 0 && top >= 0 && left + size <= width && top + size <= height)) continue
        const ink = inks[colourOf[k]!]!
        for (let row = top; row < top + size; row++) {
          for (let column = left; column < left + size; column++) pixels[row * width + column] = ink
        }
      }
    }
    context.putImageData(image, 0, 0)
  }
}

/** The bytes of an opaque colour `#rrggbb` as a pixel has them in memory: red first. */
const inkOf = (colour: string): number => {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
  return ((255 << 24) | (blue! << 16) | (green! << 8) | red!) >>> 0
}

/** So many colours are a scale without visible steps. */
export const SHADES = 64

/** Colours between those given, `#rrggbb`, the first and the last among them. */
export const shadesOf = (stops: ReadonlyArray<string>): ReadonlyArray<string> =>
  Array.from({ length: SHADES }, (_, k) => {
    const at = (k / (SHADES - 1)) * (stops.length - 1)
    const [one, other] = [stops[Math.floor(at)]!, stops[Math.ceil(at)]!]
    const parts = [1, 3, 5].map((from) => {
      const [low, high] = [one, other].map((colour) => Number.parseInt(colour.slice(from, from + 2), 16))
      return Math.round(low! + (high! - low!) * (at % 1))
        .toString(16)
        .padStart(2, "0")
    })
    return `#${parts.join("")}`
  })

/** The shade of each value between the extremes; an unknown one has the number after the last. */
export const shadeOf = (values: Float64Array, low: number, high: number): Uint8Array =>
  Uint8Array.from(values, (value) =>
    Number.isNaN(value)
      ? SHADES
      : Math.max(0, Math.min(SHADES - 1, Math.floor(((value - low) / (high - low || 1)) * SHADES)))
  )
