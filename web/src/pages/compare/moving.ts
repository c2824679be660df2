/** Moves the plots by keys, and decides when that is a step in the browser's history. */
import type { ComparePlots } from "../../draw/ComparePlots.ts"

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.matches("input, select, textarea")

/** With Shift ten times as far. */
const STEPS = 5
export const keys = (plots: () => ComparePlots | undefined) => (event: KeyboardEvent) => {
  if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return
  const step = STEPS * (event.shiftKey ? 10 : 1)
  const act: Readonly<Record<string, (on: ComparePlots) => void>> = {
    ArrowLeft: (on) => on.step(-step),
    ArrowRight: (on) => on.step(step),
    "+": (on) => on.zoomBy(1),
    "-": (on) => on.zoomBy(-1),
    "0": (on) => on.whole()
  }
  const wanted = act[event.key]
  const shown = plots()
  if (wanted === undefined || shown === undefined) return
  event.preventDefault()
  wanted(shown)
}

/** Calls the function with the last of its arguments, once nothing more has come for a while. */
export const settling = (millis: number) => {
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    settle: (act: () => void) => {
      clearTimeout(timer)
      timer = setTimeout(act, millis)
    },
    forget: () => clearTimeout(timer)
  }
}
