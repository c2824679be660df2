/** A car's axes in the axes of its positions, as unit vectors, by its yaw, pitch and roll. */

type Vector = readonly [number, number, number]

const radians = (degrees: number) => (degrees * Math.PI) / 180

/** `reported`: yaw, pitch and roll as channels, degrees. */
export const axesOf = (
  carValue: (channel: string) => number
): readonly [right: Vector, forward: Vector, up: Vector] => {
  const [yaw, pitch, roll] = [radians(carValue("yaw")), radians(carValue("pitch")), radians(carValue("roll"))]
  const [sinYaw, cosYaw] = [Math.sin(yaw), Math.cos(yaw)]
  const [sinPitch, cosPitch] = [Math.sin(pitch), Math.cos(pitch)]
  const [sinRoll, cosRoll] = [Math.sin(roll), Math.cos(roll)]
  const forward: Vector = [sinYaw * cosPitch, cosYaw * cosPitch, sinPitch]
  // First level, then leaned to the right.
  const [side, above]: [Vector, Vector] = [
    [cosYaw, -sinYaw, 0],
    [-sinYaw * sinPitch, -cosYaw * sinPitch, cosPitch]
  ]
  const turned = (a: Vector, b: Vector, ofA: number, ofB: number): Vector => [
    a[0] * ofA + b[0] * ofB,
    a[1] * ofA + b[1] * ofB,
    a[2] * ofA + b[2] * ofB
  ]
  return [turned(side, above, cosRoll, -sinRoll), forward, turned(above, side, cosRoll, sinRoll)]
}
