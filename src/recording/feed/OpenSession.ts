/**
 * A session that is being recorded: its feed's clock, the admitted rows, and its laps. Plain, without I/O. One clock
 * and one dictionary admit points, samples and laps.
 */
import type { ChannelGroup, Dictionary, GroupDeclaration, RefusedChannel } from "../../domain/Dictionary.ts"
import { gapAfter, MAX_LAP_S } from "../../domain/lapLimits.ts"
import { inColumns, type RowBatch } from "../../domain/RowBatch.ts"
import type { SessionNames } from "../../domain/Session.ts"
import { isPointTime } from "../../domain/Time.ts"
import { type Admission, admit, type FeedPoints } from "./admission.ts"
import { ClockOddities } from "./ClockOddities.ts"
import { type FeedClock, MAX_LEAD_S, MIN_STEP_S } from "./FeedClock.ts"
import type { IntakeEntry } from "../intake/Intake.ts"
import type { LapCut, LapMessage } from "../laps/laps.ts"
import type { LapTracker } from "../laps/LapTracker.ts"
import { admitSamples, type SampleAdmission } from "./sampleAdmission.ts"

/** The newest laps that a source may still change. A classification at the end of a session corrects fewer. */
const MAX_CHANGEABLE = 1024
/** Before the first sample of a group. */
const noSample: LastSample = { last: -Infinity, lastArrival: 0 }

export interface OpenSessionOptions {
  readonly id: number
  readonly names: SessionNames
  readonly tracker: LapTracker
  readonly clock: FeedClock
  readonly awaitsSimulator: boolean
  /** The number of the session's points; undefined if unknown, and then points get no numbers. */
  readonly recorded: number | undefined
  /** The channels that the source has declared so far, and whether the catalog has them. */
  readonly dictionary: Dictionary
  readonly isDictionaryStored: boolean
  /** The last sample of each group, and when it arrived; epoch seconds. */
  readonly groups: ReadonlyMap<string, LastSample>
}

export interface LastSample {
  readonly last: number
  readonly lastArrival: number
  /** The time of a later sample that was refused because it leapt ahead. */
  readonly suspect?: number | undefined
}

export class OpenSession {
  readonly id: number
  names: SessionNames
  readonly tracker: LapTracker
  readonly clock: FeedClock
  readonly oddities = new ClockOddities()
  /** The session was resumed, or its link was lost, and the simulator has not sent its session message yet. */
  awaitsSimulator: boolean
  #recorded: number | undefined
  #dictionary: Dictionary
  #isDictionaryStored: boolean
  readonly #groups: Map<string, LastSample>
  /** The starts of the newest laps that the source may change, by the source's own numbers. */
  readonly #starts = new Map<number, number>()

  constructor(options: OpenSessionOptions) {
    const { awaitsSimulator, clock, id, names, recorded, tracker } = options
    this.#dictionary = options.dictionary
    this.#isDictionaryStored = options.isDictionaryStored
    this.#groups = new Map(options.groups)
    this.id = id
    this.names = names
    this.tracker = tracker
    this.clock = clock
    this.awaitsSimulator = awaitsSimulator
    this.#recorded = recorded
  }

  get dictionary(): Dictionary {
    return this.#dictionary
  }

  get groups(): ReadonlyMap<string, LastSample> {
    return this.#groups
  }

  /** The dictionary if it has grown since the last call: it must be stored before the rows that follow. */
  takeDictionary(): Dictionary | undefined {
    if (this.#isDictionaryStored) return undefined
    this.#isDictionaryStored = true
    return this.#dictionary
  }

  /** The link is gone. Another link may continue the session, and declares its channels anew. */
  linkLost(): void {
    this.awaitsSimulator = true
    this.clock.linkLost()
  }

  /** Adds groups and channels that the source declares. Refuses those that contradict an earlier declaration. */
  declare(declarations: ReadonlyArray<GroupDeclaration>): ReadonlyArray<RefusedChannel> {
    const { dictionary, refused } = this.#dictionary.withGroups(declarations)
    this.#grow(dictionary)
    return refused
  }

  /**
   * Points that arrived at `arrival`, epoch seconds. Converts their times to epoch seconds in place, and returns the admitted
   * points. `next`: the time of the row after them, if it has arrived, on the feed's clock.
   */
  admit(points: FeedPoints, arrival: number, next: number | undefined): Admission {
    this.clock.anchor(points.batch.timestamps, arrival, this.#end)
    this.#grow(this.#dictionary.withDeclared(points.declaredBySome ?? points.declared))
    return admit(points, this.clock, { arrival, interval: this.tracker.interval, next })
  }

  /**
   * The same for samples, whose group must be known. They get the columns that the group has in this session, in the
   * group's order. Undeclared columns are left out.
   */
  admitSamples(group: ChannelGroup, samples: RowBatch, arrival: number): SampleAdmission {
    const { timestamps: times } = samples
    this.clock.anchor(times, arrival, this.#end)
    const { zero = 0 } = this.clock
    for (let i = 0; i < times.length; i++) times[i]! += zero
    return this.#admitInto(group, inColumns(samples, group.columns), arrival)
  }

  /**
   * The lap data of admitted points, as rows with the columns of the lap group. Undefined if lap data is not kept, or
   * if the session has no room for the group.
   */
  lapRows({ lap, lapGroup }: FeedPoints, arrival: number): RowBatch | undefined {
    const group = lapGroup === undefined ? undefined : this.#dictionary.group(lapGroup)
    return lap === undefined || group === undefined
      ? undefined
      : this.#admitInto(group, inColumns(lap, group.columns), arrival).batch
  }

  /** Counts recorded points. Returns the number of the first of them in the session, from 1; undefined if unknown. */
  number(points: number): number | undefined {
    if (this.#recorded === undefined) return undefined
    const first = this.#recorded + 1
    this.#recorded += points
    return first
  }

  /** Remembers that the source's lap `ref` starts at `start`, epoch seconds. */
  remember(ref: number, start: number): void {
    this.#starts.set(ref, start)
    if (this.#starts.size <= MAX_CHANGEABLE) return
    for (const oldest of this.#starts.keys()) return void this.#starts.delete(oldest)
  }

  /**
   * When the source's lap `ref` starts, epoch seconds; undefined if it was not recorded, or if too many laps came
   * since.
   */
  lapWith(ref: number): number | undefined {
    return this.#starts.get(ref)
  }

  entryOf(cut: LapCut): IntakeEntry {
    return { _tag: "Lap", lap: { sessionId: this.id, ...cut } }
  }

  /**
   * Converts the times of a lap message that arrives at `arrival` to epoch seconds; undefined if a time is impossible.
   */
  lapMessage(message: LapMessage, arrival: number): LapMessage | undefined {
    const start = this.clock.epoch(message.start)
    const end = this.clock.epoch(message.end)
    const latest = this.clock.latest(arrival)
    const canBe = (time: number | undefined) => time === undefined || (isPointTime(time) && time <= latest)
    const times = [message.lapTime, ...message.sectors]
    return canBe(start) && canBe(end) && times.every((time) => time === null || time <= MAX_LAP_S)
      ? { ...message, start, end }
      : undefined
  }

  /** Admits samples whose times are in epoch seconds. */
  #admitInto(group: ChannelGroup, samples: RowBatch, arrival: number): SampleAdmission {
    const { last, lastArrival, suspect } = this.#groups.get(group.name) ?? noSample
    const expected = Math.max(last + Math.max(0, arrival - lastArrival), this.clock.expected(arrival))
    const { interval } = this.tracker
    const limit = this.clock.isOfFile ? Infinity : Number.isNaN(interval) ? MAX_LEAD_S : gapAfter(interval)
    const admission = admitSamples(group, samples, { last, suspect, expected, limit })
    const latest = admission.batch.timestamps.at(-1)
    this.#groups.set(group.name, {
      last: latest ?? last,
      lastArrival: latest === undefined ? lastArrival : arrival,
      suspect: admission.suspect
    })
    return admission
  }

  #grow(dictionary: Dictionary): void {
    if (dictionary === this.#dictionary) return
    this.#dictionary = dictionary
    this.#isDictionaryStored = false
  }

  /** An instant after all admitted rows of any group; -Infinity before the first row. */
  get #end(): number {
    let { last } = this.clock
    for (const group of this.#groups.values()) last = Math.max(last, group.last)
    return last + MIN_STEP_S
  }
}
