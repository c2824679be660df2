/**
 * What our player drives: packets to points, laps and sessions.
 *
 * A point is an OutGauge packet of our car with the car's position at its moment (Whereabouts). It is recorded while
 * the game is in the race, not paused, not a replay, and our car is not in the garage.
 *
 * A session ends when our player leaves the race, the game goes to its front end or a replay, another track is loaded,
 * the race starts again, the car or the driver is another, or the laps are counted anew; the next point begins another.
 */
import { allBut, allChannels } from "../../../domain/ChannelSet.ts"
import { type EventBuffer, newSample } from "../../EventBuffer.ts"
import { NamedSession } from "../../NamedSession.ts"
import { outGauge } from "../outgauge/layout.ts"
import { carAt } from "./decodeCars.ts"
import { StateFlag, Tiny } from "./insim.ts"
import { LapTimes } from "./LapTimes.ts"
import { compCar } from "./layout.ts"
import { LfsChannels } from "./LfsChannels.ts"
import type { InSimPacket } from "./packets.ts"
import { type Entrant, Paddock } from "./Paddock.ts"
import { RaceClock } from "./RaceClock.ts"
import { trackName } from "./tracks.ts"
import { Whereabouts } from "./Whereabouts.ts"

type Of<Tag extends InSimPacket["_tag"]> = Extract<InSimPacket, { readonly _tag: Tag }>

/** The most that cars of the game can turn their front wheels by: 36 degrees, and so far is 1. */
const FULL_LOCK_RAD = (36 / 180) * Math.PI
const KMH = 3.6
const { read } = outGauge
/** Of what OutSim tells only its second version has the wheel; MCI has not. */
const withoutSteering = allBut("steering")

const within = (value: number, min: number, max: number) => Math.min(max, Math.max(min, value))

/**
 * OutSim's steering is positive to the left: by one tool that compares it with a real wheel (sheet, section 7); no real
 * packets bear it out yet.
 */
const steered = (left: number): number => within(0 - left / FULL_LOCK_RAD, -1, 1)

export class Race {
  readonly #paddock = new Paddock()
  readonly #whereabouts = new Whereabouts()
  readonly #laps = new LapTimes()
  readonly #channels = new LfsChannels()
  readonly #clock = new RaceClock()
  readonly #sample = newSample()
  #track = ""
  /** In the game itself, not in a menu or a replay. */
  #racing = false
  #paused = false
  #inGarage = false
  /** Who the session was begun for; undefined while none runs. */
  #session: Entrant | undefined
  readonly #recorded = new NamedSession()
  /** The lap under way, NaN while unknown, and the latest one of the session. */
  #lap = Number.NaN
  #latestLap = 0

  packet(packet: InSimPacket, arrival: number, events: EventBuffer): void {
    switch (packet._tag) {
      case "State":
        return this.#state(packet, events)
      case "RaceStart":
        return this.#raceStart(packet, arrival, events)
      case "Player":
        return this.#join(packet, events)
      case "Pits":
        if (!this.#isOurs(packet.plid)) return
        this.#inGarage = true
        return this.#channels.pitLane(undefined)
      case "PitLane":
        if (!this.#isOurs(packet.plid)) return
        this.#channels.pitLane(packet.isIn)
        return this.#laps.pitLane(packet.isIn)
      case "Leave":
        if (this.#isOurs(packet.plid)) this.#end(events)
        return this.#paddock.leave(packet.plid)
      case "Split":
        if (!this.#isOurs(packet.plid)) return
        this.#channels.split(packet)
        return this.#laps.split(packet.split, packet.time)
      case "Lap":
        if (this.#isOurs(packet.plid)) this.#lapDone(packet, arrival, events)
        return
      case "HotLapInvalid":
        if (this.#isOurs(packet.plid)) this.#laps.spoil()
        return
      case "Tiny":
        if (packet.subType !== Tiny.clear) return
        this.#end(events)
        return this.#paddock.clear()
      case "Version":
      case "Finish":
        // Who is through goes on driving, until leaving the race.
        return
    }
  }

  /** A MCI packet of so many cars. */
  cars(bytes: Buffer, cars: number, events: EventBuffer): void {
    const ours = this.#paddock.ours()
    if (ours === undefined || this.#clock.isAwaited) return
    const at = carAt(bytes, cars, ours.plid)
    if (at < 0) return
    this.#whereabouts.tellCar(bytes, at)
    this.#channels.car(bytes, at)
    const lap = compCar.read.Lap(bytes, at)
    // From then on LAP packets count, which come in order, and none is lost.
    if (!Number.isNaN(this.#lap) || lap === 0) return
    if (lap < this.#latestLap) this.#end(events)
    this.#setLap(lap)
  }

  /** An OutSim packet; why it cannot be read. */
  motion(bytes: Buffer): string | undefined {
    const said = this.#whereabouts.tellSim(bytes)
    if (typeof said === "string") return said
    if (said) this.#channels.motion(bytes)
    return undefined
  }

  /** An OutGauge packet. */
  gauge(bytes: Buffer, arrival: number, events: EventBuffer): void {
    const ours = this.#paddock.ours()
    if (!this.#racing || this.#paused || this.#inGarage || ours?.plid !== read.PLID(bytes)) return
    const clock = read.Time(bytes) / 1000
    const time = this.#clock.at(clock, arrival)
    if (time === undefined) return events.late()
    const where = this.#whereabouts
    if (!where.at(clock)) return
    this.#begin(ours, arrival, events)
    const sample = this.#sample
    sample.time = time
    sample.speed = read.Speed(bytes) * KMH
    sample.rpm = read.RPM(bytes)
    sample.gear = read.Gear(bytes) - 1
    sample.throttle = within(read.Throttle(bytes), 0, 1)
    sample.brake = within(read.Brake(bytes), 0, 1)
    sample.told = Number.isNaN(where.inputSteer) ? withoutSteering : allChannels
    sample.steering = steered(where.inputSteer)
    // The world of LFS is as ours is: right-handed, x and y on the ground, z up.
    sample.x = where.x
    sample.y = where.y
    sample.z = where.z
    sample.lapNumber = this.#lap
    sample.lapDistance = where.lapDistance
    this.#laps.point(time)
    events.point(sample)
    this.#channels.gauge(bytes, time, this.#lap, events)
  }

  #isOurs(plid: number): boolean {
    return this.#paddock.ours()?.plid === plid
  }

  #state({ flags, track, viewed }: Of<"State">, events: EventBuffer): void {
    const racing = (flags & StateFlag.inGame) !== 0 && (flags & (StateFlag.replay | StateFlag.frontEnd)) === 0
    if (track !== this.#track) {
      this.#end(events)
      this.#laps.splits = undefined
      this.#track = track
    }
    if (!racing) this.#end(events)
    this.#racing = racing
    this.#paused = (flags & StateFlag.paused) !== 0
    this.#paddock.view(viewed)
  }

  #raceStart({ request, timing, track }: Of<"RaceStart">, arrival: number, events: EventBuffer): void {
    if (request === 0) {
      this.#end(events)
      this.#clock.restart(arrival)
      this.#inGarage = false
    }
    this.#track = track
    this.#laps.splits = timing & 3
  }

  #join(packet: Of<"Player">, events: EventBuffer): void {
    // Somebody who only asks to join a host.
    if (packet.players === 0) return
    const returns = this.#inGarage && this.#isOurs(packet.plid)
    this.#paddock.join(packet)
    const ours = this.#paddock.ours()
    const session = this.#session
    const other =
      ours?.plid !== session?.plid || ours?.driver !== session?.driver || ours?.vehicle !== session?.vehicle
    if (this.#recorded.isRunning && other) this.#end(events)
    if (!returns) return
    this.#inGarage = false
    this.#laps.begin()
    // Out of the pits. Whether its way out of the lane is told, no source says.
    this.#laps.spoil()
    this.#whereabouts.reset()
    this.#lap = Number.NaN
  }

  #lapDone(packet: Of<"Lap">, arrival: number, events: EventBuffer): void {
    const { lapsDone, time } = packet
    if (lapsDone < this.#latestLap - 1) this.#end(events)
    else if (this.#session === undefined) this.#laps.begin()
    else this.#laps.complete(Math.max(1, lapsDone), time, this.#clock.beside(arrival), events)
    this.#channels.lap(packet)
    this.#setLap(lapsDone + 1)
  }

  #setLap(lap: number): void {
    this.#lap = lap
    this.#latestLap = Math.max(this.#latestLap, lap)
  }

  /** Starts the session of this point, if none runs, once its names are known. */
  #begin(ours: Entrant, arrival: number, events: EventBuffer): void {
    if (this.#session !== undefined && this.#session.plid !== ours.plid) this.#end(events)
    const recorded = this.#recorded
    if (recorded.isRunning) return
    this.#session = ours
    if (!recorded.isBegun) this.#channels.begin()
    recorded.begin(arrival, events)
    const isNamed = this.#track !== "" && ours.driver !== "" && ours.vehicle !== ""
    if (recorded.isDue(isNamed, arrival)) this.#start(ours, events)
  }

  #start({ driver, vehicle }: Entrant, events: EventBuffer): void {
    const circuit = trackName(this.#track)
    this.#recorded.start({ circuit, vehicle, driver, circuitLength: undefined }, events)
  }

  /** The session ends, if one runs; the laps of the next one are counted anew. */
  #end(events: EventBuffer): void {
    const session = this.#session
    this.#lap = Number.NaN
    this.#latestLap = 0
    this.#laps.begin()
    this.#whereabouts.reset()
    if (session === undefined) return
    // What was held back has no names to wait for any more.
    if (this.#recorded.isWaiting) this.#start(session, events)
    this.#session = undefined
    this.#recorded.reset()
    events.end()
  }
}
