/** Overlays of a layout, in the form of an address: `items=timer,2,3,24,17;map,76,3,22,30`. */
import { overlayNamed } from "./catalog.ts"

/** In percent of the picture. */
export interface LayoutItem {
  readonly name: string
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export const MAX_ITEMS = 24
/** The least size, in percent: a smaller item could not be grabbed. */
export const MIN_SIZE = 3

const within = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value))
const rounded = (value: number) => Math.round(value * 10) / 10

/** Moves the item into the picture, and rounds to a tenth of a percent. */
export const placed = ({ height, name, width, x, y }: LayoutItem): LayoutItem => {
  const across = within(rounded(width), MIN_SIZE, 100)
  const down = within(rounded(height), MIN_SIZE, 100)
  return {
    name,
    width: across,
    height: down,
    x: rounded(within(x, 0, 100 - across)),
    y: rounded(within(y, 0, 100 - down))
  }
}

/** Ignores invalid items. */
export const readItems = (text: string | null): ReadonlyArray<LayoutItem> =>
  (text ?? "")
    .split(";")
    .flatMap((part) => {
      const [name = "", ...numbers] = part.split(",")
      const [x, y, width, height] = numbers.map(Number)
      if (overlayNamed(name) === undefined || numbers.length !== 4) return []
      if (![x, y, width, height].every(Number.isFinite)) return []
      return [placed({ name, x: x!, y: y!, width: width!, height: height! })]
    })
    .slice(0, MAX_ITEMS)

export const writeItems = (items: ReadonlyArray<LayoutItem>): string =>
  items.map(({ height, name, width, x, y }) => [name, x, y, width, height].join(",")).join(";")
