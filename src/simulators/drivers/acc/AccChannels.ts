/** The channels of the followed car, from its own update and from the session update before it. */
import { ABSENT } from "../../../domain/RowBatch.ts"
import type { EventBuffer, Sample } from "../../EventBuffer.ts"
import { ChannelRows } from "../../packets/ChannelRows.ts"
import { PathMotion, YawSense } from "../../senses.ts"
import { timeOfMs } from "../../timekeeping/reportedTimes.ts"
import { channels, type StateValue } from "./channels.ts"
import { type CarUpdate, type SessionUpdate, sessionUpdate } from "./layout.ts"
import { TimeLeft } from "./TimeLeft.ts"

const driven = (ms: number | null | undefined): number => timeOfMs(ms) ?? ABSENT
/** Here 0 is a time: the lap begins. */
const running = (ms: number | null): number => (ms === 0 ? 0 : driven(ms))

export class AccChannels {
  readonly #rows = new ChannelRows()
  readonly #path = new PathMotion()
  /** No source states the zero or the sense of the yaw; the driven path shows them. */
  readonly #yaw = new YawSense()
  readonly #timeLeft = new TimeLeft()
  #update: SessionUpdate | undefined
  /** The place and time of the last point, m and s. */
  #time = Number.NaN
  #x = 0
  #y = 0

  constructor() {
    this.#rows.use(channels)
  }

  /** Called when a session begins. */
  begin(): void {
    this.#rows.begin()
    this.#timeLeft.begin()
    this.#update = undefined
    this.#time = Number.NaN
  }

  /** Called with each point, `clock` s into the session. */
  tell(
    car: CarUpdate,
    update: SessionUpdate,
    clock: number,
    point: Readonly<Sample>,
    events: EventBuffer
  ): void {
    this.#follow(car, point)
    this.#rows.read("car", car.bytes)
    this.#set("state.lapDistance", Math.fround(point.lapDistance))
    this.#set("state.sessionTime", Math.fround(clock))
    this.#setLaps(car)
    if (update !== this.#update) this.#readSession(update)
    const hasBest = car.bestSessionLap.laptimeMs !== null || update.bestSessionLap.laptimeMs !== null
    this.#set("state.hasBest", hasBest ? 1 : ABSENT)
    this.#rows.take(point.time, events)
  }

  #set(name: StateValue, value: number): void {
    this.#rows.set(name, value)
  }

  /** Finds the sense of the yaw from the path since the last point. */
  #follow({ yaw }: CarUpdate, { time, x, y }: Readonly<Sample>): void {
    const step = time - this.#time
    this.#path.follow(time, (x - this.#x) / step, (y - this.#y) / step)
    this.#yaw.follow(yaw, this.#path.heading)
    this.#time = time
    this.#x = x
    this.#y = y
    this.#set("state.yawSign", this.#yaw.sign)
    this.#set("state.yawZero", this.#yaw.zero)
  }

  #readSession(update: SessionUpdate): void {
    this.#update = update
    this.#rows.read("session", update.bytes)
    this.#rows.read("conditions", update.bytes, sessionUpdate.placesIn(update.bytes)!.conditions)
    this.#set("state.timeLeft", this.#timeLeft.of(update))
    this.#set("state.sessionBestLapTime", driven(update.bestSessionLap.laptimeMs))
  }

  #setLaps({ bestSessionLap, currentLap, lastLap }: CarUpdate): void {
    const { laptimeMs, splits } = currentLap
    this.#set("state.lapTime", running(laptimeMs))
    this.#set("state.sector1", driven(splits[0]))
    this.#set("state.sector2", driven(splits[1]))
    this.#set("state.isInvalid", Number(currentLap.isInvalid))
    this.#set("state.isValidForBest", Number(currentLap.isValidForBest))
    this.#set("state.isOutLap", Number(currentLap.isOutlap))
    this.#set("state.isInLap", Number(currentLap.isInlap))
    this.#set("state.lastLapTime", driven(lastLap.laptimeMs))
    this.#set("state.bestLapTime", driven(bestSessionLap.laptimeMs))
  }
}
