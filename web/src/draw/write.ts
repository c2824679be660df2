/** Nobody reads digits that change faster, ms. */
const READABLE_MS = 66

const texts = new WeakMap<Element, string>()
const written = new WeakMap<Element, number>()

/**
 * Writes a text where it is another than before, and not faster than it can be read. All texts are written on one beat:
 * each frame that has one costs a layout, and most then have none. The text's node stays, so that only what it says is laid out again.
 */
export const write = (element: Element | null, text: string) => {
  if (element === null || texts.get(element) === text) return
  const beat = Math.floor(performance.now() / READABLE_MS)
  if (written.get(element) === beat) return
  written.set(element, beat)
  texts.set(element, text)
  const { firstChild } = element
  if (firstChild instanceof Text) firstChild.data = text
  else element.textContent = text
}
