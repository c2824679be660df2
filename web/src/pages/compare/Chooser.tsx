/** Adds a lap of any session on the circuit. */
import { useState } from "preact/hooks"
import { api } from "../../api.ts"
import { count, dateTime, lapTime } from "../../format.ts"
import { bestOf, flawOf } from "../../laps.ts"
import { nameText, reported } from "../../names.ts"
import { go, withQuery } from "../../router.ts"
import type { Lap, Session } from "../../types.ts"
import { useAnswer } from "../../ui/useAnswer.ts"

/** Limit of one comparison (contract, section 3). */
export const MOST = 20
/** Sessions that are listed at first, and added each time the user asks for older ones. */
const LISTED = 200
const OLDER = "older"
const NOTHING: ReadonlyArray<never> = []

const Choice = ({
  label,
  value,
  choose,
  options,
  prompt
}: {
  label: string
  value: string
  choose: (value: string) => void
  options: ReadonlyArray<readonly [string, string]>
  prompt: string
}) => (
  <label class="field">
    {label}
    <select
      value={value}
      onChange={(event) => choose(event.currentTarget.value)}
      disabled={options.length === 0}
    >
      <option value="">{prompt}</option>
      {options.map(([key, text]) => (
        <option key={key} value={key}>
          {text}
        </option>
      ))}
    </select>
  </label>
)

const lapText = (lap: Lap, best: Lap | undefined) =>
  [`Lap ${lap.lap_number}`, lapTime(lap.lap_time), lap.id === best?.id ? "best" : (flawOf(lap) ?? [])]
    .flat()
    .join("   ")
const sessionText = (session: Session) =>
  [
    dateTime(session.datetime),
    reported(session.driver, session.vehicle).join(", ") || `session ${session.id}`,
    lapTime(session.best_lap_time)
  ].join("   ")

/** A page of a circuit's sessions, the newest first. */
const listOf = (circuit: string, list: number) =>
  api.sessions({ circuit, limit: LISTED, offset: list * LISTED })

export const Chooser = ({ ids, circuit }: { ids: ReadonlyArray<number>; circuit: string | undefined }) => {
  const [wanted, want] = useState("")
  const [session, chooseSession] = useState("")
  const [lists, ask] = useState(1)
  const where = circuit ?? wanted
  const circuits = useAnswer(api.circuits, [])
  const sessions = useAnswer(
    async () =>
      where === "" ? NOTHING : await Promise.all(Array.from({ length: lists }, (_, k) => listOf(where, k))),
    [where, lists]
  )
  const listed = (sessions.value ?? NOTHING).flatMap(({ items }) => items)
  const older = (sessions.value?.[0]?.total ?? 0) - listed.length
  const laps = useAnswer(async () => (session === "" ? NOTHING : await api.laps(Number(session))), [session])
  const free = (laps.value ?? NOTHING).filter((lap) => !ids.includes(lap.id))
  const best = bestOf(laps.value ?? NOTHING)
  if (ids.length >= MOST) return <p class="muted">{MOST} laps are compared, which is the limit.</p>
  return (
    <section class="form inline-fields" aria-label="Add a lap">
      {circuit === undefined && (
        <Choice
          label="Circuit"
          value={wanted}
          choose={(value) => {
            want(value)
            chooseSession("")
            ask(1)
          }}
          options={(circuits.value ?? NOTHING).map((name) => [name, nameText(name)] as const)}
          prompt="Choose a circuit"
        />
      )}
      <Choice
        label="Session"
        value={session}
        choose={(value) => (value === OLDER ? ask(lists + 1) : chooseSession(value))}
        options={[
          ...listed.map((one) => [String(one.id), sessionText(one)] as const),
          ...(older > 0 ? [[OLDER, `${count(older)} older …`] as const] : [])
        ]}
        prompt="Choose a session"
      />
      <Choice
        label="Lap"
        value=""
        choose={(id) => id !== "" && go(withQuery({ laps: [...ids, id].join(","), at: undefined }))}
        options={free.map((lap) => [String(lap.id), lapText(lap, best)] as const)}
        prompt="Add a lap"
      />
    </section>
  )
}
