/**
 * The few functions of a plotting library that docs' pictures need, as SVG text. A picture has a white background of its
 * own, so that it is legible on a dark page too; its colours are those of Okabe and Ito, which colour-blind
 * people can distinguish.
 */

export const WIDTH = 900
export const INK = "#222"
export const FAINT = "#bbb"
export const BLUE = "#0072b2"
export const RED = "#d55e00"
export const GREEN = "#009e73"
export const AMBER = "#e69f00"
export const PURPLE = "#cc79a7"

export type Place = readonly [x: number, y: number]
type Attributes = Readonly<Record<string, string | number>>

const digits = (value: number) => String(Math.round(value * 10) / 10)

const written = (attributes: Attributes) =>
  Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${typeof value === "number" ? digits(value) : value}"`)
    .join("")

const escaped = (words: string) => words.replaceAll("&", "&amp;").replaceAll("<", "&lt;")

export const text = (x: number, y: number, words: string, attributes: Attributes = {}): string =>
  `<text${written({ x, y, ...attributes })}>${escaped(words)}</text>`

export const line = ([x1, y1]: Place, [x2, y2]: Place, stroke: string, attributes: Attributes = {}): string =>
  `<line${written({ x1, y1, x2, y2, stroke, ...attributes })}/>`

export const rect = (from: Place, to: Place, fill: string, attributes: Attributes = {}): string =>
  `<rect${written({ x: from[0], y: from[1], width: to[0] - from[0], height: to[1] - from[1], fill, ...attributes })}/>`

export const dot = ([cx, cy]: Place, fill: string, attributes: Attributes = {}): string =>
  `<circle${written({ cx, cy, r: 3.5, fill, ...attributes })}/>`

/**
 * The places that suffice to draw a line within `tolerance` pixels of all places (Ramer 1972, Douglas and
 * Peucker 1973).
 */
export const thinned = (places: ReadonlyArray<Place>, tolerance = 0.25): ReadonlyArray<Place> => {
  const kept = new Uint8Array(places.length)
  kept[0] = 1
  kept[places.length - 1] = 1
  const open: Array<readonly [number, number]> = [[0, places.length - 1]]
  for (let piece = open.pop(); piece !== undefined; piece = open.pop()) {
    const [from, to] = piece
    const [x, y] = places[from]!
    const [dx, dy] = [places[to]![0] - x, places[to]![1] - y]
    const length = Math.hypot(dx, dy)
    let furthest = from
    let most = tolerance
    for (let i = from + 1; i < to; i++) {
      const [px, py] = [places[i]![0] - x, places[i]![1] - y]
      const off = length > 0 ? Math.abs(dx * py - dy * px) / length : Math.hypot(px, py)
      if (off > most) {
        most = off
        furthest = i
      }
    }
    if (furthest === from) continue
    kept[furthest] = 1
    open.push([from, furthest], [furthest, to])
  }
  return places.filter((_, i) => kept[i] === 1)
}

const row = (places: ReadonlyArray<Place>) => places.map(([x, y]) => `${digits(x)},${digits(y)}`).join(" ")

export const curve = (places: ReadonlyArray<Place>, stroke: string, attributes: Attributes = {}): string =>
  `<polyline${written({ fill: "none", stroke, "stroke-width": "1.6", ...attributes, points: row(thinned(places)) })}/>`

export const area = (places: ReadonlyArray<Place>, fill: string, attributes: Attributes = {}): string =>
  `<polygon${written({ fill, ...attributes, points: row(thinned(places)) })}/>`

/** A line whose pieces have colours of their own: pieces of one colour are drawn as one. */
export const colouredCurve = (
  places: ReadonlyArray<Place>,
  colours: ReadonlyArray<string>,
  width: number
): string => {
  const pieces: Array<string> = []
  for (let from = 0; from + 1 < places.length;) {
    let to = from + 1
    while (to + 1 < places.length && colours[to] === colours[from]) to++
    pieces.push(`<polyline stroke="${colours[from]}" points="${row(thinned(places.slice(from, to + 1)))}"/>`)
    from = to
  }
  return `<g fill="none" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round">${pieces.join("")}</g>`
}

/** A colour at 0 to 1 between stops of [red, green, blue], in `steps`. */
export const ramp =
  (stops: ReadonlyArray<readonly [number, number, number]>, steps = 24) =>
  (share: number): string => {
    const place = (Math.round(Math.min(1, Math.max(0, share)) * steps) / steps) * (stops.length - 1)
    const at = Math.min(stops.length - 2, Math.floor(place))
    const mixed = stops[at]!.map((low, i) => Math.round(low + (stops[at + 1]![i]! - low) * (place - at)))
    return `#${mixed.map((part) => part.toString(16).padStart(2, "0")).join("")}`
  }

/** The positions of values on an axis, in pixels. */
export interface Axis {
  (value: number): number
  readonly from: number
  readonly to: number
}

export const axis = (from: number, to: number, begin: number, end: number): Axis =>
  Object.assign((value: number) => begin + ((value - from) / (to - from)) * (end - begin), { from, to })

/** Round values between the ends of an axis, some `about` of them. */
export const ticks = ({ from, to }: Axis, about: number): ReadonlyArray<number> => {
  const [low, high] = [Math.min(from, to), Math.max(from, to)]
  const rough = (high - low) / about
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 5, 10].find((times) => times * power >= rough)! * power
  const first = Math.ceil(low / step - 1e-9)
  return Array.from(
    { length: Math.floor(high / step + 1e-9) - first + 1 },
    (_, i) => Math.round((first + i) * step * 1e6) / 1e6
  )
}

/** The part of a picture that curves are drawn in, in pixels. */
export interface Frame {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** A frame over the whole width. */
export const frame = (top: number, height: number): Frame => ({
  left: 64,
  right: WIDTH - 20,
  top,
  bottom: top + height
})

export const across = ({ left, right }: Frame, from: number, to: number): Axis => axis(from, to, left, right)
export const upwards = ({ bottom, top }: Frame, from: number, to: number): Axis => axis(from, to, bottom, top)

export interface Scale {
  readonly axis: Axis
  readonly name: string
  /** How many ticks, about; none for an axis that another frame below shows. */
  readonly about?: number
  readonly show?: (value: number) => string
}

/** Grid lines, ticks with their values, and the names of the axes. */
export const grid = ({ bottom, left, right, top }: Frame, x: Scale, y: Scale): string => {
  const middle = (top + bottom) / 2
  const shown = ({ show = String }: Scale, value: number) => show(value).replace("-", "\u2212")
  return [
    ...ticks(x.axis, x.about ?? 10).flatMap((value) => {
      const at = x.axis(value)
      const mark = line([at, top], [at, bottom], "#eee")
      return x.name === ""
        ? [mark]
        : [mark, text(at, bottom + 16, shown(x, value), { "text-anchor": "middle" })]
    }),
    ...ticks(y.axis, y.about ?? 5).flatMap((value) => {
      const at = y.axis(value)
      return [
        line([left, at], [right, at], "#eee"),
        text(left - 6, at + 4, shown(y, value), { "text-anchor": "end" })
      ]
    }),
    line([left, bottom], [right, bottom], FAINT),
    line([left, top], [left, bottom], FAINT),
    ...(x.name === "" ? [] : [text(right, bottom + 33, x.name, { "text-anchor": "end" })]),
    text(14, middle, y.name, { "text-anchor": "middle", transform: `rotate(-90 14 ${digits(middle)})` })
  ].join("\n")
}

/** A legend of colours, in a row from `x`. */
export const legend = (x: number, y: number, entries: ReadonlyArray<readonly [string, string]>): string => {
  let at = x
  return entries
    .map(([colour, words]) => {
      const entry = rect([at, y - 9], [at + 14, y], colour) + text(at + 20, y, words)
      at += 20 + words.length * 6.4 + 24
      return entry
    })
    .join("")
}

/** Places of a map: x to the right, y upwards, one scale for both, so that nothing is mirrored or stretched. */
export const mapInto = (
  { bottom, left, right, top }: Frame,
  xs: ArrayLike<number>,
  ys: ArrayLike<number>
): { readonly place: (x: number, y: number) => Place; readonly pixels: number } => {
  const [x, y] = [Array.from(xs), Array.from(ys)]
  const [west, east] = [Math.min(...x), Math.max(...x)]
  const [south, north] = [Math.min(...y), Math.max(...y)]
  const pixels = Math.min((right - left) / (east - west), (bottom - top) / (north - south))
  const [middleX, middleY] = [(left + right) / 2, (top + bottom) / 2]
  return {
    pixels,
    place: (px, py) => [
      middleX + (px - (west + east) / 2) * pixels,
      middleY - (py - (south + north) / 2) * pixels
    ]
  }
}

export const picture = (height: number, title: string, parts: ReadonlyArray<string>): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="12" fill="${INK}">
<rect width="100%" height="100%" fill="#fff"/>
${text(20, 22, title, { "font-size": 15 })}
${parts.filter((part) => part !== "").join("\n")}
</svg>
`
