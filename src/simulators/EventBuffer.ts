/**
 * Keeps the events of a driver's interpreter until the connection takes them.
 *
 * Points are kept row by row in one array and leave as one batch for each run, so a point costs no allocation; the same
 * holds for the samples of each group. Events keep their order. Rows keep theirs within their group and between events;
 * between two events, samples leave before points. A point with a value that is not finite is refused here.
 *
 * Over 250 lines: one function for each kind of event, and all of them keep one order.
 */
import { allChannels, type ChannelSet, isDeclared } from "../domain/ChannelSet.ts"
import { type GroupDeclaration, LAP, POINTS } from "../domain/Dictionary.ts"
import type { LapChange } from "../domain/Lap.ts"
import { lapOfPoints } from "../domain/LapBatch.ts"
import { channels } from "../domain/pointChannels.ts"
import { MAX_FOREIGNERS, SimulatorEvent } from "../domain/SimulatorEvent.ts"
import { ColumnMemory } from "./ColumnMemory.ts"
import { lapsInRows, pointsInRows, ROW } from "./pointRows.ts"
import { type SampleGroup, SampleRuns } from "./SampleRuns.ts"

type Event<Tag extends SimulatorEvent["_tag"]> = Omit<Extract<SimulatorEvent, { readonly _tag: Tag }>, "_tag">
export type Started = Event<"SessionStarted">
export type LapCompleted = Event<"LapCompleted">

/** One point on its way into the buffer. A driver has one, fills it and passes it; the buffer copies it. */
export interface Sample {
  /** The channels that the simulator sends with this point; the others are absent, whatever their value here. */
  declared: ChannelSet
  /** s on the feed's clock. */
  time: number
  /** Units and signs of a PointBatch's channels. */
  speed: number
  rpm: number
  gear: number
  throttle: number
  brake: number
  steering: number
  x: number
  y: number
  z: number
  /** The lap that the point is in, and metres since the line; NaN if the simulator does not send them. */
  lapNumber: number
  lapDistance: number
}

/** `declared`: the driver's table, where it does not depend on the packet. */
export const newSample = (declared: ChannelSet = allChannels): Sample => ({
  declared,
  time: 0,
  speed: 0,
  rpm: 0,
  gear: 0,
  throttle: 0,
  brake: 0,
  steering: 0,
  x: 0,
  y: 0,
  z: 0,
  lapNumber: Number.NaN,
  lapDistance: Number.NaN
})

/** Events that mean nothing without their session. */
const OF_SESSION: ReadonlySet<SimulatorEvent["_tag"]> = new Set([
  "Rows",
  "LapCompleted",
  "LapChanged",
  "SessionNamed"
])

const FIRST_CAPACITY = 64
/**
 * The maximum number of points that wait while the connection takes none (its store is away): 50 MB. Further points are
 * lost and counted.
 */
export const MAX_WAITING_POINTS = 1 << 19
/** The number of rows for which memory is kept between two takes; a burst's memory is freed. */
const KEPT_CAPACITY = 1 << 12

export class EventBuffer {
  #events: Array<SimulatorEvent> = []
  #rows = new Float64Array(FIRST_CAPACITY * ROW)
  /** The number of points in the current run, and of all that wait. */
  #run = 0
  #points = 0
  #missing = 0
  readonly #memory = new ColumnMemory()
  readonly #samples = new SampleRuns(this.#memory)
  /** The channels of the points of the current run, and whether one of the points has its lap. */
  #declared = allChannels
  #tellsLap = false
  /** The owner of the group `lap`: the driver may declare one of its own. */
  #lapGroup: "undeclared" | "of points" | "of driver" = "undeclared"
  #discarded = { late: 0, not_finite: 0, overflow: 0 }
  /** Datagrams of senders that the driver does not listen to, and some of those senders. */
  #foreign = 0
  #foreigners: Array<string> = []
  /** Datagrams that were refused, since the buffer was made. */
  refusals = 0
  /** The index among the events where a session begins whose names are not known yet. */
  #heldFrom: number | undefined

  /**
   * Declares groups whose samples follow, in this session and in later ones. The declaration leaves before the points of the
   * current run: the group `lap` is the driver's for these, too.
   */
  declare(groups: ReadonlyArray<GroupDeclaration>): void {
    if (groups.some(({ name }) => name === LAP)) this.#lapGroup = "of driver"
    this.#samples.flushInto(this.#events)
    this.#events.push(SimulatorEvent.ChannelsDeclared({ groups }))
  }

  /**
   * Takes a row of a declared group, in the order of its columns, the time first (s on the feed's clock). The buffer copies
   * it.
   */
  sample(group: SampleGroup, row: Float64Array): void {
    this.#samples.add(group, row)
  }

  /** Points that wait. */
  get points(): number {
    return this.#points
  }

  get isHeld(): boolean {
    return this.#heldFrom !== undefined
  }

  /** From now on all events wait for `start`: a session has begun, but the simulator has not sent its names yet. */
  hold(): void {
    if (this.#heldFrom !== undefined) return
    this.#flush()
    this.#heldFrom = this.#events.length
  }

  /** The events that waited since `hold` belong to the session before. */
  release(): void {
    this.#heldFrom = undefined
  }

  /** The drive since `hold` is in no session: drops its events, and returns the number of its points. */
  drop(): number {
    if (this.#heldFrom === undefined) return 0
    this.#flush()
    const before = this.#points
    const waited = this.#events.splice(this.#heldFrom)
    this.#heldFrom = undefined
    this.#count(waited)
    for (const event of waited) if (!OF_SESSION.has(event._tag)) this.#events.push(event)
    return before - this.#points
  }

  /** A session starts; the events that waited since `hold` belong to it. */
  start(started: Started): void {
    const event = SimulatorEvent.SessionStarted(started)
    this.#flush()
    if (this.#heldFrom === undefined) this.#events.push(event)
    else this.#events.splice(this.#heldFrom, 0, event)
    this.#heldFrom = undefined
  }

  /** The running session has these names. */
  rename(names: Event<"SessionNamed">["names"]): void {
    this.#flush()
    this.#events.push(SimulatorEvent.SessionNamed({ names }))
  }

  point(sample: Readonly<Sample>): void {
    if (this.#points >= MAX_WAITING_POINTS) {
      this.#discarded.overflow++
      return
    }
    if (sample.declared !== this.#declared) {
      this.#flush()
      this.#declared = sample.declared
    }
    const at = this.#run * ROW
    if (at === this.#rows.length) this.#grow()
    const rows = this.#rows
    // In the order of `channels`.
    rows[at] = sample.time
    rows[at + 1] = sample.speed
    rows[at + 2] = sample.rpm
    rows[at + 3] = sample.gear
    rows[at + 4] = sample.throttle
    rows[at + 5] = sample.brake
    rows[at + 6] = sample.steering
    rows[at + 7] = sample.x
    rows[at + 8] = sample.y
    rows[at + 9] = sample.z
    rows[at + channels.length] = sample.lapNumber
    rows[at + channels.length + 1] = sample.lapDistance
    // x * 0 is 0 for every finite x and NaN for the others.
    let sum = 0
    for (let c = 0; c < channels.length; c++) if (isDeclared(sample.declared, c)) sum += rows[at + c]! * 0
    if (sum !== 0) {
      this.#discarded.not_finite++
      return
    }
    this.#run++
    this.#points++
    if (!(Number.isNaN(sample.lapNumber) && Number.isNaN(sample.lapDistance))) this.#tellsLap = true
  }

  /** The simulator's numbers show that this many points before the next one were lost. */
  missing(points: number): void {
    this.#flush()
    this.#missing += points
  }

  /** Points that came after later ones, or twice. */
  late(points = 1): void {
    this.#discarded.late += points
  }

  /** A datagram of a sender that the driver does not listen to, because it listens to another. */
  foreign(sender: string): void {
    this.#foreign++
    if (this.#foreigners.length < MAX_FOREIGNERS && !this.#foreigners.includes(sender)) {
      this.#foreigners.push(sender)
    }
  }

  lap(completed: LapCompleted): void {
    this.#flush()
    this.#events.push(SimulatorEvent.LapCompleted(completed))
  }

  /** The simulator reported more about the lap with this `ref`, or corrected it. */
  changeLap(ref: number, change: LapChange): void {
    this.#flush()
    this.#events.push(SimulatorEvent.LapChanged({ ref, change }))
  }

  /** A new link continues the session of the link before. */
  goOn(): void {
    this.#flush()
    this.#events.push(SimulatorEvent.SessionContinued())
  }

  end(): void {
    this.#flush()
    this.#events.push(SimulatorEvent.SessionEnded())
  }

  /** A datagram that does not match the protocol. */
  refuse(reason: string): void {
    this.refusals++
    this.#flush()
    this.#events.push(SimulatorEvent.Refused({ reason, points: 0 }))
  }

  /** All events that may leave, in order. The caller owns them from then on. */
  take(): ReadonlyArray<SimulatorEvent> {
    this.#flush()
    const taken = this.#takeReady()
    this.#count(taken)
    for (const reason of ["late", "not_finite", "overflow"] as const) {
      const points = this.#discarded[reason]
      if (points > 0) taken.push(SimulatorEvent.Discarded({ reason, points }))
      this.#discarded[reason] = 0
    }
    const samples = this.#samples.takeDropped()
    if (samples > 0) taken.push(SimulatorEvent.Discarded({ reason: "overflow", points: 0, samples }))
    if (this.#foreign > 0) {
      taken.push(SimulatorEvent.Foreign({ datagrams: this.#foreign, senders: this.#foreigners }))
      this.#foreign = 0
      this.#foreigners = []
    }
    if (this.#rows.length > KEPT_CAPACITY * ROW) this.#rows = new Float64Array(FIRST_CAPACITY * ROW)
    return taken
  }

  /** The events that no longer wait for the names of their session. */
  #takeReady(): Array<SimulatorEvent> {
    if (this.#heldFrom === undefined) {
      const all = this.#events
      this.#events = []
      return all
    }
    const before = this.#events.splice(0, this.#heldFrom)
    this.#heldFrom = 0
    return before
  }

  /** These events no longer wait. */
  #count(gone: ReadonlyArray<SimulatorEvent>): void {
    for (const event of gone) {
      if (event._tag !== "Rows") continue
      if (event.group === POINTS) this.#points -= event.batch.length
      else this.#samples.taken(event.batch)
    }
  }

  #grow(): void {
    const larger = new Float64Array(this.#rows.length * 2)
    larger.set(this.#rows)
    this.#rows = larger
  }

  /** Ends the runs of samples and points: rows become columns. */
  #flush(): void {
    this.#samples.flushInto(this.#events)
    const length = this.#run
    if (length === 0) return
    const batch = pointsInRows(this.#rows, length, this.#declared, this.#memory)
    const lap = this.#tellsLap ? lapsInRows(this.#rows, length, this.#memory) : undefined
    if (lap !== undefined && this.#lapGroup === "undeclared") {
      this.#events.push(SimulatorEvent.ChannelsDeclared({ groups: [lapOfPoints] }))
      this.#lapGroup = "of points"
    }
    this.#events.push({
      _tag: "Rows",
      group: POINTS,
      batch,
      declared: this.#declared,
      lap,
      lapGroup: this.#lapGroup === "of points" ? LAP : undefined,
      missing: this.#missing
    })
    this.#missing = 0
    this.#run = 0
    this.#tellsLap = false
  }
}
