import type { LiveSession } from "../../live/LiveSession.ts"

/** In place of what a simulator does not tell; nothing before it has said anything. */
export const NotReported = ({ drive, what }: { drive: LiveSession | undefined; what: string }) =>
  drive === undefined || drive.feed.stale.value ? null : (
    <span class="not-reported">The simulator reports no {what}.</span>
  )
