/** An answer of the service as a component sees it: on its way, there, or failed. */
import { useEffect, useRef, useState } from "preact/hooks"
import { ApiError } from "../api.ts"

export type Answer<A> =
  | { readonly state: "waiting"; readonly value: A | undefined }
  | { readonly state: "there"; readonly value: A }
  | { readonly state: "failed"; readonly value: undefined; readonly error: ApiError }

/** How long a service or store that is away is left before it is asked again. */
export const RETRY_MS = 2000

/** Whether the same question may be answered a little later, with nothing done: nobody answers, or the store is away. */
export const isAway = (status: number) => status === 0 || status === 503

/**
 * Asks when mounted and whenever `dependencies` change, again on `again`, and by itself for as long as the service is
 * away. What was there stays while the next is on its way, and so does a failure that is tried again; an answer that comes too late is dropped.
 */
export const useAnswer = <A>(
  ask: () => Promise<A>,
  dependencies: ReadonlyArray<unknown>
): Answer<A> & { readonly again: () => void } => {
  const [answer, setAnswer] = useState<Answer<A>>({ state: "waiting", value: undefined })
  const [round, setRound] = useState(0)
  const asked = useRef(round)
  useEffect(() => {
    let current = true
    const isRetry = asked.current !== round
    asked.current = round
    setAnswer((before) =>
      isRetry && before.state === "failed" ? before : { state: "waiting", value: before.value }
    )
    ask().then(
      (value) => current && setAnswer({ state: "there", value }),
      (error: unknown) =>
        current &&
        setAnswer({
          state: "failed",
          value: undefined,
          error: error instanceof ApiError ? error : new ApiError(0, String(error))
        })
    )
    return () => {
      current = false
    }
    // What is asked is named by `dependencies`; the function itself is new with every render.
  }, [...dependencies, round])
  const again = () => setRound((count) => count + 1)
  useEffect(() => {
    if (answer.state !== "failed" || !isAway(answer.error.status)) return
    return whenSeen(again, RETRY_MS)
  }, [answer])
  return { ...answer, again }
}

/** Acts every so often while the page is looked at, until the answer is called. */
const whenSeen = (act: () => void, millis: number) => {
  const timer = setInterval(() => document.visibilityState === "visible" && act(), millis)
  return () => clearInterval(timer)
}

/** Asks again every so often, for as long as the component is shown and the page is looked at. */
export const useInterval = (act: () => void, millis: number) => {
  useEffect(() => whenSeen(act, millis), [millis])
}
