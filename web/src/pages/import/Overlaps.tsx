/** Asks which sessions are to stay of a drive that was recorded live and imported from a file. */
import { useState } from "preact/hooks"
import { api, type ApiError } from "../../api.ts"
import { dateTime } from "../../format.ts"
import type { FileImport } from "../../types.ts"
import { Problem } from "../../ui/Notice.tsx"
import { useAnswer } from "../../ui/useAnswer.ts"

export const Overlaps = ({ found }: { found: FileImport }) => {
  const { overlaps, sessions } = found
  const live = useAnswer(() => Promise.all(overlaps.map(api.session)), [overlaps.join()])
  const [settled, setSettled] = useState<string>()
  const [error, setError] = useState<ApiError>()
  if (overlaps.length === 0 || live.value === undefined) return null
  if (settled !== undefined) return <p class="muted">{settled}</p>
  const remove = (ids: ReadonlyArray<number>, said: string) =>
    Promise.all(ids.map(api.deleteSession)).then(
      () => setSettled(said),
      (failed: unknown) => setError(failed as ApiError)
    )
  return (
    <fieldset>
      <legend>
        This drive was also recorded live:{" "}
        {live.value.map(({ datetime, id }) => (
          <a key={id} href={`/sessions/${id}`}>
            {dateTime(datetime)}
          </a>
        ))}
        . Which is to stay? A deletion cannot be undone.
      </legend>
      <button type="button" onClick={() => setSettled("Both stay")}>
        Keep both
      </button>{" "}
      <button
        type="button"
        class="danger"
        onClick={() => void remove(overlaps, "The live recording was deleted")}
      >
        Delete the live recording
      </button>{" "}
      <button type="button" class="danger" onClick={() => void remove(sessions, "The import was deleted")}>
        Delete the import
      </button>
      {error && <Problem error={error} />}
    </fieldset>
  )
}
