import { ABSENT, orNull } from "../../domain/RowBatch.ts"

/** Channels beside some points, for the field `channels` of their messages. */
export class ChannelValues {
  readonly names: ReadonlyArray<string>
  /** For each point, the values in the order of the names. */
  readonly data: Float64Array

  constructor(names: ReadonlyArray<string>, data: Float64Array) {
    this.names = names
    this.data = data
  }

  static absent(names: ReadonlyArray<string>, points: number): ChannelValues {
    return new ChannelValues(names, new Float64Array(names.length * points).fill(ABSENT))
  }

  /** The values of the point at `i`, as JSON. Channel names need no escapes. */
  text(i: number): string {
    const first = i * this.names.length
    let text = "{"
    for (let c = 0; c < this.names.length; c++) {
      text += `${c === 0 ? "" : ","}"${this.names[c]}":${orNull(this.data[first + c]!)}`
    }
    return `${text}}`
  }

  of(i: number): Readonly<Record<string, number | null>> {
    const first = i * this.names.length
    return Object.fromEntries(this.names.map((name, c) => [name, orNull(this.data[first + c]!)]))
  }
}
