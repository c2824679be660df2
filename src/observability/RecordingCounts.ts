import { Context, Effect } from "effect"
import { counted, type Family } from "./prometheus.ts"

/** What the process that records counts: this one, unless it is a worker, which asks its primary. */
export class RecordingCounts extends Context.Reference<RecordingCounts>()("observability/RecordingCounts", {
  defaultValue: (): RecordingCountsService => ({ families: counted, worker: undefined })
}) {}

interface RecordingCountsService {
  readonly families: Effect.Effect<ReadonlyArray<Family>>
  /** Which worker this process is; labels what it counts of itself, since a scrape reaches any of them. */
  readonly worker: number | undefined
}
