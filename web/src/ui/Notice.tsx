/** Shown in place of missing content: the reason, and a way to mend it. */
import type { ComponentChildren } from "preact"
import type { ApiError } from "../api.ts"
import { type Answer, isAway, RETRY_MS } from "./useAnswer.ts"

export const Notice = ({ title, children }: { title: string; children?: ComponentChildren }) => (
  <div class="notice">
    <strong>{title}</strong>
    {children}
  </div>
)

const advice = (status: number): string => {
  if (status === 0) return "Is the service still running?"
  if (status === 401) return "Load the page again to give the token."
  if (status === 403) return "The service's settings do not allow this."
  if (status === 404) return "It may have been deleted. Choose another from the list of sessions."
  if (status === 409)
    return "Something else changed it, or uses it: load the page again, or disconnect first."
  if (status === 422) return "Correct the request and try again."
  if (status === 502)
    return "Check that host, port and simulator belong together, and that the game's telemetry output is on."
  if (status === 503) return "The store does not answer. Telemetry that is recorded meanwhile is kept."
  if (status === 200) return "The service may have been updated: load the page again."
  if (status === 504) return "Check host and port, and that the simulator is running and not in a menu."
  return "The service's log has the details."
}

/** Nothing comes of asking again for what does not exist: the way on is the list. */
const Way = ({ error, again }: { error: ApiError; again: (() => void) | undefined }) => {
  if (error.status === 404) {
    return (
      <a class="button primary" href="/sessions">
        All sessions
      </a>
    )
  }
  // The same request would be refused again.
  const isRefused = [403, 409, 422].includes(error.status)
  return again === undefined || isRefused ? null : (
    <button type="button" class="primary" onClick={again}>
      Try again now
    </button>
  )
}

/** `words`: turns the service's sentence into words for this place. */
export const Problem = ({
  error,
  again,
  words = (sentence) => sentence
}: {
  error: ApiError
  again?: () => void
  words?: (sentence: string) => string
}) => (
  <div class="notice problem" role="alert">
    <strong>{words(error.message).replace(/[.]$/, "")}.</strong>
    <span class="muted">
      {advice(error.status)}{" "}
      {isAway(error.status) &&
        (again ? `This page tries again every ${RETRY_MS / 1000} seconds.` : "Try again in a few seconds.")}
    </span>
    <Way error={error} again={again} />
  </div>
)

/** Shows an answer. Before it arrives, shows that it is loading; if it failed, shows why. */
export const Show = <A,>({
  answer,
  waiting = <p class="muted">Loading …</p>,
  children
}: {
  answer: Answer<A> & { readonly again: () => void }
  /** Shown before the answer arrives. */
  waiting?: ComponentChildren
  children: (value: A) => ComponentChildren
}) => {
  if (answer.state === "failed") return <Problem error={answer.error} again={answer.again} />
  if (answer.value === undefined) return <>{waiting}</>
  return <>{children(answer.value)}</>
}
