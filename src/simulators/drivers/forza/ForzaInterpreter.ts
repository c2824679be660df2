/**
 * Reads Forza's packets: sessions, points and laps (forza-data-out.md, sections 3 to 7).
 *
 * The clock is the race's own, CurrentRaceTime. It stands still in a pause, as the lap's time does, so a pause makes no
 * gap in the lap. Where no race runs (free roam, the grid) TimestampMS takes over. TimestampMS also shows late and repeated
 * packets: no action of the driver turns it back. The clock starts at the service's own time, so that another link to
 * the game continues after the points of the one before, even if the game was started again.
 */
import type { Interpreter } from "../../udp/Protocol.ts"
import { type EventBuffer, newSample } from "../../EventBuffer.ts"
import { type Relation, relate, SequenceFilter } from "../../timekeeping/SequenceFilter.ts"
import { ChannelRows } from "../../packets/ChannelRows.ts"
import type { Moment } from "../../timekeeping/Moment.ts"
import { Timekeeper } from "../../timekeeping/Timekeeper.ts"
import { Timeline } from "../../timekeeping/Timeline.ts"
import { timeOfSeconds } from "../../timekeeping/reportedTimes.ts"
import { type Format, formatOf } from "./formats.ts"
import { isRewound, isSound, isTimed, type Reported, readReported, stampsBetween } from "./reported.ts"
import { tracks } from "./tracks.ts"

/** The order of two packets by TimestampMS, of which the second came `elapsed` s after the first. */
const relateStamps = (last: Reported, next: Reported, elapsed: number): Relation =>
  relate(0, (stampsBetween(last, next) | 0) / 1000, elapsed)
/** Where the game takes TimestampMS from a coarse clock, the value stays the same for at most this long, s. */
const COARSE_S = 0.014
/** A car that drove for longer before the race's clock started was in free roam and not on the grid, s. */
const MAX_GRID_S = 60
const SHIFTING = 11
/** If a car passed a line longer ago than this, its distance to the line does not follow from its speed, s. */
const LINE_WITHIN_S = 1

const namesOf = ({ car, format, track }: Reported) => ({
  circuit: tracks.get(track) ?? format.world,
  vehicle: `Car #${car}`
})

export class ForzaInterpreter implements Interpreter {
  readonly #timeline = new Timeline()
  readonly #moment: Moment = { time: Number.NaN, lapNumber: Number.NaN, clock: Number.NaN, lastLap: null }
  readonly #timekeeper = new Timekeeper(
    () => ({ ...namesOf(this.#last!), driver: "", circuitLength: undefined }),
    ({ time }) => {
      this.#began = time
      this.#channels.begin()
      this.#sample.gear = 0
    }
  )
  readonly #sample = newSample()
  readonly #channels = new ChannelRows()
  readonly #order = new SequenceFilter(relateStamps)
  #game = "Forza"
  #last: Reported | undefined
  #lastBytes: Buffer | undefined
  /** The newest TimestampMS: on our clock, and its first arrival. */
  #stampClock = Number.NaN
  #stampArrival = Number.NaN
  /** The game of an unexpected packet. A second one confirms it: a packet that was cut off may have the length of another game's. */
  #announced: string | undefined
  /** s; continues where the race's clock goes back. */
  #clock = Number.NaN
  /** When the session began, s on the feed's clock. */
  #began = Number.NaN
  /** How many races began in the session's time: free roam is another session than the race after it. */
  #races = 0
  /** The distance at the line where the lap under way began, and when, s on the feed's clock; NaN where that is unknown. */
  #lineAt = Number.NaN
  #lapStart = Number.NaN

  readonly simulator = (): string => this.#game

  readonly datagram = (bytes: Buffer, arrival: number, events: EventBuffer): void => {
    const format = formatOf(bytes)
    if (format === undefined) return events.refuse(`${bytes.length} bytes that are no packet of Forza's`)
    const current = this.#last?.format.game
    if (current !== undefined && format.game !== current && format.game !== this.#announced) {
      this.#announced = format.game
      return events.refuse(
        `${bytes.length} bytes, which is a packet of ${format.game}, among those of ${current}`
      )
    }
    this.#announced = undefined
    if (current !== undefined && format.game !== current) {
      this.#timekeeper.leave(events)
      this.#order.reset()
    }
    this.#game = format.game
    // In menus and pauses all other fields may be 0.
    if (format.packet.read.isRaceOn(bytes) === 0) return
    const now = readReported(bytes, format)
    if (!isSound(now)) return events.refuse("a time, distance or speed that is no number")
    const last = this.#last
    const verdict = this.#order.take(now, arrival)
    const isRepeated = verdict === "same" && last !== undefined && this.#isRepeated(last, now, bytes)
    if (isRepeated || verdict === "late" || verdict === "unsure") return events.late()
    const time = this.#advance(last, now, arrival)
    if (time === undefined) return events.late()
    this.#last = now
    this.#lastBytes = bytes
    this.#read(last, now, time)
    this.#timekeeper.read(this.#moment, arrival, events)
    this.#followLine(now)
    this.#point(bytes, format, time, events)
    this.#row(bytes, format, time, events)
  }

  readonly end = (events: EventBuffer): void => this.#timekeeper.linkLost(events)

  /** Packets with the same stamp are no repetition if their contents differ: a coarse clock ticks 64 times a second. */
  #isRepeated(last: Reported, now: Reported, bytes: Buffer): boolean {
    return now.raceTime < last.raceTime || this.#lastBytes?.equals(bytes) === true
  }

  #advance(last: Reported | undefined, now: Reported, arrival: number): number | undefined {
    const raced = now.raceTime - (last?.raceTime ?? now.raceTime)
    const stamps = last === undefined ? 0 : stampsBetween(last, now)
    if (last === undefined) this.#clock = arrival
    else if (raced < 0) {
      this.#clock = this.#timeline.time
      this.#timeline.restart()
    } else if (raced > 0) this.#clock += raced
    else {
      const since = stamps > 0 ? stamps / 1000 : Math.min(arrival - this.#stampArrival, COARSE_S)
      this.#clock = this.#stampClock + since
    }
    if (last === undefined || raced !== 0 || stamps > 0) {
      this.#stampClock = this.#clock
      this.#stampArrival = arrival
    }
    return this.#timeline.at(this.#clock, arrival)
  }

  #read(last: Reported | undefined, now: Reported, time: number): void {
    const isRace = last !== undefined && isTimed(now) && !isTimed(last)
    if (isRace && time - this.#began > MAX_GRID_S) this.#races++
    const moment = this.#moment
    moment.time = time
    moment.kind = this.#races
    moment.course = now.track
    moment.car = now.car
    moment.sessionClock = now.raceTime
    moment.isRewound = last !== undefined && isRewound(last, now)
    moment.lapNumber = isTimed(now) ? now.lap + 1 : 0
    moment.clock = now.currentLap
    moment.lastLap = timeOfSeconds(now.lastLap)
    moment.bestLap = timeOfSeconds(now.bestLap)
  }

  /** Finds where the lap under way began: the race's distance counts from its first line on, over all laps. */
  #followLine(now: Reported): void {
    const { lapStart } = this.#timekeeper
    if (Object.is(lapStart, this.#lapStart)) return
    this.#lapStart = lapStart
    const since = this.#moment.time - lapStart
    const isSeen = since <= LINE_WITHIN_S && !this.#moment.isRewound
    this.#lineAt = isSeen ? now.distance - now.speed * since : now.lap === 0 ? 0 : Number.NaN
  }

  /** m since the line; NaN where it is unknown. */
  #distanceOf({ distance }: Reported): number {
    if (!Number.isNaN(this.#timekeeper.lapNumber)) return Math.max(0, distance - this.#lineAt)
    // On the grid or on the way to the line: at the line or before it.
    return distance <= 0 ? 0 : Number.NaN
  }

  #point(bytes: Buffer, { packet: { read } }: Format, time: number, events: EventBuffer): void {
    const sample = this.#sample
    const gear = read.gear(bytes)
    sample.time = time
    sample.speed = read.speed(bytes) * 3.6
    sample.rpm = read.currentEngineRpm(bytes)
    // During a shift the sample keeps the gear from before it.
    if (gear < SHIFTING) sample.gear = gear === 0 ? -1 : gear
    sample.throttle = read.accel(bytes) / 255
    sample.brake = read.brake(bytes) / 255
    sample.steering = Math.max(-1, read.steer(bytes) / 127)
    // X right, Y up, Z forward is left-handed; with y and z exchanged it is right-handed with z up.
    sample.x = read.positionX(bytes)
    sample.y = read.positionZ(bytes)
    sample.z = read.positionY(bytes)
    sample.lapNumber = this.#timekeeper.lapNumber
    sample.lapDistance = this.#distanceOf(this.#last!)
    events.point(sample)
  }

  #row(bytes: Buffer, format: Format, time: number, events: EventBuffer): void {
    const channels = this.#channels
    channels.use(format.channels)
    channels.read("dataOut", bytes)
    channels.set("laps.lapNumber", this.#timekeeper.lapNumber)
    channels.set("laps.lapDistance", this.#sample.lapDistance)
    channels.take(time, events)
  }
}
