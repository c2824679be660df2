/**
 * Shown if the code of a page could not be loaded: the service is away, or was updated and has other files now. As soon as the
 * service answers, the document is loaded again.
 */
import { useEffect, useState } from "preact/hooks"
import { ApiError } from "../api.ts"
import { at } from "../base.ts"
import { Problem } from "./Notice.tsx"
import { isAway, RETRY_MS, useInterval } from "./useAnswer.ts"
import { keptInTab } from "../kept.ts"

const KEY = "loaded-again"
/** If the code is missing again so soon after a reload, another reload does not help. */
const SOON_MS = 10_000

const hasJustReloaded = () => Date.now() - Number(keptInTab.get(KEY) ?? 0) < SOON_MS

const reload = () => {
  keptInTab.set(KEY, String(Date.now()))
  location.reload()
}

/** The status of a minimal request; 0 without an answer. */
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
