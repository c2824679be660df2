/**
 * The car's attitude in the world, from its rotation (addendum-gran-turismo-7.md): the car's axes are x right, y up, z back,
 * the world's y up, and our +y is its -z. On a real lap of Spa the resulting pitch fits the road's with r 0.997, and the
 * roll with r 0.987.
 */
import { ABSENT } from "../../../domain/RowBatch.ts"
import { angleOfSine, circle, degrees } from "../../packets/conversions.ts"

/** The minimum length of a usable quaternion. */
const MIN_NORM = 0.5

/** Degrees, by the signs of the channels of these names; one object, which the next call overwrites. */
export class Attitude {
  yaw = ABSENT
  pitch = ABSENT
  roll = ABSENT

  /** A quaternion of any length. */
  turn(x: number, y: number, z: number, w: number): void {
    const norm = x * x + y * y + z * z + w * w
    if (!(norm > MIN_NORM)) {
      this.yaw = this.pitch = this.roll = ABSENT
      return
    }
    // The car's axes in the world: how far its front, its right side and its roof point up, and where its front points to.
    const frontUp = (2 * (x * w - y * z)) / norm
    const rightUp = (2 * (x * y + z * w)) / norm
    const roofUp = 1 - (2 * (x * x + z * z)) / norm
    const toUs = 1 - (2 * (x * x + y * y)) / norm
    const toRight = (-2 * (x * z + y * w)) / norm
    this.yaw = circle(Math.atan2(toRight, toUs))
    this.pitch = angleOfSine(frontUp)
    this.roll = degrees(Math.atan2(0 - rightUp, roofUp))
  }
}
