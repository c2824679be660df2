/** Writes the current values of channels into the elements that name them (`data-channel`), as text or as the share of a bar. */
import { fixed, NOTHING } from "../format.ts"
import type { LiveTelemetry } from "../live/LiveTelemetry.ts"
import { eachBeat } from "../live/frames.ts"
import { shownIn } from "../settings.ts"
import { write } from "./write.ts"

/** Temperatures and litres change slowly. */
const VALUES_HZ = 5

/** Range of tyre temperatures, °C: outside of it most rubber grips less. Only a hint, because no simulator reports the range of its compounds. */
export const COLD = 70
export const HOT = 105

const warmthOf = (celsius: number): "cold" | "right" | "hot" | "none" =>
  Number.isNaN(celsius) ? "none" : celsius < COLD ? "cold" : celsius > HOT ? "hot" : "right"

/** Texts of shares are in percent. A channel without an entry here has as many digits as its changes need. */
const textOf = (value: number, { digits, unit }: { readonly digits: number; readonly unit: string }) =>
  Number.isNaN(value) ? NOTHING : unit === "%" ? fixed(value * 100) : fixed(shownIn(unit).from(value), digits)

/**
 * Until the returned function is called. An element has `data-channel`, and either `data-unit` and `data-digits` (a text), or
 * `data-bar` (its `--share` is set) or `data-warmth` (which is set).
 */
export const showValues = (root: HTMLElement, feed: LiveTelemetry): (() => void) => {
  const elements = [...root.querySelectorAll<HTMLElement>("[data-channel]")]
  const labelled = new Map<HTMLElement, Readonly<Record<string, string>>>()
  for (const element of elements) {
    if (element.dataset["labels"] !== undefined) {
      labelled.set(element, JSON.parse(element.dataset["labels"]) as Record<string, string>)
    }
  }
  let seen = -1
  const show = () => {
    if (seen === feed.points) return
    seen = feed.points
    for (const element of elements) {
      const { bar, channel, digits, unit, warmth: warm } = element.dataset
      const value = feed.values[channel!] ?? Number.NaN
      if (warm !== undefined) {
        const now = warmthOf(value)
        if (warm !== now) element.dataset["warmth"] = now
      } else if (bar !== undefined) {
        const share = Math.min(1, Math.max(0, value || 0)).toFixed(3)
        if (element.style.getPropertyValue("--share") !== share) element.style.setProperty("--share", share)
      } else {
        const label = labelled.get(element)?.[String(value)]
        write(element, label ?? textOf(value, { digits: Number(digits ?? 0), unit: unit ?? "" }))
      }
    }
  }
  return eachBeat(VALUES_HZ, show)
}
