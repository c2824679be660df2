/**
 * Reads Forza's packets: sessions, points and laps (forza-data-out.md, sections 3 to 7).
 *
 * The clock is the race's own, CurrentRaceTime. It stands still in a pause, as the lap's time does, so a pause makes no
 * gap in the lap. Where no race runs (free roam, the grid) TimestampMS takes over. TimestampMS also shows late and repeated
 * packets: no action of the driver turns it back. The clock starts at the service's own time, so that another link to
 * the game continues after the points of the one before, even if the game was started again.
 */
import type { Interpreter } from "../../datagrams/Protocol.ts"
import { type EventBuffer, newSample } from "../../EventBuffer.ts"
import { timedSession } from "../../NamedSession.ts"
import { ChannelRows } from "../../packets/ChannelRows.ts"
import { Timeline } from "../../Timeline.ts"
import { type Format, formatOf } from "./formats.ts"
import { isNewRace, isSound, isTimed, type Moment, momentOf, stampsBetween } from "./moment.ts"
import { RaceLaps } from "./RaceLaps.ts"
import { tracks } from "./tracks.ts"

/** A packet whose TimestampMS is behind the newest by less than this was overtaken or is a repetition, ms. */
const OVERTAKEN_MS = 1000
/** Where the game takes TimestampMS of a coarse clock, it stands for no longer than this, s. */
const COARSE_S = 0.014
/** A car that drove for longer before the race's clock started was in free roam and not on the grid, s. */
const MAX_GRID_S = 60
const SHIFTING = 11

export class ForzaInterpreter implements Interpreter {
  readonly #timeline = new Timeline()
  readonly #laps = new RaceLaps()
  readonly #sample = newSample()
  readonly #channels = new ChannelRows()
  #game = "Forza"
  #last: Moment | undefined
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
    this.#game = format.game
    // In menus and pauses all other fields may be 0.
    if (format.packet.read.isRaceOn(bytes) === 0) return
    const now = momentOf(bytes, format)
    if (!isSound(now)) return events.refuse("a time, distance or speed that is no number")
    const last = this.#last
    if (last !== undefined && this.#isLate(last, now, bytes)) return events.late()
    const time = this.#advance(last, now, arrival)
    if (time === undefined) return events.late()
    this.#last = now
    this.#lastBytes = bytes
    if (last === undefined || this.#isNewSession(last, now)) this.#begin(now, time, events)
    this.#laps.read(now, time, events)
    this.#point(bytes, format, time, events)
    this.#row(bytes, format, time, events)
  }

  /** Two packets with one stamp are two where they tell different things: a coarse clock ticks 64 times a second. */
  #isLate(last: Moment, now: Moment, bytes: Buffer): boolean {
    const behind = stampsBetween(now, last)
    if (behind > 0) return behind < OVERTAKEN_MS
    return now.raceTime < last.raceTime || this.#lastBytes?.equals(bytes) === true
  }

  #advance(last: Moment | undefined, now: Moment, arrival: number): number | undefined {
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

  #isNewSession(last: Moment, now: Moment): boolean {
    return (
      now.car !== last.car ||
      now.track !== last.track ||
      now.format.game !== last.format.game ||
      isNewRace(last, now) ||
      (isTimed(now) && !isTimed(last) && this.#timeline.time - this.#began > MAX_GRID_S)
    )
  }

  #begin(now: Moment, time: number, events: EventBuffer): void {
    this.#began = time
    this.#laps.begin()
    this.#channels.begin()
    this.#sample.gear = 0
    const circuit = tracks.get(now.track) ?? now.format.world
    const vehicle = `Car #${now.car}`
    events.start(timedSession({ circuit, vehicle, driver: "", circuitLength: undefined }))
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
    sample.lapNumber = this.#laps.lapNumber
    sample.lapDistance = this.#laps.lapDistance
    events.point(sample)
  }

  #row(bytes: Buffer, format: Format, time: number, events: EventBuffer): void {
    const channels = this.#channels
    channels.use(format.channels)
    channels.read("dataOut", bytes)
    channels.set("laps.lapNumber", this.#laps.lapNumber)
    channels.set("laps.lapDistance", this.#laps.lapDistance)
    channels.take(time, events)
  }
}
