/** A session that is being recorded: the clock of its feed, what it has admitted, and its laps. Plain, without I/O. */
import {
  type ChannelGroup,
  type Dictionary,
  type GroupDeclaration,
  LAP,
  type RefusedChannel
} from "../domain/Dictionary.ts"
import { type LapBatch, lapColumns } from "../domain/LapBatch.ts"
import { inColumns, type SampleBatch } from "../domain/PointBatch.ts"
import type { SessionNames } from "../domain/Session.ts"
import { isPointTime } from "../domain/Time.ts"
import { type Admission, admit, type FeedPoints, leadAfter } from "./admission.ts"
import type { IntakeEntry } from "./Intake.ts"
import type { LapCut, LapMessage } from "./laps.ts"
import type { LapTracker } from "./LapTracker.ts"
import { admitSamples, type SampleAdmission } from "./sampleAdmission.ts"

/** More than what is lost of a time of today by a clock's zero that is taken off it and added again, s: twice 240 ns. */
const MIN_STEP_S = 1e-6

/** The clock zero of a feed whose first row is at `now`; a time that no clock has tells nothing. */
const zeroOf = (times: Float64Array, now: number): number | undefined => {
  const first = times.find((time) => isPointTime(Math.abs(time)))
  return first === undefined ? undefined : now - first
}

/** The group of what points say of laps. */
const ofPoints: GroupDeclaration = {
  name: LAP,
  channels: lapColumns.filter((name) => name !== "timestamp").map((name) => ({ name }))
}

/** Whether any of the samples has a value. */
const saysAny = ({ data, length }: LapBatch): boolean => {
  for (let i = length; i < data.length; i++) if (!Number.isNaN(data[i])) return true
  return false
}

export interface OpenSessionOptions {
  readonly id: number
  readonly names: SessionNames
  readonly tracker: LapTracker
  readonly zero: number | undefined
  readonly last: number
  /** When the point at `last` arrived, epoch seconds. */
  readonly lastArrival: number
  readonly awaitsSimulator: boolean
  /** Points that it has; undefined where it is unknown, and then its points have no numbers. */
  readonly recorded: number | undefined
  /** The channels that its source has declared so far, and whether the catalog has them. */
  readonly dictionary: Dictionary
  readonly isDictionaryStored: boolean
  /** The source declares the group `lap` itself over this link, and what its points say of laps is not stored in it. */
  readonly hasOwnLap: boolean
  /** The last sample of each group, and when it arrived; epoch seconds. */
  readonly groups: ReadonlyMap<string, LastSample>
}

export interface LastSample {
  readonly last: number
  readonly lastArrival: number
}

export class OpenSession {
  readonly id: number
  readonly names: SessionNames
  readonly tracker: LapTracker
  /** Epoch seconds of the feed's clock zero; undefined until the first point's arrival tells. */
  zero: number | undefined
  /** Opened, or left by its link, and not yet taken up by the simulator's session message. */
  awaitsSimulator: boolean
  #last: number
  #lastArrival: number
  #recorded: number | undefined
  #dictionary: Dictionary
  #isDictionaryStored: boolean
  readonly #groups: Map<string, LastSample>
  #hasOwnLap: boolean
  /** Channels that points tell of laps and the session has no room for: undefined before points told any, empty once taken. */
  #refusedOfLaps: ReadonlyArray<RefusedChannel> | undefined

  constructor(options: OpenSessionOptions) {
    const { awaitsSimulator, id, last, lastArrival, names, recorded, tracker, zero } = options
    this.#dictionary = options.dictionary
    this.#isDictionaryStored = options.isDictionaryStored
    this.#groups = new Map(options.groups)
    this.#hasOwnLap = options.hasOwnLap
    this.id = id
    this.names = names
    this.tracker = tracker
    this.zero = zero
    this.awaitsSimulator = awaitsSimulator
    this.#last = last
    this.#lastArrival = lastArrival
    this.#recorded = recorded
  }

  /** The last admitted timestamp, epoch seconds; -Infinity before the first. */
  get last(): number {
    return this.#last
  }

  /** When that point arrived, epoch seconds. */
  get lastArrival(): number {
    return this.#lastArrival
  }

  get dictionary(): Dictionary {
    return this.#dictionary
  }

  get hasOwnLap(): boolean {
    return this.#hasOwnLap
  }

  get groups(): ReadonlyMap<string, LastSample> {
    return this.#groups
  }

  /** The dictionary where it has grown since this was last asked: it must be stored before the rows that follow. */
  takeDictionary(): Dictionary | undefined {
    if (this.#isDictionaryStored) return undefined
    this.#isDictionaryStored = true
    return this.#dictionary
  }

  /** Its link is gone: another may take it up, and declares anew. */
  linkLost(): void {
    this.awaitsSimulator = true
    this.#hasOwnLap = false
    this.tracker.linkLost()
  }

  /** Adds groups and channels that the source declares; refuses those that contradict what it declared before. */
  declare(declarations: ReadonlyArray<GroupDeclaration>): ReadonlyArray<RefusedChannel> {
    if (declarations.some(({ name }) => name === LAP)) this.#hasOwnLap = true
    const { dictionary, refused } = this.#dictionary.declared(declarations)
    this.#grow(dictionary)
    return refused
  }

  /** Points that arrived at `arrival`, epoch seconds: put on the epoch's clock where they are, and those that may be recorded. */
  admit(points: FeedPoints, arrival: number): Admission {
    this.#anchor(points.batch.timestamps, arrival)
    if (points.lap !== undefined) this.#anchor(points.lap.timestamps, arrival)
    this.#grow(this.#dictionary.withTold(points.toldBySome ?? points.told))
    const admission = admit(points, { last: this.#last, ago: arrival - this.#lastArrival })
    const last = admission.points.batch.timestamps.at(-1)
    if (last !== undefined) {
      this.#last = last
      this.#lastArrival = arrival
    }
    return admission
  }

  /**
   * The same of samples, whose group must be known: they get the columns that it has in this session, in its order. What is
   * not declared is left out.
   */
  admitSamples(group: ChannelGroup, samples: SampleBatch, arrival: number): SampleAdmission {
    this.#anchor(samples.timestamps, arrival)
    return this.#admitInto(group.name, inColumns(samples, group.columns), arrival)
  }

  /**
   * What admitted points say of their laps, with the columns of the session's group `lap`; undefined where they say nothing, and
   * where the session has as many groups or channels as it may have.
   */
  lapSamples({ lap }: FeedPoints, arrival: number): SampleBatch | undefined {
    if (!this.saysLap(lap)) return undefined
    const { dictionary, refused } = this.#dictionary.declared([ofPoints])
    this.#grow(dictionary)
    this.#refusedOfLaps ??= refused
    const group = this.#dictionary.group(LAP)
    return group === undefined
      ? undefined
      : this.#admitInto(LAP, inColumns(lap, group.columns), arrival).batch
  }

  /** What `lapSamples` had no room for, once a session. */
  takeRefusedOfLaps(): ReadonlyArray<RefusedChannel> {
    const refused = this.#refusedOfLaps ?? []
    if (refused.length > 0) this.#refusedOfLaps = []
    return refused
  }

  /** Whether what points say of their laps is something, and not for the group `lap` of the source's own to say. */
  saysLap(lap: LapBatch | undefined): lap is LapBatch {
    return !this.#hasOwnLap && lap !== undefined && saysAny(lap)
  }

  /** Counts points that are recorded: the number of the first of them among the session's, from 1; undefined where it is unknown. */
  number(points: number): number | undefined {
    if (this.#recorded === undefined) return undefined
    const first = this.#recorded + 1
    this.#recorded += points
    return first
  }

  entryOf(cut: LapCut): IntakeEntry {
    return { _tag: "Lap", lap: { sessionId: this.id, ...cut } }
  }

  /** A lap message that arrives at `arrival` on the epoch's clock; undefined where its times cannot be. */
  lapMessage(message: LapMessage, arrival: number): LapMessage | undefined {
    const start = this.#anchored(message.start)
    const end = this.#anchored(message.end)
    const last = this.#last
    const latest =
      last === -Infinity ? Infinity : last + leadAfter({ last, ago: arrival - this.#lastArrival })
    const canBe = (time: number | undefined) => time === undefined || (isPointTime(time) && time <= latest)
    return canBe(start) && canBe(end) ? { ...message, start, end } : undefined
  }

  /** Samples on the epoch's clock. */
  #admitInto(group: string, samples: SampleBatch, arrival: number): SampleAdmission {
    const { last, lastArrival } = this.#groups.get(group) ?? { last: -Infinity, lastArrival: arrival }
    const admission = admitSamples(samples, { last, ago: arrival - lastArrival })
    const latest = admission.batch.timestamps.at(-1)
    if (latest !== undefined) this.#groups.set(group, { last: latest, lastArrival: arrival })
    return admission
  }

  #grow(dictionary: Dictionary): void {
    if (dictionary === this.#dictionary) return
    this.#dictionary = dictionary
    this.#isDictionaryStored = false
  }

  /** An instant after all that was admitted, of whichever group; -Infinity before the first row. */
  get #end(): number {
    let last = this.#last
    for (const group of this.#groups.values()) last = Math.max(last, group.last)
    return last + MIN_STEP_S
  }

  /** Puts times of the feed's clock on the epoch's, which the first row of any group anchors, behind all that was admitted. */
  #anchor(times: Float64Array, arrival: number): void {
    this.zero ??= zeroOf(times, Math.max(arrival, this.#end))
    const zero = this.zero ?? 0
    for (let i = 0; i < times.length; i++) times[i]! += zero
  }

  /** Epoch seconds of a time on the feed's clock; undefined where that is not known. */
  #anchored(time: number | undefined): number | undefined {
    return time === undefined || this.zero === undefined ? undefined : this.zero + time
  }
}
