/** One loop over the browser's frames for everything that moves; it stands still while nothing does. */

const painters = new Set<(now: number) => void>()
let requested = 0

const paint = (now: number) => {
  for (const painter of painters) painter(now)
  requested = painters.size > 0 ? requestAnimationFrame(paint) : 0
}

/** Calls `painter` before each frame until the returned function is called. */
export const eachFrame = (painter: (now: number) => void): (() => void) => {
  painters.add(painter)
  if (requested === 0) requested = requestAnimationFrame(paint)
  return () => void painters.delete(painter)
}
