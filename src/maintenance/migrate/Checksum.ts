/** A checksum over the bits of points, or of samples. It does not depend on how they are split into batches. */
import { createHash, type Hash } from "node:crypto"
import type { RowBatch } from "../../domain/RowBatch.ts"

/** The number of rows, and the SHA-256 of the SHA-256 of each column's bytes. */
export interface RowsSum {
  readonly rows: number
  readonly digest: string
}

export class Checksum<Name extends string> {
  #rows = 0
  readonly #columns: ReadonlyArray<readonly [name: Name, hash: Hash]>

  constructor(columns: ReadonlyArray<Name>) {
    this.#columns = columns.map((name) => [name, createHash("sha256")] as const)
  }

  /** The batch must have all of the columns. */
  add(batch: RowBatch<Name>): void {
    this.#rows += batch.length
    for (const [name, hash] of this.#columns) {
      const { buffer, byteLength, byteOffset } = batch.column(name)
      hash.update(new Uint8Array(buffer, byteOffset, byteLength))
    }
  }

  /** Returns the sum; nothing can be added afterwards. */
  sum(): RowsSum {
    const whole = createHash("sha256")
    for (const [, hash] of this.#columns) whole.update(hash.digest())
    return { rows: this.#rows, digest: whole.digest("hex") }
  }
}
