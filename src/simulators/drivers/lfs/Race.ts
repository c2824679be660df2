/**
 * Turns our player's packets into points, laps and sessions.
 *
 * A point is an OutGauge packet of our car with the car's position at its moment (Whereabouts). It is recorded while
 * the game is in the race, not paused, not in a replay, and our car is not in the garage.
 *
 * A session ends when our player leaves the race, the game goes to its front end or a replay, another track is loaded,
 * the race restarts, the car or the driver changes, or the laps are counted anew; the next point begins another session.
 *
 * Over 250 lines: one function for each kind of packet, and they change one state.
 */
import { allBut, allChannels } from "../../../domain/ChannelSet.ts"
import { type EventBuffer, newSample } from "../../EventBuffer.ts"
import { NamedSession } from "../../NamedSession.ts"
import { share } from "../../packets/conversions.ts"
import { outGauge } from "../outgauge/layout.ts"
import type { Heard } from "./decode.ts"
import { carAt } from "./decodeCars.ts"
import { heard, StateFlag, Tiny } from "./insim.ts"
import { LapTimes } from "./LapTimes.ts"
import { compCar } from "./layout.ts"
import { LfsChannels } from "./LfsChannels.ts"
import { type Entrant, Paddock } from "./Paddock.ts"
import { RaceClock } from "./RaceClock.ts"
import { steered } from "./steering.ts"
import { trackName } from "./tracks.ts"
import { Whereabouts } from "./Whereabouts.ts"

const KMH = 3.6
const { read } = outGauge
/** The steering is in the second version of OutSim only; MCI lacks it. */
const withoutSteering = allBut("steering")

type OfPlayer = "PLP" | "PLA" | "SPX" | "LAP" | "HLV"

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
  /** The player of the current session; undefined while none runs. */
  #session: Entrant | undefined
  readonly #recorded = new NamedSession(
    () => this.#track !== "" && this.#session!.driver !== "" && this.#session!.vehicle !== "",
    () => {
      const { driver, vehicle } = this.#session!
      return { circuit: trackName(this.#track), vehicle, driver, circuitLength: undefined }
    }
  )
  /** The current lap, NaN while unknown, and the latest lap of the session. */
  #lap = Number.NaN
  #latestLap = 0

  packet(name: Heard, bytes: Buffer, arrival: number, events: EventBuffer): void {
    switch (name) {
      case "STA":
        return this.#state(bytes, events)
      case "RST":
        return this.#raceStart(bytes, arrival, events)
      case "NPL":
        return this.#join(bytes, events)
      case "NCN":
        return this.#paddock.connect(bytes)
      case "TOC":
        return this.#takeOver(bytes)
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
      case "FIN": // A driver who has finished drives on until leaving the race.
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
        return this.#laps.pitLane(isIn)
      }
      case "SPX": {
        const { Split, STime } = heard.SPX.read
        this.#channels.split(bytes)
        return this.#laps.split(Split(bytes), STime(bytes))
      }
      case "LAP":
        return this.#lapDone(bytes, arrival, events)
      case "HLV":
        return this.#laps.spoil()
    }
  }

  /** Takes an MCI packet of this many cars. */
  cars(bytes: Buffer, cars: number, events: EventBuffer): void {
    const ours = this.#paddock.ours()
    if (ours === undefined || this.#clock.isAwaited) return
    const at = carAt(bytes, cars, ours.plid)
    if (at < 0) return
    this.#whereabouts.tellCar(bytes, at)
    this.#channels.car(bytes, at)
    const lap = compCar.read.Lap(bytes, at)
    // Once the lap is known, LAP packets count the laps: they come in order, and none is lost.
    if (!Number.isNaN(this.#lap) || lap === 0) return
    if (lap < this.#latestLap) this.#end(events)
    this.#setLap(lap)
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
    this.#begin(ours, arrival, events)
    const sample = this.#sample
    sample.time = time
    sample.speed = read.Speed(bytes) * KMH
    sample.rpm = read.RPM(bytes)
    sample.gear = read.Gear(bytes) - 1
    sample.throttle = share(read.Throttle(bytes))
    sample.brake = share(read.Brake(bytes))
    sample.told = Number.isNaN(where.inputSteer) ? withoutSteering : allChannels
    sample.steering = steered(where.inputSteer)
    // The world of LFS has our axes: right-handed, x and y on the ground, z up.
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

  #state(bytes: Buffer, events: EventBuffer): void {
    const { read, readText } = heard.STA
    const flags = read.Flags(bytes)
    const track = readText.Track(bytes)
    const racing = (flags & StateFlag.inGame) !== 0 && (flags & (StateFlag.replay | StateFlag.frontEnd)) === 0
    if (track !== this.#track) {
      this.#end(events)
      this.#laps.splits = undefined
      this.#track = track
    }
    if (!racing) this.#end(events)
    this.#racing = racing
    this.#paused = (flags & StateFlag.paused) !== 0
    this.#paddock.view(read.ViewPLID(bytes))
  }

  #raceStart(bytes: Buffer, arrival: number, events: EventBuffer): void {
    const { read, readText } = heard.RST
    // This one was not requested.
    if (read.ReqI(bytes) === 0) {
      this.#end(events)
      this.#clock.restart(arrival)
      this.#inGarage = false
    }
    this.#track = readText.Track(bytes)
    this.#laps.splits = read.Timing(bytes) & 3
  }

  #join(bytes: Buffer, events: EventBuffer): void {
    const { NumP, PLID } = heard.NPL.read
    // This player only asks to join a host.
    if (NumP(bytes) === 0) return
    const returns = this.#inGarage && this.#isOurs(PLID(bytes))
    this.#paddock.join(bytes)
    const ours = this.#paddock.ours()
    const session = this.#session
    const other =
      ours?.plid !== session?.plid || ours?.driver !== session?.driver || ours?.vehicle !== session?.vehicle
    if (this.#recorded.isRunning && other) this.#end(events)
    if (!returns) return
    this.#inGarage = false
    this.#laps.begin()
    // The car comes out of the pits. No source says whether LFS tells that it leaves the lane.
    this.#laps.spoil()
    this.#whereabouts.reset()
    this.#lap = Number.NaN
  }

  /** Another name of the same driver: the session goes on. */
  #rename(bytes: Buffer, events: EventBuffer): void {
    this.#paddock.rename(bytes)
    const ours = this.#paddock.ours()
    const session = this.#session
    if (session === undefined || ours?.plid !== session.plid || ours.driver === session.driver) return
    this.#session = { ...session, driver: ours.driver }
    if (this.#recorded.isRunning) events.rename({ driver: ours.driver })
  }

  /** The car's laps are another driver's from now on: the session goes on, and keeps its first driver. */
  #takeOver(bytes: Buffer): void {
    this.#paddock.takeOver(bytes)
    const ours = this.#paddock.ours()
    const session = this.#session
    if (session === undefined || ours?.plid !== session.plid || ours.driver === session.driver) return
    this.#session = { ...session, driver: ours.driver }
    this.#laps.driver = ours.driver
  }

  #lapDone(bytes: Buffer, arrival: number, events: EventBuffer): void {
    const lapsDone = heard.LAP.read.LapsDone(bytes)
    const time = heard.LAP.read.LTime(bytes)
    if (lapsDone < this.#latestLap - 1) this.#end(events)
    else if (this.#session === undefined) this.#laps.begin()
    else this.#laps.complete(Math.max(1, lapsDone), time, this.#clock.beside(arrival), events)
    this.#channels.lap(bytes)
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
  }

  /** Ends the session, if one runs; the laps of the next one are counted anew. */
  #end(events: EventBuffer): void {
    this.#lap = Number.NaN
    this.#latestLap = 0
    this.#laps.begin()
    this.#laps.driver = ""
    this.#whereabouts.reset()
    this.#recorded.end(events)
    this.#session = undefined
  }
}
