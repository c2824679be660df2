/** What the address of an overlay says. A value that makes no sense is as if it were not there. */
import { kmh, mph, type Units } from "../draw/gauges.tsx"

export interface Options {
  /** Undefined follows whichever session is driven. */
  readonly sessionId: number | undefined
  /** Hz. */
  readonly rate: number
  readonly units: Units
  /** Any CSS colour; undefined is the palette's blue. */
  readonly accent: string | undefined
  /** Of the text, in pixels at scale 1; undefined follows the window's size. */
  readonly fontSize: number | undefined
  readonly scale: number
  /** Opacity of the plate behind the text, 0 to 1. */
  readonly plate: number
  readonly circuit: string | undefined
  readonly vehicle: string | undefined
  readonly limit: number
}

export const USUAL_RATE = 30

const within = (text: string | null, low: number, high: number): number | undefined => {
  const value = Number(text ?? Number.NaN)
  return text !== null && text !== "" && value >= low && value <= high ? value : undefined
}

const words = (text: string | null) => (text === null || text === "" ? undefined : text)

/** Hexadecimal colours may come without their #, which an address would take for its end. */
const colourOf = (text: string | null) => {
  const given = words(text)
  const colour = given !== undefined && /^([\da-f]{3}|[\da-f]{6})$/i.test(given) ? `#${given}` : given
  return colour !== undefined && CSS.supports("color", colour) ? colour : undefined
}

export const readOptions = (query: URLSearchParams): Options => {
  const session = within(query.get("session_id"), 1, Number.MAX_SAFE_INTEGER)
  return {
    sessionId: session === undefined ? undefined : Math.floor(session),
    rate: within(query.get("rate"), 0.1, 240) ?? USUAL_RATE,
    units: query.get("units") === "mph" ? mph : kmh,
    accent: colourOf(query.get("accent")),
    fontSize: within(query.get("font_size"), 6, 400),
    scale: within(query.get("scale"), 0.2, 5) ?? 1,
    plate: within(query.get("plate"), 0, 1) ?? 0.72,
    circuit: words(query.get("circuit")),
    vehicle: words(query.get("vehicle")),
    limit: Math.round(within(query.get("limit"), 1, 50) ?? 8)
  }
}

export const applyLook = ({ accent, fontSize, plate, scale }: Options) => {
  const root = document.documentElement
  root.dataset["theme"] = "dark"
  root.style.setProperty("--scale", String(scale))
  root.style.setProperty("--plate", String(plate))
  if (fontSize !== undefined) root.style.setProperty("--font-size", `${fontSize}px`)
  if (accent !== undefined) {
    root.style.setProperty("--accent", accent)
    root.style.setProperty("--speed", accent)
  }
}
