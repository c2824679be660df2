/**
 * Turns our player's packets into points, and into moments for the timekeeper.
 *
 * A point is an OutGauge packet of our car with the car's position at its moment (Whereabouts). It is recorded while
 * the game is in the race, not paused, not in a replay, and our car is not in the garage. A LAP packet is a moment without a
 * point: over TCP, which loses no packet, it reports the end of a lap, with its number and its time.
 *
 * LFS itself reports the end of a session: our player leaves the race, the game goes to its front end or a replay, the
 * race restarts. The timekeeper judges another track, another car, and a race whose laps are counted anew.
 */
import { allBut, allChannels } from "../../../domain/ChannelSet.ts"
import { type EventBuffer, newSample } from "../../EventBuffer.ts"
import { share } from "../../packets/conversions.ts"
import type { Moment } from "../../timekeeping/Moment.ts"
import { Timekeeper } from "../../timekeeping/Timekeeper.ts"
import { outGauge } from "../outgauge/layout.ts"
import type { Heard } from "./decode.ts"
import { carAt } from "./decodeCars.ts"
import { heard, RaceInProgress, StateFlag, Tiny } from "./insim.ts"
import { compCar } from "./layout.ts"
import { LfsChannels } from "./LfsChannels.ts"
import { type Entrant, Paddock } from "./Paddock.ts"
import { RaceClock } from "./RaceClock.ts"
import { RaceMoments } from "./RaceMoments.ts"
import { steered } from "./steering.ts"
import { trackName } from "./tracks.ts"
import { Whereabouts } from "./Whereabouts.ts"

const KMH = 3.6
const { read } = outGauge
/** The steering is in the second version of OutSim only; MCI lacks it. */
const withoutSteering = allBut("steering")

type OfPlayer = "PLP" | "PLA" | "SPX" | "LAP" | "HLV" | "FIN"

export class Race {
  readonly #paddock = new Paddock()
  readonly #whereabouts = new Whereabouts()
  readonly #moments = new RaceMoments()
  readonly #channels = new LfsChannels()
  readonly #clock = new RaceClock()
  readonly #sample = newSample()
  #track = ""
  /** In the game itself, not in a menu or a replay. */
  #racing = false
  #paused = false
  #inGarage = false
  /** The player of the current session; undefined while none runs. */
  #player: Entrant | undefined
  readonly #timekeeper = new Timekeeper(
    () => {
      const { driver, vehicle } = this.#player!
      return { circuit: trackName(this.#track), vehicle, driver, circuitLength: undefined }
    },
    ({ time }) => {
      this.#moments.began = time
      this.#channels.begin()
    },
    () => this.#track !== "" && this.#player!.driver !== "" && this.#player!.vehicle !== ""
  )

  packet(name: Heard, bytes: Buffer, arrival: number, events: EventBuffer): void {
    switch (name) {
      case "STA":
        return this.#state(bytes, events)
      case "RST":
        return this.#raceStart(bytes, arrival, events)
      case "NPL":
        return this.#join(bytes, arrival, events)
      case "NCN":
        return this.#paddock.connect(bytes)
      case "TOC":
        return this.#paddock.takeOver(bytes)
      case "CPR":
        return this.#rename(bytes, events)
      case "TINY":
        if (heard.TINY.read.SubT(bytes) !== Tiny.clear) return
        this.#end(events)
        return this.#paddock.clear()
      case "PLL": {
        const plid = heard.PLL.read.PLID(bytes)
        if (this.#isOurs(plid)) this.#end(events)
        return this.#paddock.leave(plid)
      }
      case "VER":
        return
      default:
        if (this.#isOurs(heard[name].read.PLID(bytes))) this.#ofOurs(name, bytes, arrival, events)
    }
  }

  #ofOurs(name: OfPlayer, bytes: Buffer, arrival: number, events: EventBuffer): void {
    switch (name) {
      case "PLP":
        this.#inGarage = true
        return this.#channels.pitLane(undefined)
      case "PLA": {
        const isIn = heard.PLA.read.Fact(bytes) !== 0
        this.#channels.pitLane(isIn)
        return this.#moments.pitLane(isIn)
      }
      case "SPX": {
        const { Split, STime } = heard.SPX.read
        this.#channels.split(bytes)
        return this.#moments.laps.split(Split(bytes), STime(bytes))
      }
      case "LAP":
        return this.#lapDone(bytes, arrival, events)
      case "HLV":
        return this.#moments.laps.spoil()
      case "FIN":
        return this.#moments.finish(bytes)
    }
  }

  /** Takes an MCI packet of this many cars. */
  cars(bytes: Buffer, cars: number): void {
    const ours = this.#paddock.ours()
    if (ours === undefined || this.#clock.isAwaited) return
    const at = carAt(bytes, cars, ours.plid)
    if (at < 0) return
    this.#whereabouts.tellCar(bytes, at)
    this.#channels.car(bytes, at)
    this.#moments.tellLap(compCar.read.Lap(bytes, at))
  }

  /** Takes an OutSim packet; returns why it cannot be read. */
  motion(bytes: Buffer): string | undefined {
    const said = this.#whereabouts.tellSim(bytes)
    if (typeof said === "string") return said
    if (said) this.#channels.motion(bytes)
    return undefined
  }

  /** Takes an OutGauge packet. */
  gauge(bytes: Buffer, arrival: number, events: EventBuffer): void {
    const ours = this.#paddock.ours()
    if (!this.#racing || this.#paused || this.#inGarage || ours?.plid !== read.PLID(bytes)) return
    const clock = read.Time(bytes) / 1000
    const time = this.#clock.at(clock, arrival)
    if (time === undefined) return events.late()
    const where = this.#whereabouts
    if (!where.at(clock)) return
    if (this.#player !== undefined && this.#player.plid !== ours.plid) this.#end(events)
    this.#player = ours
    const moment = this.#moments.at(time, this.#track, ours)
    this.#timekeeper.read(moment, arrival, events)
    const sample = this.#sample
    sample.time = time
    sample.speed = read.Speed(bytes) * KMH
    sample.rpm = read.RPM(bytes)
    sample.gear = read.Gear(bytes) - 1
    sample.throttle = share(read.Throttle(bytes))
    sample.brake = share(read.Brake(bytes))
    sample.declared = Number.isNaN(where.inputSteer) ? withoutSteering : allChannels
    sample.steering = steered(where.inputSteer)
    // The world of LFS has our axes: right-handed, x and y on the ground, z up.
    sample.x = where.x
    sample.y = where.y
    sample.z = where.z
    sample.lapNumber = this.#timekeeper.lapNumber
    sample.lapDistance = where.lapDistance
    events.point(sample)
    this.#channels.gauge(bytes, time, moment.lapNumber, events)
  }

  end(events: EventBuffer): void {
    this.#timekeeper.linkLost(events)
  }

  #isOurs(plid: number): boolean {
    return this.#paddock.ours()?.plid === plid
  }

  #state(bytes: Buffer, events: EventBuffer): void {
    const { read, readText } = heard.STA
    const flags = read.Flags(bytes)
    const track = readText.Track(bytes)
    this.#racing = (flags & StateFlag.inGame) !== 0 && (flags & (StateFlag.replay | StateFlag.frontEnd)) === 0
    if (!this.#racing) this.#end(events)
    if (track !== this.#track) {
      this.#moments.laps.splits = undefined
      this.#renew()
    }
    this.#track = track
    this.#moments.isRace = read.RaceInProg(bytes) === RaceInProgress.race
    this.#paused = (flags & StateFlag.paused) !== 0
    this.#paddock.view(read.ViewPLID(bytes))
  }

  #raceStart(bytes: Buffer, arrival: number, events: EventBuffer): void {
    const { read, readText } = heard.RST
    // This packet was not requested.
    if (read.ReqI(bytes) === 0) {
      this.#end(events)
      this.#clock.restart(arrival)
      this.#inGarage = false
    }
    this.#track = readText.Track(bytes)
    this.#moments.laps.splits = read.Timing(bytes) & 3
  }

  #join(bytes: Buffer, arrival: number, events: EventBuffer): void {
    const { NumP, PLID } = heard.NPL.read
    // This player only asks to join a host.
    if (NumP(bytes) === 0) return
    const vehicle = this.#paddock.ours()?.vehicle ?? ""
    const returns = this.#inGarage && this.#isOurs(PLID(bytes))
    this.#paddock.join(bytes)
    if (vehicle !== "" && vehicle !== this.#paddock.ours()!.vehicle) this.#renew()
    if (!returns) return
    this.#inGarage = false
    this.#whereabouts.reset()
    this.#hear(this.#moments.leaveGarage(), arrival, events)
  }

  /** Another name of the same driver: the session goes on. */
  #rename(bytes: Buffer, events: EventBuffer): void {
    const before = this.#paddock.ours()
    this.#paddock.rename(bytes)
    const ours = this.#paddock.ours()
    if (before === undefined || ours === undefined || ours.driver === before.driver) return
    if (this.#player?.plid === ours.plid) this.#player = ours
    this.#timekeeper.rename(before.driver, ours.driver, events)
  }

  #lapDone(bytes: Buffer, arrival: number, events: EventBuffer): void {
    this.#hear(this.#moments.lapDone(bytes, this.#clock.beside(arrival)), arrival, events)
    this.#moments.beginLap(this.#timekeeper.isBegun)
    this.#channels.lap(bytes)
  }

  /** A message over TCP is a moment of the session that runs. */
  #hear(moment: Moment, arrival: number, events: EventBuffer): void {
    if (this.#timekeeper.isBegun) this.#timekeeper.read(moment, arrival, events)
  }

  /** Ends the session, if one runs. */
  #end(events: EventBuffer): void {
    this.#timekeeper.end(events)
    this.#player = undefined
    this.#renew()
  }

  /** The next point is another session's. */
  #renew(): void {
    this.#moments.renew()
    this.#whereabouts.reset()
  }
}
