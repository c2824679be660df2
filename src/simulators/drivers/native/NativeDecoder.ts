/**
 * The native feed's messages as simulator events (native-feed.md; channels.md, section 3). Pure: bytes in, events out; nothing
 * throws.
 *
 * One decoder serves one link: it remembers the columns that a session message names, the groups that were declared, and the
 * sequence of each.
 */
import { LAP, POINTS } from "../../../domain/Dictionary.ts"
import { type LapBatch, lapOfPoints, saysLap } from "../../../domain/LapBatch.ts"
import { channels } from "../../../domain/pointChannels.ts"
import { type Rows, SimulatorEvent } from "../../../domain/SimulatorEvent.ts"
import { isUseless, MAX_RARE_EVENTS, rarityOf, refused, refusedSamples, unreadable } from "./decoded.ts"
import { decodeLap, decodeSession, textOf } from "./envelopes.ts"
import { type LinkGroup, LinkGroups } from "./LinkGroups.ts"
import {
  bytesOf,
  LONG_TEXT,
  MAX_TEXT_POINTS,
  messageOf,
  type NativeMessage,
  type TooLong,
  tooMany,
  Unreadable
} from "./messageText.ts"
import {
  joined,
  joinedSamples,
  inputError,
  type PackedMessage,
  packedMessage,
  plausibleSamples
} from "./packedRows.ts"
import { Scratch } from "./Scratch.ts"
import { isSequence, Sequence } from "./Sequence.ts"
import { isObject, textPoints, textSamples } from "./textRows.ts"

/** Packed messages of one group (undefined for points) that follow one another without loss. */
interface Run {
  readonly group: LinkGroup | undefined
  readonly missing: number
  readonly messages: Array<PackedMessage>
}

export class NativeDecoder {
  #columns: ReadonlyArray<string> = channels
  readonly #groups = new LinkGroups()
  readonly #sequence = new Sequence()
  readonly #memory = new Scratch()
  #consumed = 0
  #saidOfLaps = false
  /** Whether the group for the lap columns of points was declared. */
  #declaredLap = false
  #uselessBytes = 0

  /** The number of messages that the last call of `decode` read: all, except those after much text or many rare events. */
  get consumed(): number {
    return this.#consumed
  }

  /** Of those messages, the bytes of refused and ignored ones (for text, its UTF-16 units). */
  get uselessBytes(): number {
    return this.#uselessBytes
  }

  /**
   * The events of messages that arrived together, in order, from the first on. Packed points, or samples of one group, that
   * follow one another without loss become one event, so that the cost of a busy feed depends on its rows, not its messages.
   * They are valid until the next call. A message of an unknown type is ignored.
   */
  decode(messages: ReadonlyArray<NativeMessage>): ReadonlyArray<SimulatorEvent> {
    this.#memory.reset()
    const events: Array<SimulatorEvent> = []
    let run: Run | undefined
    let rare = 0
    let text = 0
    this.#consumed = 0
    this.#uselessBytes = 0
    const endRun = () => {
      if (run !== undefined) this.#join(run, events)
      run = undefined
    }
    for (const message of messages) {
      // After so much text, or so many rare events, the other messages wait for the next call.
      if (rare >= MAX_RARE_EVENTS || text > LONG_TEXT) break
      this.#consumed++
      if (!(message instanceof Uint8Array)) {
        endRun()
        if (typeof message === "string") text += message.length
        const before = events.length
        this.#text(message, events)
        const said = events.slice(before)
        if (isUseless(said)) this.#uselessBytes += bytesOf(message)
        for (const event of said) rare += rarityOf(event)
        continue
      }
      const packed = this.#packed(message)
      if ("_tag" in packed) {
        endRun()
        this.#uselessBytes += bytesOf(message)
        events.push(packed)
        continue
      }
      const group = this.#groups.at(packed.group)
      const missing = this.#sequenceOf(group).advance(packed.sequence, packed.length)
      if (run === undefined || run.group !== group || missing > 0) {
        endRun()
        run = { group, missing, messages: [] }
      }
      run.messages.push(packed)
    }
    endRun()
    return events
  }

  #sequenceOf(group: LinkGroup | undefined): Sequence {
    return group === undefined ? this.#sequence : group.sequence
  }

  #join({ group, messages, missing }: Run, events: Array<SimulatorEvent>): void {
    if (group !== undefined) {
      const batch = joinedSamples(messages, group.columns, this.#memory)
      events.push(SimulatorEvent.Rows({ group: group.name, batch, missing }))
      return
    }
    const points = joined(messages, this.#columns, this.#memory)
    const laps = this.#lapOf(points.lap, events)
    events.push(SimulatorEvent.Rows({ group: POINTS, ...points, ...laps, missing }))
  }

  /** A message that fits its group's columns, or its refusal: a header's count is not trusted where it does not fit the length. */
  #packed(bytes: Uint8Array): PackedMessage | SimulatorEvent {
    const message = packedMessage(bytes)
    if (typeof message === "string") return refused(message)
    const group = this.#groups.at(message.group)
    if (message.group > 0 && (group === undefined || !group.isNamed)) {
      const reason = `a packed message of group ${message.group}, which was not declared`
      return refusedSamples(reason, plausibleSamples(message))
    }
    const reason = inputError(message, (group?.columns ?? this.#columns).length)
    return reason === undefined ? message : refused(reason)
  }

  #text(text: string | TooLong, events: Array<SimulatorEvent>): void {
    const message = messageOf(text)
    if (message instanceof Unreadable) {
      if (message.points + message.samples > 0) {
        this.#sequence.forget()
        this.#groups.forgetSequences()
      }
      return void events.push(unreadable(message))
    }
    switch (message["type"]) {
      case "points":
        return this.#rows(message, events)
      case "session": {
        const { columns, read, refused: reason } = decodeSession(message)
        this.#columns = columns ?? channels
        events.push(SimulatorEvent.SessionStarted(read))
        if (reason !== undefined) events.push(refused(reason))
        if ((message["groups"] ?? undefined) !== undefined) this.#declare(message["groups"], events)
        return
      }
      case "channels":
        return this.#declare(message["groups"], events)
      case "lap": {
        const lap = decodeLap(message)
        if (typeof lap === "string") return void events.push(refused(lap))
        events.push(SimulatorEvent.LapCompleted(lap.read))
        if (lap.refused !== undefined) events.push(refused(lap.refused))
        return
      }
      case "session_end":
        return void events.push(SimulatorEvent.SessionEnded())
      default:
        if (typeof message["type"] !== "string") events.push(refused("a message without a type"))
    }
  }

  #declare(said: unknown, events: Array<SimulatorEvent>): void {
    const { groups, refused: reason } = this.#groups.declare(said)
    if (groups.length > 0) events.push(SimulatorEvent.ChannelsDeclared({ groups }))
    if (reason !== undefined) events.push(refused(`a declaration with ${reason}`))
  }

  #rows(message: Record<string, unknown>, events: Array<SimulatorEvent>): void {
    const { points: rows } = message
    const sequence = message["sequence"] ?? undefined
    const name = message["group"] ?? POINTS
    const group = name === POINTS ? undefined : this.#groups.named(name)
    if (!Array.isArray(rows)) return void events.push(refused("a points message without an array of points"))
    if (rows.length === 0) return
    const unfit = (reason: string, many: number): void =>
      void events.push(name === POINTS ? refused(reason, many) : refusedSamples(reason, many))
    if (name !== POINTS && group === undefined) {
      return unfit(`a points message of group ${textOf(name)}, which was not declared`, rows.length)
    }
    const numbers = this.#sequenceOf(group)
    if (rows.length > MAX_TEXT_POINTS) {
      numbers.forget()
      return unfit(tooMany(rows.length), rows.length)
    }
    const skip = (reason: string) => {
      if (sequence !== undefined) numbers.skip(rows.length)
      return unfit(reason, rows.length)
    }
    if (!isSequence(sequence)) return skip(`a points message with sequence ${textOf(sequence)}`)
    const objects = rows.filter(isObject)
    const noObject = `a ${group === undefined ? "point" : "sample"} that is not an object`
    if (objects.length === 0) return skip(noObject)
    const read = group === undefined ? textPoints(objects) : textSamples(group, objects)
    if (typeof read === "string") return skip(read)
    const { faults, ...batch } = read
    const missing = numbers.advance(sequence, rows.length)
    const laps = "lap" in batch ? this.#lapOf(batch.lap, events) : {}
    events.push(SimulatorEvent.Rows({ group: POINTS, ...batch, ...laps, missing }))
    if (objects.length < rows.length) unfit(noObject, rows.length - objects.length)
    for (const fault of faults) events.push(refused(fault))
  }

  /**
   * The lap columns of points, and the group that keeps them. If the feed declared the group of laps, its points must
   * not have lap columns, and these are left out.
   */
  #lapOf(lap: LapBatch | undefined, events: Array<SimulatorEvent>): Pick<Rows, "lap" | "lapGroup"> {
    if (lap === undefined) return { lap }
    if (this.#groups.haveLap) {
      if (!this.#saidOfLaps) {
        events.push(
          refused("points with lap_number or lap_distance although the group lap has them: they are ignored")
        )
      }
      this.#saidOfLaps = true
      return { lap: undefined }
    }
    if (!saysLap(lap)) return { lap }
    if (!this.#declaredLap) events.push(SimulatorEvent.ChannelsDeclared({ groups: [lapOfPoints] }))
    this.#declaredLap = true
    return { lap, lapGroup: LAP }
  }
}
