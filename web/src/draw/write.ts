/** Nobody reads digits that change faster, ms. */
const READABLE_MS = 66

const texts = new WeakMap<Element, string>()
const written = new WeakMap<Element, number>()
/** Writes a text where it is another than before, and not faster than it can be read: each costs a layout. */
export const write = (element: Element | null, text: string) => {
  if (element === null || texts.get(element) === text) return
  const now = performance.now()
  if (now - (written.get(element) ?? 0) < READABLE_MS) return
  written.set(element, now)
  texts.set(element, text)
  element.textContent = text
}
