/** The options in the address of an overlay. An invalid value counts as absent. */
import { prefer } from "../settings.ts"
import type { WantedSession } from "../live/LiveSession.ts"

export const themes = ["dark", "light"] as const
/** Shown without telemetry: the reason, nothing at all, or the last values. */
export const idles = ["show", "hide", "keep"] as const

export interface Options {
  /** Undefined follows any session that is driven. */
  readonly sessionId: number | undefined
  /** The second of two driven sessions; undefined is any other connected one. */
  readonly versus: number | undefined
  /** The id of the reference lap; undefined is the best one. */
  readonly against: number | undefined
  /** Hz. */
  readonly rate: number
  readonly theme: (typeof themes)[number]
  readonly idle: (typeof idles)[number]
  /** Whether the map shows the other cars on the circuit. */
  readonly everyone: boolean
  /** Any CSS colour; undefined is the palette's blue. */
  readonly accent: string | undefined
  /** Size of the text at scale 1, px; undefined follows the overlay's size. */
  readonly fontSize: number | undefined
  readonly scale: number
  /** Opacity of the plate behind the text, 0 to 1. */
  readonly plate: number
  readonly circuit: string | undefined
  readonly vehicle: string | undefined
  readonly limit: number
  /** Channels that the overlays request. */
  readonly channels: ReadonlyArray<string>
}

export const USUAL_RATE = 30

const within = (text: string | null, low: number, high: number): number | undefined => {
  const value = Number(text ?? Number.NaN)
  return text !== null && text !== "" && value >= low && value <= high ? value : undefined
}

const words = (text: string | null) => (text === null || text === "" ? undefined : text)

const oneOf = <Value extends string>(values: ReadonlyArray<Value>, text: string | null): Value =>
  values.find((value) => value === text) ?? values[0]!

const idOf = (text: string | null) => {
  const id = within(text, 1, Number.MAX_SAFE_INTEGER)
  return id === undefined ? undefined : Math.floor(id)
}

/** Hexadecimal colours may come without #, because # would begin the fragment of an address. */
const colourOf = (text: string | null) => {
  const given = words(text)
  const colour = given !== undefined && /^([\da-f]{3}|[\da-f]{6})$/i.test(given) ? `#${given}` : given
  return colour !== undefined && CSS.supports("color", colour) ? colour : undefined
}

/** `units` is `mph`, `f` (°F), or both with a comma. Other units are metric, no matter the browser's own settings. */
const preferUnits = (text: string | null) => {
  const units = (text ?? "").toLowerCase().split(",")
  prefer({
    speed: units.includes("mph") ? "mph" : "km/h",
    temperature: units.includes("f") ? "°F" : "°C",
    language: "en"
  })
}

export const readOptions = (query: URLSearchParams, channels: ReadonlyArray<string>): Options => {
  preferUnits(query.get("units"))
  return {
    sessionId: idOf(query.get("session_id")),
    versus: idOf(query.get("versus")),
    against: idOf(query.get("against")),
    rate: within(query.get("rate"), 0.1, 240) ?? USUAL_RATE,
    theme: oneOf(themes, query.get("theme")),
    idle: oneOf(idles, query.get("idle")),
    everyone: query.get("cars") === "all",
    accent: colourOf(query.get("accent")),
    fontSize: within(query.get("font_size"), 6, 400),
    scale: within(query.get("scale"), 0.2, 5) ?? 1,
    plate: within(query.get("plate"), 0, 1) ?? 0.72,
    circuit: words(query.get("circuit")),
    vehicle: words(query.get("vehicle")),
    limit: Math.round(within(query.get("limit"), 1, 50) ?? 8),
    channels
  }
}

/** The options of the live session. All overlays of a document have the same, so that they share it. */
export const wantedOf = ({ against, channels, everyone, rate, sessionId }: Options): WantedSession => ({
  sessionId,
  rate,
  channels,
  against,
  everyone
})

export const applyLook = ({ accent, fontSize, plate, scale, theme }: Options) => {
  const root = document.documentElement
  root.dataset["theme"] = theme
  root.style.setProperty("--scale", String(scale))
  root.style.setProperty("--plate", String(plate))
  if (fontSize !== undefined) root.style.setProperty("--font-size", `${fontSize}px`)
  if (accent !== undefined) {
    root.style.setProperty("--accent", accent)
    root.style.setProperty("--speed", accent)
  }
}
