/** The channels of `channelGroups` by their names, at any moment of a drive. */
import { driveGroups } from "./channelGroups.ts"
import { DrivenCar, Moment } from "./DrivenCar.ts"
import type { SimulatedDrive } from "./SimulatedDrive.ts"

const channels = new Map(
  driveGroups.flatMap(({ channels }) => channels.map(({ name, read }) => [name, read]))
)

/** What grows with the car's speed, and what with its square. */
const isSpeed = (name: string) =>
  /^(velocity|wheel_speed|wheel_rotation|yaw_rate|pitch_rate|roll_rate)/.test(name)
const isForce = (name: string) => name.startsWith("g_")

export class CarTelling {
  readonly #moment: Moment

  constructor(drive: SimulatedDrive) {
    this.#moment = new Moment(new DrivenCar(drive))
  }

  /**
   * A channel's value by its name, `time` seconds after the drive began; computed when it is asked for. `share`: of its speed
   * there, for a car that rolls out.
   */
  at(time: number, share: number): (name: string) => number {
    const moment = this.#moment
    return (name) => {
      const read = channels.get(name)
      if (read === undefined) throw new Error(`BUG: the car does not tell ${name}`)
      if (moment.time !== time) moment.moveTo(time)
      return read(moment) * (isSpeed(name) ? share : isForce(name) ? share ** 2 : 1)
    }
  }
}
