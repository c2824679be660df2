/**
 * Reads Project Motor Racing: sessions, points and laps of the player's car (project-motor-racing.md).
 *
 * The game sends states and telemetry of every car. A point is a telemetry packet of the player's car, which the states
 * identify, with the newest state for the lap. Race info names the circuit, and comes at any time.
 */
import type { Interpreter } from "../../udp/Protocol.ts"
import { type EventBuffer, newSample } from "../../EventBuffer.ts"
import { ChannelRows } from "../../packets/ChannelRows.ts"
import { movingReader } from "../../packets/Moving.ts"
import type { ValuesOf } from "../../packets/Sequence.ts"
import { SequenceFilter } from "../../timekeeping/SequenceFilter.ts"
import { Timekeeper } from "../../timekeeping/Timekeeper.ts"
import { carValues, channels, raceValues } from "./channels.ts"
import {
  body,
  inputs,
  PacketType,
  type Places,
  placesIn,
  RaceState,
  raceInfo,
  state as carState,
  telemetry
} from "./layout.ts"
import { Motion } from "./Motion.ts"
import { PmrMoments } from "./PmrMoments.ts"
import { IS_PLAYER_AT } from "./recognise.ts"
import { type CarState, StateClock } from "./StateClock.ts"
import { reachedIn, relateStates } from "./stateOrder.ts"

type RaceInfo = ValuesOf<typeof raceInfo>

/** Texts and lists are read as a whole, so channels read no bytes of these packets. */
const NOTHING = Buffer.alloc(0)

const movingIn = movingReader(body.read, "position", "worldVelocity")
const vehicleIdOf = telemetry.reader("vehicleId")

/** Packets from before the end of a session may arrive this long after it, s. */
const LATE_S = 1

const isOther = (last: RaceInfo, now: RaceInfo): boolean =>
  (["track", "layout", "session", "gameMode"] as const).some((name) => now[name] !== last[name]) ||
  (now.state === RaceState.inactive && last.state !== RaceState.inactive)

const circuitOf = ({ layout, track }: RaceInfo): string =>
  layout === "" || layout === track ? track : `${track} ${layout}`

export class PmrInterpreter implements Interpreter {
  readonly #order = new SequenceFilter(relateStates)
  readonly #clock = new StateClock()
  readonly #motion = new Motion()
  readonly #moments = new PmrMoments()
  readonly #timekeeper = new Timekeeper(
    () => {
      const { layoutLength = Number.NaN } = this.#race ?? {}
      return {
        circuit: this.#race === undefined ? "" : circuitOf(this.#race),
        vehicle: this.#state?.vehicleName ?? "",
        driver: this.#state?.driverName ?? "",
        circuitLength: layoutLength > 0 ? layoutLength : undefined
      }
    },
    () => {
      this.#channels.begin()
      if (this.#race !== undefined) this.#tellRace(this.#race)
    },
    () => this.#race !== undefined
  )
  readonly #channels = new ChannelRows()
  readonly #sample = newSample()
  #race: RaceInfo | undefined
  /** The newest state of the player's car; undefined while the player is unknown. */
  #state: CarState | undefined
  #stoppedAt = Number.NEGATIVE_INFINITY

  constructor() {
    this.#channels.use(channels)
  }

  readonly simulator = (): string => "Project Motor Racing"

  readonly datagram = (bytes: Buffer, arrival: number, events: EventBuffer): void => {
    switch (bytes[0]) {
      case PacketType.raceInfo:
        return this.#learn(bytes, events)
      case PacketType.state:
        return this.#followState(bytes, arrival, events)
      case PacketType.telemetry:
        return this.#drove(bytes, arrival, events)
      case PacketType.stopped:
        return this.#stop(arrival, events)
      default:
        return events.refuse(`a packet of type ${bytes[0]}`)
    }
  }

  readonly end = (events: EventBuffer): void => {
    this.#timekeeper.linkLost(events)
  }

  #learn(bytes: Buffer, events: EventBuffer): void {
    const race = raceInfo.read(bytes)
    if (race === undefined) return events.refuse("race info that is cut short")
    if (this.#race !== undefined && isOther(this.#race, race)) this.#renew(events)
    this.#race = race
    this.#tellRace(race)
  }

  #stop(arrival: number, events: EventBuffer): void {
    this.#timekeeper.end(events)
    this.#renew(events)
    this.#state = undefined
    this.#stoppedAt = arrival
  }

  /** The next point belongs to another session. */
  #renew(events: EventBuffer): void {
    this.#timekeeper.leave(events)
    this.#moments.begin()
    this.#clock.begin()
  }

  #followState(bytes: Buffer, arrival: number, events: EventBuffer): void {
    // The states of other cars are not read further.
    if (bytes.length <= IS_PLAYER_AT || bytes[IS_PLAYER_AT] === 0) return
    const now = carState.read(bytes)
    if (now === undefined) return events.refuse("a participant's state that is cut short")
    const verdict = this.#order.take(reachedIn(now), arrival)
    if (verdict === "unsure" || verdict === "late") return
    const last = this.#state
    if (last === undefined && verdict !== "back" && arrival - this.#stoppedAt < LATE_S) return
    const isOtherCar = last !== undefined && now.vehicleName !== last.vehicleName
    const isBack = verdict === "back" && last !== undefined
    // The car drove out of the garage, or began another run: the lap starts again.
    const isAgain = isBack && now.currentLap === last.currentLap && (now.inPits !== 0 || !this.#isRace)
    if (isOtherCar || (isBack && !isAgain)) this.#renew(events)
    this.#state = now
    this.#clock.advance(now, arrival, this.#motion.takeMoved())
    if (this.#timekeeper.isBegun) this.#readCar(now, arrival, events)
  }

  /** Only a race is restarted; in other sessions a car begins run after run. */
  get #isRace(): boolean {
    return this.#race === undefined || /race/i.test(this.#race.session)
  }

  #readCar(state: CarState, arrival: number, events: EventBuffer): void {
    this.#timekeeper.read(this.#moments.of(state, this.#clock.time, arrival), arrival, events)
    this.#tellCar(state)
  }

  #drove(bytes: Buffer, arrival: number, events: EventBuffer): void {
    const state = this.#state
    const places = placesIn(bytes)
    if (places === undefined)
      return events.refuse("telemetry that is cut short, or of fewer wheels than four")
    if (state === undefined || vehicleIdOf(bytes) !== state.vehicleId) return
    const verdict = this.#motion.take(movingIn(bytes, places.body), bytes, arrival)
    if (verdict === "still") return
    const time = verdict === "late" ? undefined : this.#clock.at(arrival)
    if (time === undefined) return events.late()
    if (!this.#timekeeper.isBegun) this.#readCar(state, arrival, events)
    this.#timekeeper.settle(arrival, events)
    this.#point(bytes, places, time, state, events)
    this.#rows(bytes, places, time, events)
  }

  #distanceOf({ lapProgress }: CarState): number {
    const length = this.#race?.layoutLength ?? Number.NaN
    return length > 0 && lapProgress >= 0 ? lapProgress * length : Number.NaN
  }

  #point(bytes: Buffer, places: Places, time: number, state: CarState, events: EventBuffer): void {
    const sample = this.#sample
    sample.time = time
    sample.speed = body.read.overallSpeed(bytes, places.body) * 3.6
    sample.rpm = body.read.engineRPM(bytes, places.body)
    sample.gear = inputs.read.gear(bytes, places.inputs)
    sample.throttle = inputs.read.accelerator(bytes, places.inputs)
    sample.brake = inputs.read.brake(bytes, places.inputs)
    sample.steering = inputs.read.steering(bytes, places.inputs)
    // One source calls the axes right-handed with y up; no real packets confirm it.
    sample.x = body.read.positionX(bytes, places.body)
    sample.y = -body.read.positionZ(bytes, places.body)
    sample.z = body.read.positionY(bytes, places.body)
    sample.lapNumber = this.#timekeeper.lapNumber
    sample.lapDistance = this.#distanceOf(state)
    events.point(sample)
  }

  #rows(bytes: Buffer, places: Places, time: number, events: EventBuffer): void {
    const rows = this.#channels
    rows.read("wheels", bytes, places.wheels)
    rows.read("body", bytes, places.body)
    rows.read("inputs", bytes, places.inputs)
    rows.take(time, events)
  }

  #tellCar(state: CarState): void {
    const values: Partial<Record<string, unknown>> = state
    const rows = this.#channels
    for (const [value, name] of carValues) rows.set(name, Number(values[value] ?? Number.NaN))
    rows.set("state.lapNumber", this.#timekeeper.lapNumber)
    rows.set("state.lapDistance", this.#distanceOf(state))
    rows.read("state", NOTHING)
  }

  #tellRace(race: RaceInfo): void {
    const values: Partial<Record<string, unknown>> = race
    const rows = this.#channels
    for (const [value, name] of raceValues) rows.set(name, Number(values[value] ?? Number.NaN))
    rows.read("race", NOTHING)
  }
}
