/** Texts that change with the car, written on one beat: a frame that has a text is laid out, and most then have none. */
import { eachBeat } from "../live/frames.ts"

/** Nobody reads digits that change faster. */
const READABLE_HZ = 15

const wanted = new Map<Element, string>()
const written = new WeakMap<Element, string>()
let stop: (() => void) | undefined

const writeAll = () => {
  for (const [element, text] of wanted) {
    if (written.get(element) === text) continue
    written.set(element, text)
    // The node stays, so that only what it says is laid out again.
    const { firstChild } = element
    if (firstChild instanceof Text) firstChild.data = text
    else element.textContent = text
  }
  wanted.clear()
  stop?.()
  stop = undefined
}

/** Writes a text with the next beat; the last that was wanted until then. */
export const write = (element: Element | null, text: string) => {
  if (element === null) return
  wanted.set(element, text)
  stop ??= eachBeat(READABLE_HZ, writeAll)
}
