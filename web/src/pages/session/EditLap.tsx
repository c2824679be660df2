/** The form in which a user excludes a lap, corrects its validity, notes it and tags it. */
import { useState } from "preact/hooks"
import { api } from "../../api.ts"
import type { Lap } from "../../types.ts"
import { Show } from "../../ui/Notice.tsx"
import { useAnswer } from "../../ui/useAnswer.ts"
import { MarkForm, NoteAndTags, tagsOf, textOf } from "./markFields.tsx"

const VALIDITY = { "": null, valid: true, invalid: false } as const

const isValidity = (text: string): text is keyof typeof VALIDITY => text in VALIDITY

/** Everyone drives against the reference on this circuit, unless one for a car or a driver goes before it. */
const Reference = ({ lap }: { lap: Lap }) => {
  const [said, say] = useState("")
  const choose = () =>
    api.putReference({ lap_id: lap.id }).then(
      () => say("Live pages and overlays drive against this lap."),
      (failed: unknown) => say((failed as Error).message)
    )
  return (
    <p>
      <button type="button" disabled={lap.lap_time === null} onClick={choose}>
        Make it the reference
      </button>{" "}
      <span role="status" class="small">
        {said}
      </span>
    </p>
  )
}

export const EditLap = ({ lap, close }: { lap: Lap; close: () => void }) => {
  const answer = useAnswer(() => api.lapMark(lap.id), [lap.id])
  return (
    <Show answer={answer}>
      {({ excluded, note, reason, revision, tags, valid }) => {
        const put = (lapMark: Parameters<typeof api.markLap>[0]["lapMark"]) =>
          api.markLap({ lapId: lap.id, lapMark, revision })
        return (
          <MarkForm
            close={close}
            revision={revision}
            earlier={() => api.earlierLapMarks(lap.id)}
            restore={({ excluded, note, reason, tags, valid }) =>
              put({ excluded, note, reason, tags, valid })
            }
            takeBack={() => put({})}
            save={(form) => {
              const validity = String(form.get("valid"))
              return put({
                excluded: form.get("excluded") === "on",
                valid: isValidity(validity) ? VALIDITY[validity] : null,
                reason: textOf(form, "reason"),
                tags: tagsOf(form),
                note: textOf(form, "note")
              })
            }}
          >
            <label class="check">
              <input name="excluded" type="checkbox" defaultChecked={excluded} /> Exclude it from bests,
              predictions and comparisons
            </label>
            <label class="field">
              Validity
              <select name="valid" defaultValue={valid === null ? "" : valid ? "valid" : "invalid"}>
                <option value="">as reported</option>
                <option value="valid">valid</option>
                <option value="invalid">not valid</option>
              </select>
            </label>
            <label class="field">
              Reason
              <input name="reason" maxLength={4000} defaultValue={reason ?? ""} />
            </label>
            <NoteAndTags note={note} tags={tags} />
            <Reference lap={lap} />
          </MarkForm>
        )
      }}
    </Show>
  )
}
