/** An answer of the service as a component sees it: waiting, present, or failed. */
import { useEffect, useRef, useState } from "preact/hooks"
import { ApiError } from "../api.ts"

export type Answer<A> =
  | { readonly state: "waiting"; readonly value: A | undefined }
  | { readonly state: "there"; readonly value: A }
  | { readonly state: "failed"; readonly value: undefined; readonly error: ApiError }

/** Pause before a request is repeated while a service or store is away. */
export const RETRY_MS = 2000

/** Whether the same request may succeed a little later without any change: nobody answers, or the store is away. */
export const isAway = (status: number) => status === 0 || status === 503

/**
 * Requests when mounted, when `dependencies` change, on `again`, and repeatedly while the service is away. The previous answer stays
 * while the next is on its way, and so does a failure that is retried. An answer that comes too late is dropped.
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
    // `dependencies` name the request; the function itself is new with every render.
  }, [...dependencies, round])
  const again = () => setRound((count) => count + 1)
  useEffect(() => {
    if (answer.state !== "failed" || !isAway(answer.error.status)) return
    return whenSeen(again, RETRY_MS)
  }, [answer])
  return { ...answer, again }
}

/** Acts in this interval while the page is visible, until the returned function is called. */
const whenSeen = (act: () => void, millis: number) => {
  const timer = setInterval(() => document.visibilityState === "visible" && act(), millis)
  return () => clearInterval(timer)
}

/** Repeats an action in this interval, while the component is mounted and the page is visible. */
export const useInterval = (act: () => void, millis: number) => {
  const latest = useRef(act)
  // An action sees the values of the last render, not those of the first.
  useEffect(() => {
    latest.current = act
  })
  useEffect(() => whenSeen(() => latest.current(), millis), [millis])
}

/**
 * An answer about data that goes on changing: the request is repeated when `version` changes, but not before the answer under way
 * has come. `key` names the request.
 */
export const useLatest = <A>(
  ask: () => Promise<A>,
  key: ReadonlyArray<unknown>,
  version: unknown
): ReturnType<typeof useAnswer<A>> => {
  const [asked, setAsked] = useState(version)
  const answer = useAnswer(ask, [...key, asked])
  const isIdle = answer.state !== "waiting"
  useEffect(() => {
    if (isIdle) setAsked(version)
  }, [isIdle, version])
  return answer
}
