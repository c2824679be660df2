/** The form in which a user corrects a session's names, notes it and tags it. */
import { api } from "../../api.ts"
import type { Session, SessionMark } from "../../types.ts"
import { MarkForm, NoteAndTags, tagsOf, textOf } from "./markFields.tsx"

const NAMES = [
  ["circuit", "Circuit"],
  ["circuit_layout", "Layout"],
  ["vehicle", "Vehicle"],
  ["driver", "Driver"]
] as const

export const EditSession = ({
  session,
  mark,
  close
}: {
  session: Session
  mark: SessionMark
  close: () => void
}) => {
  const put = (sessionMark: Parameters<typeof api.markSession>[0]["sessionMark"]) =>
    api.markSession({ sessionId: session.id, sessionMark, revision: mark.revision })
  const reported = {
    circuit: session.circuit_reported ?? session.circuit,
    circuit_layout: "",
    vehicle: session.vehicle_reported ?? session.vehicle,
    driver: session.driver_reported ?? session.driver
  }
  return (
    <MarkForm
      close={close}
      revision={mark.revision}
      earlier={() => api.earlierSessionMarks(session.id)}
      restore={({ circuit, circuit_layout, driver, note, tags, vehicle }) =>
        put({ circuit, circuit_layout, driver, note, tags, vehicle })
      }
      takeBack={() => put({})}
      save={(form) =>
        put({
          circuit: textOf(form, "circuit"),
          circuit_layout: textOf(form, "circuit_layout"),
          vehicle: textOf(form, "vehicle"),
          driver: textOf(form, "driver"),
          tags: tagsOf(form),
          note: textOf(form, "note")
        })
      }
    >
      <p class="muted small">
        Lists and statistics go by these names. An empty field leaves the name that was reported.
      </p>
      {NAMES.map(([name, label]) => (
        <label key={name} class="field">
          {label}
          <input name={name} maxLength={200} placeholder={reported[name]} defaultValue={mark[name] ?? ""} />
        </label>
      ))}
      <NoteAndTags note={mark.note} tags={mark.tags} />
    </MarkForm>
  )
}
