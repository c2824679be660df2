/** A sum over the bits of points, however they come in batches. */
import { createHash, type Hash } from "node:crypto"
import { channels, type PointBatch } from "../domain/PointBatch.ts"

/** How many points, and the SHA-256 of the SHA-256 of each column's bytes. */
export interface PointsSum {
  readonly points: number
  readonly digest: string
}

export class Checksum {
  #points = 0
  readonly #columns: ReadonlyArray<Hash> = channels.map(() => createHash("sha256"))

  /** The batch has all channels. */
  add(batch: PointBatch): void {
    this.#points += batch.length
    channels.forEach((channel, c) => {
      const { buffer, byteLength, byteOffset } = batch.column(channel)
      this.#columns[c]!.update(new Uint8Array(buffer, byteOffset, byteLength))
    })
  }

  /** Ends it. */
  sum(): PointsSum {
    const whole = createHash("sha256")
    for (const column of this.#columns) whole.update(column.digest())
    return { points: this.#points, digest: whole.digest("hex") }
  }
}
