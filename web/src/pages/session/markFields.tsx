/** Fields of the forms in which users mark a session or a lap, and what these forms have in common. */
import type { ComponentChildren } from "preact"
import { useState } from "preact/hooks"
import type { ApiError } from "../../api.ts"
import { Problem } from "../../ui/Notice.tsx"

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

/** A form that saves a mark, or takes it back; both answers close it. */
export const MarkForm = ({
  children,
  close,
  save,
  takeBack
}: {
  children: ComponentChildren
  close: () => void
  save: (form: FormData) => Promise<unknown>
  takeBack: () => Promise<unknown>
}) => {
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
