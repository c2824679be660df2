/**
 * The newest values of a simulator's channels, and the rows of groups that become of them. One serves one link. Plain: reading a
 * packet allocates nothing, and costs by the fields that some channel is made of.
 *
 * Nothing is told until its packet has come in this session. What was sent and is no number is infinite here, and so in rows: who
 * records it makes it absent and counts it.
 */
import invariant from "tiny-invariant"
import { ABSENT } from "../../domain/PointBatch.ts"
import type { EventBuffer } from "../EventBuffer.ts"
import type { ChannelMap, MappedGroup } from "./ChannelMap.ts"

/** x * 0 is 0 for every finite x and NaN for the others. */
const isFinite = (value: number) => value * 0 === 0

/** The row of a group, of the registers' values. */
const fill = (row: Float64Array, time: number, group: MappedGroup, values: Float64Array): void => {
  const { arity, converts, registers, rounds } = group
  row[0] = time
  for (let c = 0; c < arity.length; c++) {
    const a = values[registers[3 * c]!]!
    const count = arity[c]!
    if (count === 0) {
      row[c + 1] = a
      continue
    }
    let value: number
    if (count === 1) value = isFinite(a) ? (converts[c] as (value: number) => number)(a) : a
    else {
      const b = values[registers[3 * c + 1]!]!
      const d = values[registers[3 * c + 2]!]!
      if (isFinite(a) && isFinite(b) && isFinite(d)) value = converts[c]!(a, b, d)
      else value = Number.isNaN(a) || Number.isNaN(b) || Number.isNaN(d) ? ABSENT : Infinity
    }
    row[c + 1] = rounds[c] === 1 ? Math.fround(value) : value
  }
}

export class ChannelRows {
  #map: ChannelMap | undefined
  #registers = new Float64Array(0)
  #rows: ReadonlyArray<Float64Array> = []
  /** Of each group: whether its leading packet came since its last row, and when that row was. */
  #isDue = new Uint8Array(0)
  #last = new Float64Array(0)
  #isDeclared = false

  /** A session begins: nothing is told of it yet, and its groups are declared anew. */
  begin(): void {
    this.#registers.fill(ABSENT)
    this.#isDue.fill(0)
    this.#last.fill(-Infinity)
    this.#isDeclared = false
  }

  /** What comes next is of the version of the protocol that `map` is made for. */
  use(map: ChannelMap): void {
    if (map === this.#map) return
    const last = this.#last.reduce((a, b) => Math.max(a, b), -Infinity)
    this.#map = map
    this.#registers = new Float64Array(map.registers).fill(ABSENT)
    this.#rows = map.groups.map(({ columns }) => new Float64Array(columns.length))
    this.#isDue = new Uint8Array(map.groups.length)
    this.#last = new Float64Array(map.groups.length).fill(last)
    this.#isDeclared = false
  }

  /** The values of a packet whose structure begins at `base`. */
  read(packet: string, bytes: Buffer, base = 0): void {
    const { leads, values } = this.#map!.packets.get(packet)!
    values.read(bytes, base, this.#registers)
    for (let n = 0; n < leads.length; n++) this.#isDue[leads[n]!] = 1
  }

  /** A value that the driver works out itself, by `packet.value`; absent where it is none. No line need be made of it. */
  set(name: string, value: number): void {
    const register = this.#map!.own.get(name)
    if (register !== undefined) this.#registers[register] = isFinite(value) ? value : ABSENT
  }

  /** The rows of the groups whose leading packet came, at `time` (s on the feed's clock); none that would be no later than the one before. */
  take(time: number, events: EventBuffer): void {
    const map = this.#map
    invariant(map !== undefined, "BUG: rows are taken before it is known of what")
    for (let g = 0; g < map.groups.length; g++) {
      if (this.#isDue[g] === 0) continue
      this.#isDue[g] = 0
      if (!(time > this.#last[g]!)) continue
      this.#last[g] = time
      if (!this.#isDeclared) events.declare(map.declarations)
      this.#isDeclared = true
      const group = map.groups[g]!
      fill(this.#rows[g]!, time, group, this.#registers)
      events.sample(group, this.#rows[g]!)
    }
  }
}
