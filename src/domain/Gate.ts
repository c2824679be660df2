/** A line across a track on the Earth. */

/** Half the width of a line that is square to the track, m. */
export const HALF_WIDTH_M = 12.5

const RADIANS = Math.PI / 180
/** Of latitude. */
export const METRES_PER_DEGREE = 6_371_000 * RADIANS

/** The two ends of a line, degrees. */
export interface Gate {
  readonly latitudes: readonly [number, number]
  readonly longitudes: readonly [number, number]
}

/**
 * The line square to the way from one fix to the next (degrees), through the place at `share` of it, which may be beyond
 * either; undefined if the fixes are the same, or one is absent.
 */
export const gateAcross = ({ latitudes, longitudes }: Gate, share: number): Gate | undefined => {
  const latitude = latitudes[0] + share * (latitudes[1] - latitudes[0])
  const longitude = longitudes[0] + share * (longitudes[1] - longitudes[0])
  const shrink = Math.cos(latitude * RADIANS)
  const [north, east] = [latitudes[1] - latitudes[0], (longitudes[1] - longitudes[0]) * shrink]
  const step = HALF_WIDTH_M / METRES_PER_DEGREE / Math.hypot(north, east)
  const [across, along] = [(-north * step) / shrink, east * step]
  return Number.isFinite(latitude + longitude + across + along)
    ? {
        latitudes: [latitude + along, latitude - along],
        longitudes: [longitude + across, longitude - across]
      }
    : undefined
}
