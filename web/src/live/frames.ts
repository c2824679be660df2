/** One loop over the browser's frames for all moving parts. It stops while nothing moves. */

const painters = new Set<(now: number) => void>()
let requested = 0

const paint = (now: number) => {
  for (const painter of painters) {
    try {
      painter(now)
    } catch (error) {
      // Reported like a thrown error, while the other painters and the next frame go on.
      reportError(error)
    }
  }
  requested = painters.size > 0 ? requestAnimationFrame(paint) : 0
}

/**
 * Parts that must be repainted, and that the compositor cannot just move, change on shared beats: most frames then only move
 * parts.
 */
const BEATS_A_SECOND = 20

/** Calls `painter` so many times a second (20 divided by a whole number) until the returned function is called. */
export const eachBeat = (times: number, painter: () => void): (() => void) => {
  const beats = BEATS_A_SECOND / times
  const beatAt = (now: number) => Math.floor(Math.floor((now * BEATS_A_SECOND) / 1000) / beats)
  let last = beatAt(performance.now())
  return eachFrame((now) => {
    const beat = beatAt(now)
    if (beat <= last) return
    last = beat
    painter()
  })
}

/** Calls `painter` before each frame until the returned function is called. */
export const eachFrame = (painter: (now: number) => void): (() => void) => {
  painters.add(painter)
  if (requested === 0) requested = requestAnimationFrame(paint)
  return () => void painters.delete(painter)
}

/** One function that calls all of them. */
export const ending = (stops: ReadonlyArray<() => void>) => () => {
  for (const stop of stops) stop()
}
