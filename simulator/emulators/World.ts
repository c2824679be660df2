/**
 * The axes and signs of a simulator's world. Each emulator states its own, from the simulator's sheet and not from the
 * driver that reads it: what both took from one place, no round trip could prove.
 */

/** All three are met. Ours are right-handed with z up. */
export type Axes = "right-handed, y up" | "left-handed, y up" | "right-handed, z up"

export interface World {
  readonly axes: Axes
  /** Where a positive steering value turns the car to; undefined where the protocol has none. */
  readonly steering: "right" | "left" | undefined
  /** What says so: a sheet of the protocol, and how far it is borne out. */
  readonly source: string
}

/** A place or a direction in our axes, as the world of the simulator has it. */
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

/** Our steering, -1 (left) to 1, with the sign of the simulator's. */
export const steeringIn = ({ steering }: World, ours: number): number => (steering === "left" ? -ours : ours)
