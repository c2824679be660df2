/** The plate behind an overlay; says what is wrong where the values are not now's, and keeps all of it within its room. */
import type { ComponentChildren } from "preact"
import { useLayoutEffect, useRef } from "preact/hooks"
import { eachBeat } from "../../live/frames.ts"
import type { LiveSession } from "../../live/LiveSession.ts"
import type { Options } from "../options.ts"

const stateOf = (drive: LiveSession | undefined): string | undefined => {
  if (drive?.gone.value === true) return "no such session"
  if (drive === undefined || drive.feed.link.value === "connecting") return "connecting"
  if (drive.feed.link.value === "lost") return "reconnecting"
  if (!drive.feed.stale.value) return undefined
  return drive.feed.points === 0 ? "waiting for telemetry" : "stale"
}

/** So often it is looked whether texts as long as before still have room: other characters may be wider. */
const FITTED_HZ = 5
/** A shrunk text may break its lines in another way, so that it is measured again. */
const ROUNDS = 4
/** Of a pixel that a fraction was rounded to. */
const SLACK_PX = 1

/** How many times what there is room for the content takes. */
const excessOf = (content: HTMLElement) =>
  Math.max(
    (content.scrollWidth - SLACK_PX) / content.clientWidth,
    (content.scrollHeight - SLACK_PX) / content.clientHeight
  )

/** Whether there are other elements, or a text is longer than it was. */
const hasGrown = ({ oldValue, target, type }: MutationRecord) =>
  type === "childList" || (target as CharacterData).length > oldValue!.length

/** Shrinks the text until nothing is cut off; larger again only when the room has changed. */
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
    // What has grown is measured before it is painted. To measure all that changes would lay out each text twice.
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
  const look = state === undefined || idle === "keep" ? "" : idle === "hide" ? " is-hidden" : " is-stale"
  return (
    <div class={`plate${look}`} data-overlay={name} data-state={state ?? "live"}>
      <div class={`content ${name}`} ref={content}>
        {children}
      </div>
      {state !== undefined && idle === "show" && (
        <span class="plate-state" role="status">
          {state}
        </span>
      )}
    </div>
  )
}
