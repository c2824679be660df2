/** Nobody reads digits that change faster; all texts change on one beat, since each frame that has a text is laid out. */
export const READABLE_HZ = 10

/** Sets a text where it is another than before. The node stays, so that only what it says is laid out again. */
export const write = (element: Element | null, text: string) => {
  if (element === null || element.textContent === text) return
  const { firstChild } = element
  if (firstChild instanceof Text) firstChild.data = text
  else element.textContent = text
}
