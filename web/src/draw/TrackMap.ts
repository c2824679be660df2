/**
 * A circuit on a canvas, from positions in metres, y up: never mirrored, but turned by a quarter where that fills the
 * room better. The line is drawn when it changes; cars are elements that the compositor moves over it.
 */
import { colour } from "../theme.ts"
import { type Bounds, boundsOf, isWithin, withRoom } from "./bounds.ts"

/** A place that is NaN is unknown. */
export interface TrackLine {
  readonly x: ArrayLike<number>
  readonly y: ArrayLike<number>
  /** A colour for each point; undefined draws the whole line in one. */
  readonly colours?: ReadonlyArray<string> | undefined
  /** Whether the gap between the last point and the first is closed. */
  readonly closed?: boolean | undefined
  /** Whether unknown places interrupt the line; otherwise it goes on straight to the next known one. */
  readonly interrupted?: boolean | undefined
  /** The line will grow: the map keeps its scale while the line fits. */
  readonly growing?: boolean | undefined
}

export interface TrackMark {
  readonly x: number
  readonly y: number
  readonly text: string
}

export interface Car {
  readonly x: number
  readonly y: number
  readonly fill: string
  readonly radius: number
  /** Text next to the car; undefined: none. */
  readonly label?: string | undefined
}

export interface MapLook {
  readonly line: string
  readonly edge: string
  readonly text: string
  readonly width: number
  readonly font: number
}

const MARGIN = 22
const defaultLook = (): MapLook => ({
  line: colour("muted"),
  edge: colour("bg"),
  text: colour("text"),
  width: 5,
  font: 11
})

export class TrackMap {
  readonly #holder: HTMLElement
  readonly #base: HTMLCanvasElement
  readonly #cars: Array<HTMLElement> = []
  /** The look that each car had when it was last drawn. */
  readonly #looks: Array<string> = []
  readonly #resized: ResizeObserver
  readonly #look: () => MapLook
  #line: TrackLine | undefined
  #marks: ReadonlyArray<TrackMark> = []
  #edge = ""
  /** The room that a growing line has. */
  #grown: Bounds | undefined
  #scale = 1
  #turned = false
  #offsetX = 0
  #offsetY = 0
  /** Called after a resize, so that the layers above draw again. */
  onResize = () => {}

  constructor(holder: HTMLElement, look: () => MapLook = defaultLook) {
    this.#look = look
    this.#holder = holder
    this.#base = holder.appendChild(document.createElement("canvas"))
    this.#resized = new ResizeObserver(() => {
      this.#draw()
      this.onResize()
    })
    this.#resized.observe(holder)
  }

  close(): void {
    this.#resized.disconnect()
    this.#base.remove()
    this.showCars([])
  }

  show(line: TrackLine | undefined, marks: ReadonlyArray<TrackMark> = []): void {
    this.#line = line
    this.#marks = marks
    this.#draw()
  }

  /** Where a position is on the canvas, CSS pixels. */
  left(x: number, y: number): number {
    return this.#offsetX + this.#scale * (this.#turned ? -y : x)
  }

  top(x: number, y: number): number {
    return this.#offsetY - this.#scale * (this.#turned ? x : y)
  }

  /** Sets the cars; later ones lie above earlier ones. */
  showCars(cars: ReadonlyArray<Car>): void {
    while (this.#cars.length > cars.length) this.#cars.pop()!.remove()
    this.#looks.length = Math.min(this.#looks.length, cars.length)
    for (const [k, { fill, label = "", radius, x, y }] of cars.entries()) {
      const car = (this.#cars[k] ??= this.#park())
      const reach = radius + 1
      // Whole pixels: an image between pixels would be blurred.
      const left = Math.round(this.left(x, y) - reach)
      const top = Math.round(this.top(x, y) - reach)
      const look = `width: ${2 * reach}px; height: ${2 * reach}px; background: ${fill}; border-color: ${this.#edge}`
      // Written only when it changes, because each write makes the browser compute styles.
      if (this.#looks[k] !== look) car.style.cssText = this.#looks[k] = look
      if (car.dataset["label"] !== label) car.dataset["label"] = label
      car.style.transform = `translate(${left}px, ${top}px)`
    }
  }

  #park(): HTMLElement {
    const car = this.#holder.appendChild(document.createElement("i"))
    car.className = "car"
    return car
  }

  #room(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
    const ratio = window.devicePixelRatio
    canvas.width = Math.round(canvas.clientWidth * ratio)
    canvas.height = Math.round(canvas.clientHeight * ratio)
    const context = canvas.getContext("2d")!
    context.scale(ratio, ratio)
    return context
  }

  #fit(line: TrackLine): void {
    let bounds = boundsOf(line)
    if (line.growing === true) {
      if (!isWithin(bounds, this.#grown)) this.#grown = withRoom(bounds)
      bounds = this.#grown!
    } else this.#grown = undefined
    const { bottom, left, right, top } = bounds
    const width = Math.max(10, this.#base.clientWidth - 2 * MARGIN)
    const height = Math.max(10, this.#base.clientHeight - 2 * MARGIN)
    const across = Math.max(1, right - left)
    const along = Math.max(1, top - bottom)
    const upright = Math.min(width / across, height / along)
    const turned = Math.min(width / along, height / across)
    // The map turns only for a large gain, because users know the circuit with north up.
    this.#turned = line.growing !== true && turned > 1.15 * upright
    this.#scale = this.#turned ? turned : upright
    const middleX = (left + right) / 2
    const middleY = (bottom + top) / 2
    this.#offsetX = this.#base.clientWidth / 2 - this.#scale * (this.#turned ? -middleY : middleX)
    this.#offsetY = this.#base.clientHeight / 2 + this.#scale * (this.#turned ? middleX : middleY)
  }

  #draw(): void {
    const context = this.#room(this.#base)
    const line = this.#line
    if (line === undefined || line.x.length < 2) return
    this.#fit(line)
    const look = this.#look()
    this.#edge = look.edge
    context.lineJoin = "round"
    context.lineCap = "round"
    this.#trace(context, line)
    context.strokeStyle = look.edge
    context.lineWidth = look.width + 4
    context.stroke()
    if (line.colours === undefined) {
      context.strokeStyle = look.line
      context.lineWidth = look.width
      context.stroke()
    } else this.#colourful(context, line, line.colours, look.width)
    // A line that grows begins where the page joined.
    if (line.growing !== true) this.#finish(context, line, look)
    for (const mark of this.#marks) this.#write(context, mark, look)
  }

  #trace(context: CanvasRenderingContext2D, line: TrackLine): void {
    context.beginPath()
    this.#follow(context, line, 0, line.x.length - 1)
    if (line.closed === true) context.closePath()
  }

  /** Adds a part of the line to the path. */
  #follow(context: CanvasRenderingContext2D, line: TrackLine, from: number, to: number): void {
    const { interrupted, x, y } = line
    let wasKnown = false
    for (let k = from; k <= to; k++) {
      const isKnown = !Number.isNaN(x[k]! + y[k]!)
      if (isKnown && !wasKnown && interrupted === true) {
        context.moveTo(this.left(x[k]!, y[k]!), this.top(x[k]!, y[k]!))
      } else if (isKnown) context.lineTo(this.left(x[k]!, y[k]!), this.top(x[k]!, y[k]!))
      wasKnown = isKnown
    }
  }

  /** Consecutive points of one colour are one stroke. */
  #colourful(
    context: CanvasRenderingContext2D,
    line: TrackLine,
    colours: ReadonlyArray<string>,
    width: number
  ): void {
    const { x } = line
    context.lineWidth = width
    for (let from = 0; from < x.length - 1;) {
      let to = from + 1
      while (to < x.length - 1 && colours[to] === colours[from]) to++
      context.beginPath()
      this.#follow(context, line, from, to)
      context.strokeStyle = colours[from]!
      context.stroke()
      from = to
    }
  }

  /** The line, across the track at its first point. */
  #finish(context: CanvasRenderingContext2D, { x, y }: TrackLine, look: MapLook): void {
    const k = Math.min(5, x.length - 1)
    const dx = this.left(x[k]!, y[k]!) - this.left(x[0]!, y[0]!)
    const dy = this.top(x[k]!, y[k]!) - this.top(x[0]!, y[0]!)
    const size = Math.hypot(dx, dy) || 1
    const reach = look.width + 4
    const left = this.left(x[0]!, y[0]!)
    const top = this.top(x[0]!, y[0]!)
    context.beginPath()
    context.moveTo(left - (dy / size) * reach, top + (dx / size) * reach)
    context.lineTo(left + (dy / size) * reach, top - (dx / size) * reach)
    context.strokeStyle = look.text
    context.lineWidth = 3
    context.stroke()
  }

  #write(context: CanvasRenderingContext2D, { x, y, text }: TrackMark, look: MapLook): void {
    context.font = `600 ${look.font}px sans-serif`
    context.textAlign = "center"
    context.textBaseline = "middle"
    context.lineWidth = 4
    context.strokeStyle = look.edge
    context.strokeText(text, this.left(x, y), this.top(x, y))
    context.fillStyle = look.text
    context.fillText(text, this.left(x, y), this.top(x, y))
  }
}
