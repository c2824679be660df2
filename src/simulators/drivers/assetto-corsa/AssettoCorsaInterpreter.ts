/**
 * One link to Assetto Corsa: handshake, subscription, and the car infos.
 *
 * The protocol reports neither the start nor the end of a session. After a restart the game counts laps from the start
 * again. A handshake that is answered with other names means another session. A constant lap time means a repeated
 * packet or, from the second time on, a pause: there is no point.
 */
import type { LinkOptions } from "../../Driver.ts"
import { type EventBuffer, newSample } from "../../EventBuffer.ts"
import { type Relation, relate, SLACK_S, SequenceFilter } from "../../timekeeping/SequenceFilter.ts"
import type { Conversation } from "../../udp/Protocol.ts"
import { ChannelRows } from "../../packets/ChannelRows.ts"
import { signedShare } from "../../packets/conversions.ts"
import type { Moment } from "../../timekeeping/Moment.ts"
import { Timekeeper } from "../../timekeeping/Timekeeper.ts"
import { timeOfMs } from "../../timekeeping/reportedTimes.ts"
import { channels } from "./channels.ts"
import { problemWith } from "./decode.ts"
import { AssettoCorsaLapClock, type CarInfo } from "./LapClock.ts"
import { type Answer, answer, carInfo, spot } from "./layout.ts"
import { read as readOptions } from "./options.ts"
import { encodeRequest } from "./requests.ts"

/** The steering range from lock to lock where the user states none, degrees. */
const STEERING_LOCK = 900

const { read } = carInfo

/** Only the number of laps and the time within the lap show the order of packets. */
const relation = (last: CarInfo, next: CarInfo, elapsed: number): Relation => {
  const laps = next.lapCount - last.lapCount
  const lapTime = next.lapTime / 1000
  if (laps === 0) return relate(last.lapTime / 1000, lapTime, elapsed)
  if (laps === 1) return lapTime <= elapsed + SLACK_S ? "next" : "ahead"
  if (laps > 1) return "ahead"
  // It was sent just before the line, and a packet from after the line overtook it.
  return laps === -1 && last.lapTime < SLACK_S * 1000 && next.lapTime > last.lapTime ? "late" : "back"
}

const circuitOf = ({ trackConfig, trackName }: Answer): string =>
  trackConfig === "" || trackConfig === trackName ? trackName : `${trackName} - ${trackConfig}`

const sessionNames = (names: Answer) => ({
  circuit: circuitOf(names),
  vehicle: names.carName,
  driver: names.driverName,
  circuitLength: undefined
})

const sameNames = (a: Answer, b: Answer): boolean =>
  a.carName === b.carName &&
  a.driverName === b.driverName &&
  a.trackName === b.trackName &&
  a.trackConfig === b.trackConfig

export class AssettoCorsaInterpreter implements Conversation {
  #send: (bytes: Uint8Array) => void = () => undefined
  /** Degrees from the middle to either lock. */
  readonly #halfLock: number
  readonly #sequence = new SequenceFilter(relation)
  readonly #clock = new AssettoCorsaLapClock((info, time, lastLap, arrival) =>
    this.#timed(info, time, lastLap, arrival)
  )
  readonly #moment: Moment = { time: Number.NaN, lapNumber: Number.NaN, clock: Number.NaN, lastLap: null }
  readonly #timekeeper = new Timekeeper(
    () => sessionNames(this.#names!),
    () => this.#rows.begin()
  )
  readonly #sample = newSample()
  readonly #rows = new ChannelRows()
  #names: Answer | undefined
  #isAnswered = false
  #heardCar = false
  /** Whether the last car info had the lap time of the one before it. */
  #stands = false
  /** The buffer for the events of the current datagram. */
  #events!: EventBuffer

  constructor({ options }: LinkOptions) {
    this.#rows.use(channels)
    this.#halfLock = (readOptions(options).steeringLock ?? STEERING_LOCK) / 2
  }

  open(send: (bytes: Uint8Array) => void): void {
    this.#send = send
    this.#isAnswered = false
  }

  simulator(): string {
    return "Assetto Corsa"
  }

  state() {
    return !this.#isAnswered ? ({ _tag: "Waiting" } as const) : ({ _tag: "Answered" } as const)
  }

  tick(): void {
    if (!this.#isAnswered) this.#send(encodeRequest("handshake"))
    // The subscription is not acknowledged, so it may have been lost.
    else if (!this.#heardCar) this.#subscribe()
    this.#heardCar = false
  }

  sendDisconnect(): void {
    if (this.#isAnswered) this.#send(encodeRequest("dismiss"))
  }

  end(events: EventBuffer): void {
    this.#timekeeper.linkLost(events)
  }

  datagram(bytes: Buffer, arrival: number, events: EventBuffer): void {
    this.#events = events
    const problem = problemWith(bytes)
    if (problem !== undefined) return events.refuse(problem)
    switch (bytes.length) {
      case carInfo.size:
        return this.#drove(bytes, arrival)
      case answer.size:
        return this.#answered(answer.values(bytes))
      case spot.size:
        return this.#spotted(bytes)
    }
  }

  #subscribe(): void {
    this.#send(encodeRequest("subscribeUpdates"))
    this.#send(encodeRequest("subscribeSpots"))
  }

  /** The game answers each handshake, also a repeated one, and may forget the subscription with each. */
  #answered(names: Answer): void {
    const known = this.#names
    this.#names = names
    this.#isAnswered = true
    if (known !== undefined && !sameNames(known, names)) {
      this.#clock.interrupt()
      this.#timekeeper.leave(this.#events)
      this.#sequence.reset()
    }
    this.#subscribe()
  }

  #drove(bytes: Buffer, arrival: number): void {
    if (this.#names === undefined) return
    const info = {
      bytes,
      lapCount: read.lapCount(bytes),
      lapTime: read.lapTime(bytes),
      lastLap: read.lastLap(bytes)
    }
    this.#heardCar = true
    switch (this.#sequence.take(info, arrival)) {
      case "same":
        if (!this.#stands) this.#events.late()
        this.#stands = true
        return
      case "unsure":
      case "late":
        return this.#events.late()
      case "back":
        this.#clock.interrupt()
        break
      case "first":
      case "next":
      case "ahead":
        break
    }
    this.#stands = false
    this.#clock.read(info, arrival)
  }

  /** Some users report that the game never sends these, so they only confirm what the car infos say. */
  #spotted(bytes: Buffer): void {
    const { carName, driverName, time } = spot.values(bytes)
    if (this.#names?.driverName === driverName && this.#names.carName === carName) this.#clock.confirm(time)
  }

  #timed({ bytes, lapCount, lapTime }: CarInfo, time: number, lastLap: number, arrival: number): void {
    const moment = this.#moment
    moment.time = time
    moment.lapNumber = lapCount + 1
    moment.clock = lapTime / 1000
    moment.lastLap = timeOfMs(lastLap)
    moment.bestLap = timeOfMs(read.bestLap(bytes))
    moment.isInPit = read.isInPit(bytes) !== 0
    moment.place = read.carPositionNormalized(bytes)
    this.#timekeeper.read(moment, arrival, this.#events)
    const sample = this.#sample
    sample.time = time
    sample.speed = read.speedKmh(bytes)
    sample.rpm = read.engineRPM(bytes)
    sample.gear = read.gear(bytes) - 1
    sample.throttle = read.gas(bytes)
    sample.brake = read.brake(bytes)
    sample.steering = signedShare(read.steer(bytes) / this.#halfLock)
    // Right-handed with y up, rotated about x until z is up: only then does a real lap of Monza lie on the circuit.
    sample.x = read.carCoordinatesX(bytes)
    sample.y = -read.carCoordinatesZ(bytes)
    sample.z = read.carCoordinatesY(bytes)
    sample.lapNumber = this.#timekeeper.lapNumber
    this.#events.point(sample)
    this.#rows.read("carInfo", bytes)
    this.#rows.take(time, this.#events)
  }
}
