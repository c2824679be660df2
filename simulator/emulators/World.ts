/**
 * The axes and signs of a simulator's world. Each emulator states its own, from the simulator's sheet and not from the driver
 * that reads it: a round trip could not detect an error that both share.
 */

/** The world satisfies all three. Ours is right-handed with z up. */
export type Axes = "right-handed, y up" | "left-handed, y up" | "right-handed, z up"

export interface World {
  readonly axes: Axes
  /** The direction of positive steering values; undefined if the protocol has no steering. */
  readonly steering: "right" | "left" | undefined
  /** The source: a sheet of the protocol, and how certain it is. */
  readonly source: string
}

/** Converts a place or a direction from our axes to those of the simulator's world. */
export const inWorld = (
  { axes }: World,
  x: number,
  y: number,
  z: number
): readonly [x: number, y: number, z: number] => {
  if (axes === "right-handed, z up") return [x, y, z]
  // Exchanging two axes mirrors, and turns a right-handed world into a left-handed one.
  return axes === "left-handed, y up" ? [x, z, y] : [x, z, -y]
}

/** Our steering, -1 (left) to 1, with the simulator's sign. */
export const steeringIn = ({ steering }: World, ours: number): number => (steering === "left" ? -ours : ours)
