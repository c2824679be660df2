/**
 * The newest values of a simulator's channels, and the rows of groups that they form. One serves one link. Plain: reading a
 * packet allocates nothing, and its cost depends on the fields that some channel needs.
 *
 * No value is there before its packet has come in this session. A value that was sent and is no number is infinite here and
 * in rows: the recorder makes it absent and counts it.
 */
import invariant from "tiny-invariant"
import { ABSENT } from "../../domain/RowBatch.ts"
import type { EventBuffer } from "../EventBuffer.ts"
import type { ChannelMap, MappedGroup } from "./ChannelMap.ts"

/** x * 0 is 0 for every finite x and NaN for the others. */
const isFinite = (value: number) => value * 0 === 0

/** Fills the row of a group from the registers. */
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
  /** For each group: whether its leading packet came since its last row, and when that row was. */
  #isDue = new Uint8Array(0)
  #last = new Float64Array(0)
  #isDeclared = false

  /** A session begins: no value is known yet, and its groups are declared anew. */
  begin(): void {
    this.#registers.fill(ABSENT)
    this.#isDue.fill(0)
    this.#last.fill(-Infinity)
    this.#isDeclared = false
  }

  /** The next packets have the version of the protocol that `map` is made for. */
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

  /** Reads the values of a packet whose structure begins at `base`. */
  read(packet: string, bytes: Buffer, base = 0): void {
    const { leads, values } = this.#map!.packets.get(packet)!
    values.read(bytes, base, this.#registers)
    for (let n = 0; n < leads.length; n++) this.#isDue[leads[n]!] = 1
  }

  /** Sets a value that the driver computes, by `packet.value`; a value that is no number is absent. No line needs to use it. */
  set(name: string, value: number): void {
    const register = this.#map!.own.get(name)
    if (register !== undefined) this.#registers[register] = isFinite(value) ? value : ABSENT
  }

  /** Emits the rows of the groups whose leading packet came, at `time` (s on the feed's clock), if that is after the last row. */
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
