/** Writes texts. All texts change on one beat: nobody can read faster digits, and each frame with a new text costs a layout. */
export const READABLE_HZ = 10

/** Sets a text if it differs. The node stays, so that only its text is laid out again. */
export const write = (element: Element | null, text: string) => {
  if (element === null || element.textContent === text) return
  const { firstChild } = element
  if (firstChild instanceof Text) firstChild.data = text
  else element.textContent = text
}
