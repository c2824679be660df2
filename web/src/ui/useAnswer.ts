/** An answer of the service as a component sees it: on its way, there, or failed. */
import { useEffect, useState } from "preact/hooks"
import { ApiError } from "../api.ts"

export type Answer<A> =
  | { readonly state: "waiting"; readonly value: A | undefined }
  | { readonly state: "there"; readonly value: A }
  | { readonly state: "failed"; readonly value: undefined; readonly error: ApiError }

/**
 * Asks when mounted and whenever `dependencies` change, and again on `again`. What was there stays while the next is
 * on its way; an answer that comes too late is dropped.
 */
export const useAnswer = <A>(
  ask: () => Promise<A>,
  dependencies: ReadonlyArray<unknown>
): Answer<A> & { readonly again: () => void } => {
  const [answer, setAnswer] = useState<Answer<A>>({ state: "waiting", value: undefined })
  const [round, setRound] = useState(0)
  useEffect(() => {
    let current = true
    setAnswer((before) => ({ state: "waiting", value: before.value }))
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
  return { ...answer, again: () => setRound((count) => count + 1) }
}

/** Asks again every so often, for as long as the component is shown and the page is looked at. */
export const useInterval = (act: () => void, millis: number) => {
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === "visible" && act(), millis)
    return () => clearInterval(timer)
  }, [millis])
}
