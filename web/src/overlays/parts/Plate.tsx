/** The background of an overlay. It shows why values are stale, and shrinks its content until it fits. */
import type { ComponentChildren } from "preact"
import { useLayoutEffect, useRef } from "preact/hooks"
import { eachBeat } from "../../live/frames.ts"
import type { LiveSession } from "../../live/LiveSession.ts"
import { isTokenWanted } from "../../token.ts"
import type { Options } from "../options.ts"

const REFUSED = "the access token in this overlay's address is missing or wrong"

const stateOf = (drive: LiveSession | undefined): string | undefined => {
  if (isTokenWanted.value) return REFUSED
  if (drive?.gone.value === true) return "no such session"
  if (drive === undefined || drive.feed.link.value === "connecting") return "connecting"
  if (drive.feed.link.value === "lost") return "reconnecting"
  if (!drive.feed.stale.value) return undefined
  return drive.feed.points === 0 ? "waiting for telemetry" : "stale"
}

/** How often texts of unchanged length are measured, Hz: other characters may be wider. */
const FITTED_HZ = 5
/** Rounds of measuring: a shrunk text may break its lines in other places. */
const ROUNDS = 4
/** Slack for fractions of a pixel, which the browser rounds. */
const SLACK_PX = 1

/** Size of the content as a multiple of the available room. */
const excessOf = (content: HTMLElement) =>
  Math.max(
    (content.scrollWidth - SLACK_PX) / content.clientWidth,
    (content.scrollHeight - SLACK_PX) / content.clientHeight
  )

/** Whether an element was added, or a text has become longer. */
const hasGrown = ({ oldValue, target, type }: MutationRecord) =>
  type === "childList" || (target as CharacterData).length > oldValue!.length

/** Shrinks the text until nothing is cut off. It grows again only when the frame is resized. */
const keepWithin = (content: HTMLElement) => {
  let fit = 1
  const shrink = () => {
    if (content.clientWidth === 0 || content.clientHeight === 0) return
    for (let round = 0; round < ROUNDS; round++) {
      const excess = excessOf(content)
      if (excess <= 1) return
      fit /= excess
      content.style.setProperty("--fit", fit.toFixed(4))
    }
  }
  const resized = new ResizeObserver(() => {
    fit = 1
    content.style.setProperty("--fit", "1")
    shrink()
  })
  resized.observe(content)
  let changed = true
  const written = new MutationObserver((changes) => {
    // Grown content is measured before it is painted. Measuring every change would lay out each text twice.
    if (changes.some(hasGrown)) shrink()
    else changed = true
  })
  written.observe(content, {
    childList: true,
    characterData: true,
    characterDataOldValue: true,
    subtree: true
  })
  const stop = eachBeat(FITTED_HZ, () => {
    if (changed) shrink()
    changed = false
  })
  return () => {
    resized.disconnect()
    written.disconnect()
    stop()
  }
}

export const Plate = ({
  drive,
  idle,
  name,
  children
}: {
  drive: LiveSession | undefined
  idle: Options["idle"]
  name: string
  children: ComponentChildren
}) => {
  const content = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => keepWithin(content.current!), [])
  const state = stateOf(drive)
  // Only a person can mend this, so it is never hidden.
  const isRefused = state === REFUSED
  const look = isRefused
    ? " is-stale"
    : state === undefined || idle === "keep"
      ? ""
      : idle === "hide"
        ? " is-hidden"
        : " is-stale"
  return (
    <div class={`plate${look}`} data-overlay={name} data-state={state ?? "live"}>
      <div class={`content ${name}`} ref={content}>
        {children}
      </div>
      {state !== undefined && (idle === "show" || isRefused) && (
        <span class="plate-state" role="status">
          {state}
        </span>
      )}
    </div>
  )
}
