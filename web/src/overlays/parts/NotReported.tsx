import type { LiveSession } from "../../live/LiveSession.ts"

/** Replaces values that the simulator does not report; empty before its first point. */
export const NotReported = ({ drive, what }: { drive: LiveSession | undefined; what: string }) =>
  drive === undefined || drive.feed.stale.value ? null : (
    <span class="not-reported">The simulator reports no {what}.</span>
  )
