/**
 * How the car lies in the world, by its rotation (addendum-gran-turismo-7.md): the car's axes are x right, y up, z back, the world's y up,
 * and our +y is its -z. On a real lap of Spa the pitch that comes of it is the road's to r 0.997, and the roll to r 0.987.
 */
import { ABSENT } from "../../../domain/PointBatch.ts"
import { circle, degrees } from "../../packets/conversions.ts"

/** A quaternion's length: one that is nearer to 0 says nothing. */
const MIN_NORM = 0.5

/** Degrees, by the signs of the channels of these names; the same object, overwritten by the next. */
export class Attitude {
  yaw = ABSENT
  pitch = ABSENT
  roll = ABSENT

  /** Of a quaternion, of whichever length. */
  turn(x: number, y: number, z: number, w: number): void {
    const norm = x * x + y * y + z * z + w * w
    if (!(norm > MIN_NORM)) {
      this.yaw = this.pitch = this.roll = ABSENT
      return
    }
    // Of the car's axes in the world: how far its front, its right side and its roof point up, and where its front points to.
    const frontUp = (2 * (x * w - y * z)) / norm
    const rightUp = (2 * (x * y + z * w)) / norm
    const roofUp = 1 - (2 * (x * x + z * z)) / norm
    const toUs = 1 - (2 * (x * x + y * y)) / norm
    const toRight = (-2 * (x * z + y * w)) / norm
    this.yaw = circle(Math.atan2(toRight, toUs))
    this.pitch = degrees(Math.asin(Math.min(1, Math.max(-1, frontUp))))
    this.roll = degrees(Math.atan2(0 - rightUp, roofUp))
  }
}
