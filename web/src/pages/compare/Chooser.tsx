/** Adds a lap of any session on the circuit: a session's best in one click, or any of its laps. */
import { useState } from "preact/hooks"
import { api } from "../../api.ts"
import { count } from "../../format.ts"
import { nameText } from "../../names.ts"
import { useAnswer } from "../../ui/useAnswer.ts"
import { Problem } from "../../ui/Notice.tsx"
import { SessionChoice } from "./SessionChoice.tsx"

/** Limit of one comparison (contract, section 3). */
export const MOST = 20
/** Sessions that are listed at first, and added each time the user asks for more. */
const LISTED = 200
const NOTHING: ReadonlyArray<never> = []

const orders = { newest: "Newest first", fastest: "Fastest first" } as const
type Order = keyof typeof orders

const listOf = (circuit: string, sort: Order, list: number) =>
  api.sessions({ circuit, sort, limit: LISTED, offset: list * LISTED })

const CircuitChoice = ({ wanted, want }: { wanted: string; want: (circuit: string) => void }) => {
  const circuits = useAnswer(api.circuits, [])
  return (
    <label class="field">
      Circuit
      <select value={wanted} onChange={(event) => want(event.currentTarget.value)}>
        <option value="">Choose a circuit</option>
        {(circuits.value ?? NOTHING).map((name) => (
          <option key={name} value={name}>
            {nameText(name)}
          </option>
        ))}
      </select>
    </label>
  )
}

const Sessions = ({ circuit, ids }: { circuit: string; ids: ReadonlyArray<number> }) => {
  const [order, setOrder] = useState<Order>("newest")
  const [lists, ask] = useState(1)
  const answer = useAnswer(
    () => Promise.all(Array.from({ length: lists }, (_, k) => listOf(circuit, order, k))),
    [circuit, order, lists]
  )
  if (answer.state === "failed") return <Problem error={answer.error} again={answer.again} />
  const listed = (answer.value ?? NOTHING).flatMap(({ items }) => items)
  const more = (answer.value?.[0]?.total ?? 0) - listed.length
  return (
    <>
      <label class="field">
        Sessions
        <select value={order} onChange={(event) => setOrder(event.currentTarget.value as Order)}>
          {Object.entries(orders).map(([name, title]) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
        </select>
      </label>
      <div class="scroll session-choices" tabIndex={0}>
        <ul class="plain" aria-label="Sessions on the circuit">
          {listed.map((session) => (
            <SessionChoice key={session.id} session={session} ids={ids} />
          ))}
        </ul>
        {more > 0 && (
          <button type="button" onClick={() => ask(lists + 1)}>
            {count(more)} more …
          </button>
        )}
      </div>
    </>
  )
}

/** `circuit`: that of the laps; undefined for none yet. */
export const Chooser = ({ ids, circuit }: { ids: ReadonlyArray<number>; circuit: string | undefined }) => {
  const [wanted, want] = useState("")
  const where = circuit ?? wanted
  if (ids.length >= MOST) return <p class="muted">{MOST} laps are compared, which is the limit.</p>
  return (
    <section class="panel form lap-chooser" aria-label="Add a lap">
      {circuit === undefined && <CircuitChoice wanted={wanted} want={want} />}
      {where !== "" && <Sessions key={where} circuit={where} ids={ids} />}
    </section>
  )
}
