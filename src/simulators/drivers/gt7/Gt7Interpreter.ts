/**
 * Reads Gran Turismo 7's packets: sessions, points and laps (gran-turismo-7.md, sections 3 to 6).
 *
 * The clock is the packets' number, sixty a second, less pauses and loading, in which the lap's time stands still.
 * So a pause makes no gap in the lap. The clock starts at the service's own time, so that another link to the console
 * continues after the points of the one before, even if the game was started again. The number also shows late, repeated
 * and lost packets.
 */
import { allBut, allChannels } from "../../../domain/ChannelSet.ts"
import type { Interpreter } from "../../udp/Protocol.ts"
import { type EventBuffer, newSample } from "../../EventBuffer.ts"
import { type Relation, relate, SequenceFilter } from "../../timekeeping/SequenceFilter.ts"
import { ChannelRows } from "../../packets/ChannelRows.ts"
import { minus, signedShare } from "../../packets/conversions.ts"
import type { Moment } from "../../timekeeping/Moment.ts"
import { Timekeeper } from "../../timekeeping/Timekeeper.ts"
import { Timeline } from "../../timekeeping/Timeline.ts"
import { timeOfMs } from "../../timekeeping/reportedTimes.ts"
import { Attitude } from "./attitude.ts"
import { channels } from "./channels.ts"
import { Decryption } from "./cipher.ts"
import { type Heartbeat, isSet, packets } from "./layout.ts"

/** The fields of all formats; each format lacks some. */
const packet = packets.C.read

/** Packets a second, at any frame rate. */
const RATE = 60
/** The order of two numbers, of which the second came `elapsed` s after the first. */
const relateIds = (last: number, next: number, elapsed: number): Relation =>
  relate(last / RATE, next / RATE, elapsed)
/** Numbers that leap further belong to another count and show no loss: a silence this long is a lost link. */
const MAX_LOST = 10 * RATE
/** After the flag the game drives the car; the lap's time may come this late, s. */
const AFTER_FLAG_S = 5
/** A slower car is standing, m/s. */
const STANDING = 1
const NEUTRAL = 15
/** Codes are smaller; in cars with nine gears and more, a gear ratio is in their place. */
const MAX_CODE = 0xffff

/** Formats with more fields than A. */
const hasSteering = (plain: Buffer): boolean => plain.length >= packets.B.size
const hasLapTime = (plain: Buffer): boolean => plain.length >= packets.C.size

const withoutSteering = allBut("steering")

/** From the wheel's rotation to the left to a share of the lock to the right, without a negative zero. */
const steered = (left: number): number => signedShare(minus(left))

const vehicleOf = (car: number): string => (car > 0 && car <= MAX_CODE ? `GT7 car ${car}` : "")

/** In menus no car is on a circuit, or the car of the last replay is there without a flag and without laps. */
const isInMenu = (plain: Buffer): boolean =>
  (packet.position_x(plain) === 0 && packet.position_y(plain) === 0 && packet.position_z(plain) === 0) ||
  (packet.flags(plain) === 0 && packet.lap(plain) < 0 && packet.laps(plain) < 0)

export class Gt7Interpreter implements Interpreter {
  readonly #decryption = new Decryption()
  readonly #timeline = new Timeline()
  readonly #moment: Moment = { time: Number.NaN, lapNumber: Number.NaN, clock: Number.NaN, lastLap: null }
  readonly #timekeeper = new Timekeeper(
    () => ({ circuit: "", vehicle: vehicleOf(this.#car), driver: "", circuitLength: undefined }),
    () => {
      this.#hasMoved = false
      this.#rows.begin()
    }
  )
  readonly #sample = newSample()
  readonly #attitude = new Attitude()
  readonly #rows = new ChannelRows()
  /** From the middle to the lock, rad. */
  readonly #halfLock: number
  readonly #replays: boolean
  readonly #order = new SequenceFilter(relateIds)
  /** The last packet: its number, and whether its car was driven; and its time on the game's clock, s. */
  #id = Number.NaN
  #wasDriving = false
  #clock = Number.NaN
  #car = 0
  #drivenAt = Number.NaN
  #hasMoved = false
  /** Whether the count had fallen in the last packet. */
  #isLeft = false

  /** `steeringLock`: degrees from lock to lock. `replays`: whether a car in a replay is recorded. */
  constructor(steeringLock: number, replays = false) {
    this.#halfLock = (steeringLock * Math.PI) / 360
    this.#replays = replays
  }

  /** The format of the console's packets; undefined before the first packet that decrypted. */
  get heartbeat(): Heartbeat | undefined {
    return this.#decryption.heartbeat
  }

  readonly simulator = (): string => "Gran Turismo 7"

  readonly datagram = (bytes: Buffer, arrival: number, events: EventBuffer): void => {
    const plain = this.#decryption.read(bytes)
    if (plain === undefined) return events.refuse(`${bytes.length} bytes that do not decrypt to a packet`)
    const flags = packet.flags(plain)
    const isPaused = isSet(flags, "paused")
    const isRunning = !isPaused && !isSet(flags, "loading")
    const isDriving = isRunning && (isSet(flags, "onTrack") || (this.#replays && !isInMenu(plain)))
    const id = packet.packetId(plain)
    const verdict = this.#order.take(id, arrival)
    if (verdict === "late" || verdict === "same" || verdict === "unsure") {
      if (isDriving) events.late()
      return
    }
    const step = id - this.#id
    if (isDriving && this.#wasDriving && step > 1 && step <= MAX_LOST) events.missing(step - 1)
    if (isRunning) this.#advance(step, arrival)
    this.#id = id
    this.#wasDriving = isDriving
    if (!isDriving && !isPaused && this.#isOver(plain)) return this.#timekeeper.end(events)
    if (!isRunning) return
    const time = this.#timeline.at(this.#clock, arrival)
    if (time === undefined) return isDriving ? events.late() : undefined
    if (isDriving) this.#drove(plain, time, arrival, events)
    else if (this.#timekeeper.isBegun && !this.#isLeft && time - this.#drivenAt <= AFTER_FLAG_S) {
      // The game drives the car behind the flag; the lap's time may come there.
      this.#read(plain, time)
      this.#timekeeper.read(this.#moment, arrival, events)
    }
  }

  readonly end = (events: EventBuffer): void => this.#timekeeper.linkLost(events)

  /** Packets that were lost while the game ran count as time. */
  #advance(step: number, arrival: number): void {
    if (Number.isNaN(this.#clock)) this.#clock = arrival
    else if (step < 0) this.#timeline.restart()
    else this.#clock += step / RATE
  }

  #drove(plain: Buffer, time: number, arrival: number, events: EventBuffer): void {
    this.#drivenAt = time
    this.#isLeft = false
    this.#car = packet.carCode(plain)
    const isStart = this.#moment.lapNumber === 0 && packet.lap(plain) === 1
    this.#read(plain, time)
    this.#timekeeper.read(this.#moment, arrival, events)
    this.#hasMoved ||= packet.speed_ms(plain) > STANDING
    // The first lap begins at the car's place before the start.
    this.#sample.lapDistance = isStart || (packet.lap(plain) === 0 && !this.#hasMoved) ? 0 : Number.NaN
    this.#point(plain, time, events)
    this.#row(plain, time, events)
  }

  /** Whether the session was left for a menu: the count fell, in two packets. */
  #isOver(plain: Buffer): boolean {
    const isLeft = this.#timekeeper.isBegun && packet.lap(plain) < this.#moment.lapNumber
    const isOver = isLeft && this.#isLeft
    this.#isLeft = isLeft
    return isOver
  }

  #read(plain: Buffer, time: number): void {
    const moment = this.#moment
    moment.time = time
    moment.car = this.#car
    moment.lapNumber = packet.lap(plain)
    moment.laps = packet.laps(plain)
    moment.clock = hasLapTime(plain) ? Math.max(0, packet.currentLapMs(plain)) / 1000 : Number.NaN
    moment.lastLap = timeOfMs(packet.lastLapMs(plain))
    moment.bestLap = timeOfMs(packet.bestLapMs(plain))
  }

  #point(plain: Buffer, time: number, events: EventBuffer): void {
    const sample = this.#sample
    const gear = packet.gears(plain) & 0x0f
    sample.time = time
    sample.speed = packet.speed_ms(plain) * 3.6
    sample.rpm = packet.rpm(plain)
    sample.gear = gear === 0 ? -1 : gear === NEUTRAL ? 0 : gear
    sample.throttle = packet.throttle(plain) / 255
    sample.brake = packet.brake(plain) / 255
    sample.declared = hasSteering(plain) ? allChannels : withoutSteering
    // The wheel's rotation is positive to the left: in a real lap of Spa it agrees with the turns to the left.
    if (hasSteering(plain)) sample.steering = steered(packet.steeringRad(plain) / this.#halfLock)
    // y up and right-handed, rotated about x until z is up: only then does a real lap of Spa lie on the circuit.
    sample.x = packet.position_x(plain)
    sample.y = -packet.position_z(plain)
    sample.z = packet.position_y(plain)
    sample.lapNumber = this.#timekeeper.lapNumber
    events.point(sample)
  }

  #row(plain: Buffer, time: number, events: EventBuffer): void {
    const rows = this.#rows
    const attitude = this.#attitude
    attitude.turn(
      packet.rotation_x(plain),
      packet.rotation_y(plain),
      packet.rotation_z(plain),
      packet.rotation_w(plain)
    )
    rows.use(channels[this.heartbeat!])
    rows.read("packet", plain)
    rows.set("attitude.yaw", attitude.yaw)
    rows.set("attitude.pitch", attitude.pitch)
    rows.set("attitude.roll", attitude.roll)
    rows.set("laps.lapNumber", this.#timekeeper.lapNumber)
    rows.take(time, events)
  }
}
