/** The plate behind an overlay; says what is wrong where the values are not now's. */
import type { ComponentChildren } from "preact"
import type { LiveSession } from "../live/LiveSession.ts"

const stateOf = (drive: LiveSession | undefined): string | undefined => {
  if (drive === undefined || drive.feed.link.value === "connecting") return "connecting"
  if (drive.feed.link.value === "lost") return "reconnecting"
  if (!drive.feed.stale.value) return undefined
  return drive.feed.points === 0 ? "waiting for telemetry" : "stale"
}

export const Plate = ({
  drive,
  name,
  children
}: {
  drive: LiveSession | undefined
  name: string
  children: ComponentChildren
}) => {
  const state = stateOf(drive)
  return (
    <div class={`plate ${name}${state === undefined ? "" : " is-stale"}`} data-state={state ?? "live"}>
      {children}
      {state !== undefined && (
        <span class="plate-state" role="status">
          {state}
        </span>
      )}
    </div>
  )
}
