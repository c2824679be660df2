/**
 * In place of a page whose code did not come: the service is away, or was updated, and has other files now. As soon as it
 * answers, the document is loaded again.
 */
import { useEffect, useState } from "preact/hooks"
import { ApiError } from "../api.ts"
import { at } from "../base.ts"
import { Problem } from "./Notice.tsx"
import { isAway, RETRY_MS, useInterval } from "./useAnswer.ts"
import { keptInTab } from "../kept.ts"

const KEY = "loaded-again"
/** Whoever has just been loaded again, and lacks its code all the same, is not helped by it. */
const SOON_MS = 10_000

const hasJustReloaded = () => Date.now() - Number(keptInTab.get(KEY) ?? 0) < SOON_MS

const reload = () => {
  keptInTab.set(KEY, String(Date.now()))
  location.reload()
}

/** The status of the smallest answer there is; 0 without one. */
const ask = (): Promise<number> =>
  fetch(at("/favicon.svg"), { cache: "no-store" }).then(
    ({ status }) => status,
    () => 0
  )

export const NotLoaded = () => {
  const [status, setStatus] = useState(0)
  const look = () => {
    void ask().then(setStatus)
  }
  useEffect(look, [])
  useEffect(() => {
    if (!isAway(status) && !hasJustReloaded()) reload()
  }, [status])
  useInterval(look, RETRY_MS)
  return isAway(status) ? (
    <Problem error={new ApiError(0, "The service does not answer")} again={look} />
  ) : (
    <Problem error={new ApiError(status, "This page's code could not be loaded")} again={reload} />
  )
}
