import type { TelemetryRun } from "./frames.ts"

/** Runs that go to the same listeners together, in order. Their bytes are put together once, for the first that asks. */
export class Parcel {
  readonly runs: ReadonlyArray<TelemetryRun>
  /** Messages of all runs. */
  readonly count: number
  #bytes: Buffer | undefined

  constructor(runs: ReadonlyArray<TelemetryRun>, count: number) {
    this.runs = runs
    this.count = count
  }

  get bytes(): Buffer {
    this.#bytes ??=
      this.runs.length === 1 ? this.runs[0]!.bytes : Buffer.concat(this.runs.map((run) => run.bytes))
    return this.#bytes
  }
}
