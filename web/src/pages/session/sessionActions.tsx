/** Buttons that pin and delete a session. */
import { useState } from "preact/hooks"
import { api, type ApiError } from "../../api.ts"
import { counted, dateTime } from "../../format.ts"
import { headingOf, reported } from "../../names.ts"
import { go } from "../../router.ts"
import type { Session } from "../../types.ts"
import { Problem } from "../../ui/Notice.tsx"

export const titleOf = (session: Session) =>
  [headingOf(session), ...reported(session.driver), dateTime(session.datetime)].join(", ")

export const Deletion = ({ session, close }: { session: Session; close: () => void }) => {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ApiError>()
  const remove = () => {
    setBusy(true)
    api.deleteSession(session.id).then(
      () => go("/sessions"),
      (failed: unknown) => {
        setBusy(false)
        setError(failed as ApiError)
      }
    )
  }
  return (
    <>
      <p>
        {titleOf(session)}: {counted(session.total_laps, "lap")} and all their telemetry will be gone. This
        cannot be undone.
      </p>
      {error && <Problem error={error} />}
      <div class="form">
        <button type="button" onClick={close}>
          Keep it
        </button>
        <button type="button" class="danger" disabled={busy} onClick={remove}>
          {busy ? "Deleting …" : "Delete the session"}
        </button>
      </div>
    </>
  )
}

/** The service never removes a pinned session to make room. */
export const Pin = ({ session }: { session: Session }) => {
  const [pinned, setPinned] = useState(session.pinned)
  const [error, setError] = useState<ApiError>()
  const show = (changed: Session) => {
    setPinned(changed.pinned)
    setError(undefined)
  }
  const change = () =>
    api.pinSession(session.id, !pinned).then(show, (failed: unknown) => setError(failed as ApiError))
  return (
    <>
      <button
        type="button"
        aria-pressed={pinned}
        title="A pinned session is never removed to make room"
        onClick={change}
      >
        {pinned ? "Pinned" : "Pin"}
      </button>
      {error && <Problem error={error} />}
    </>
  )
}
