/** What the queue of imports has in memory: the imports that have not finished. */
import type { Fiber } from "effect"
import type { ImportOptions } from "../domain/FileImport.ts"
import { needsCompanion } from "./companions.ts"

/** After the last upload of a batch, a log no longer waits for the file that belongs to it. */
const QUIET_MS = 2000

/** A file that waits to be read, or is read. */
export interface Job {
  readonly id: number
  readonly name: string
  readonly batch: string | null
  readonly sha256: string | null
  readonly format: string | null
  readonly options: ImportOptions
}

interface Running {
  readonly job: Job
  readonly fiber: Fiber.RuntimeFiber<unknown, unknown>
  /** Marks the interruption that follows as the user's wish. */
  readonly cancel: () => void
}

export class QueueState {
  /** Uploads that have not ended, by import. */
  readonly uploading = new Map<number, { readonly batch: string | null; readonly options: ImportOptions }>()
  /** The oldest first. */
  readonly waiting: Array<Job> = []
  readonly running = new Map<number, Running>()
  /** When a batch got its last file, ms since 1970. */
  readonly #lastOfBatch = new Map<string, number>()

  arrived(batch: string | null, now: number): void {
    for (const [other, at] of this.#lastOfBatch) if (now - at > QUIET_MS) this.#lastOfBatch.delete(other)
    if (batch !== null) this.#lastOfBatch.set(batch, now)
  }

  /** How long a file has to wait for the one that belongs to it, ms; 0 if it may be read. */
  waitOf({ batch, format }: Job, now: number): number {
    if (batch === null || !needsCompanion(format)) return 0
    if ([...this.uploading.values()].some((upload) => upload.batch === batch)) return QUIET_MS
    return Math.max(0, (this.#lastOfBatch.get(batch) ?? 0) + QUIET_MS - now)
  }

  /** The file of these bytes that waits or is read. */
  ofBytes(sha256: string): Job | undefined {
    return [...[...this.running.values()].map(({ job }) => job), ...this.waiting].find(
      (job) => job.sha256 === sha256
    )
  }

  /** Takes the file out of those that wait; whether it was among them. */
  withdraw(id: number): boolean {
    const place = this.waiting.findIndex((job) => job.id === id)
    if (place >= 0) this.waiting.splice(place, 1)
    return place >= 0
  }
}
