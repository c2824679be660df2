/** Fields of the forms in which users mark a session or a lap, and what these forms have in common. */
import type { ComponentChildren } from "preact"
import { useState } from "preact/hooks"
import type { ApiError } from "../../api.ts"
import { dateTime } from "../../format.ts"
import { Problem, Show } from "../../ui/Notice.tsx"
import { useAnswer } from "../../ui/useAnswer.ts"

export const textOf = (form: FormData, name: string): string | null => {
  const text = String(form.get(name) ?? "").trim()
  return text === "" ? null : text
}

export const tagsOf = (form: FormData): ReadonlyArray<string> =>
  (textOf(form, "tags") ?? "")
    .split(",")
    .map((tag) => tag.trim())
    .filter((tag) => tag !== "")

export const NoteAndTags = ({ note, tags }: { note: string | null; tags: ReadonlyArray<string> }) => (
  <>
    <label class="field">
      Tags, separated by commas
      <input name="tags" defaultValue={tags.join(", ")} placeholder="wet, league" />
    </label>
    <label class="field">
      Note
      <textarea name="note" rows={4} maxLength={4000} defaultValue={note ?? ""} />
    </label>
  </>
)

/** A mark as it was before. */
interface Earlier {
  readonly revision: number
  readonly changed_at: string | null
  readonly note: string | null
  readonly tags: ReadonlyArray<string>
}

/** What the mark said before, to read or to take again. */
const EarlierMarks = <M extends Earlier>({
  busy,
  load,
  restore
}: {
  busy: boolean
  load: () => Promise<ReadonlyArray<M>>
  restore: (mark: M) => void
}) => {
  const answer = useAnswer(load, [])
  return (
    <Show answer={answer}>
      {(marks) => (
        <ul>
          {marks.map((mark) => (
            <li key={mark.revision}>
              {mark.changed_at !== null && dateTime(mark.changed_at)}:{" "}
              {[...mark.tags, mark.note ?? "no note"].join(", ")}{" "}
              <button type="button" class="small" disabled={busy} onClick={() => restore(mark)}>
                Restore
              </button>
            </li>
          ))}
        </ul>
      )}
    </Show>
  )
}

/** A form that saves a mark, or takes it back; both answers close it. */
export const MarkForm = <M extends Earlier>({
  children,
  close,
  earlier,
  revision,
  restore,
  save,
  takeBack
}: {
  children: ComponentChildren
  close: () => void
  /** Asks for what the mark said before. */
  earlier: () => Promise<ReadonlyArray<M>>
  revision: number
  restore: (mark: M) => Promise<unknown>
  save: (form: FormData) => Promise<unknown>
  takeBack: () => Promise<unknown>
}) => {
  const [isOpen, setOpen] = useState(false)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ApiError>()
  const act = (action: Promise<unknown>) => {
    setBusy(true)
    setError(undefined)
    action.then(close, (failed: unknown) => {
      setBusy(false)
      setError(failed as ApiError)
    })
  }
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault()
        act(save(new FormData(event.currentTarget)))
      }}
    >
      {children}
      {revision > 1 && (
        <details onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>Earlier</summary>
          {isOpen && <EarlierMarks busy={busy} load={earlier} restore={(mark) => act(restore(mark))} />}
        </details>
      )}
      {error && <Problem error={error} />}
      <div class="form">
        <button type="button" onClick={close}>
          Cancel
        </button>
        <button type="button" disabled={busy} onClick={() => act(takeBack())}>
          As reported
        </button>
        <button type="submit" class="primary" disabled={busy}>
          Save
        </button>
      </div>
    </form>
  )
}
