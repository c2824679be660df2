/** Channels of `channelGroups` by name, at any moment of a drive. */
import { driveGroups } from "./channelGroups.ts"
import { DrivenCar, Moment } from "./DrivenCar.ts"
import type { SimulatedDrive } from "./SimulatedDrive.ts"

const channels = new Map(
  driveGroups.flatMap(({ channels }) => channels.map(({ name, read }) => [name, read]))
)

/** Channels that grow with the car's speed, and channels that grow with its square. */
const isSpeed = (name: string) =>
  /^(velocity|wheel_speed|wheel_rotation|yaw_rate|pitch_rate|roll_rate)/.test(name)
const isForce = (name: string) => name.startsWith("g_")

export class CarChannels {
  readonly #moment: Moment

  constructor(drive: SimulatedDrive) {
    this.#moment = new Moment(new DrivenCar(drive))
  }

  /**
   * Reads channels by name, `time` seconds after the drive began; each is computed when it is read. `share`: share of the car's speed
   * at that time, for a car that rolls out.
   */
  at(time: number, share: number): (name: string) => number {
    const moment = this.#moment
    return (name) => {
      const read = channels.get(name)
      if (read === undefined) throw new Error(`BUG: the car has no channel ${name}`)
      if (moment.time !== time) moment.moveTo(time)
      return read(moment) * (isSpeed(name) ? share : isForce(name) ? share ** 2 : 1)
    }
  }
}
