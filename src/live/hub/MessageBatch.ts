import type { MessageFrames, TelemetryRun } from "./frames.ts"

/**
 * Runs that the same subscribers get in one write, in order. Their bytes are joined once, for the first subscriber that needs
 * them.
 */
export class MessageBatch {
  readonly runs: ReadonlyArray<TelemetryRun>
  /** The number of messages in all runs. */
  readonly count: number
  #bytes: Buffer | undefined
  #numberedBytes: Buffer | undefined

  constructor(runs: ReadonlyArray<TelemetryRun>, count: number) {
    this.runs = runs
    this.count = count
  }

  /** The length of the batch's longest messages, as a multiple of a message with a point alone. */
  get size(): number {
    let size = 1
    for (const run of this.runs) if (run.size > size) size = run.size
    return size
  }

  get bytes(): Buffer {
    this.#bytes ??= this.#joined((run) => run.plain)
    return this.#bytes
  }

  /** The bytes of messages that include the points' numbers. */
  get numberedBytes(): Buffer {
    this.#numberedBytes ??= this.#joined((run) => run.numbered)
    return this.#numberedBytes
  }

  #joined(framesOf: (run: TelemetryRun) => MessageFrames): Buffer {
    const all = this.runs.map((run) => framesOf(run).bytes)
    return all.length === 1 ? all[0]! : Buffer.concat(all)
  }
}
