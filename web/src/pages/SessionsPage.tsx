/** All sessions: found by names, a page at a time. The address carries what was looked for. */
import { api } from "../api.ts"
import { count, dateTime, duration, lapTime } from "../format.ts"
import { go, place, withQuery } from "../router.ts"
import { zoneName } from "../settings.ts"
import type { Session, SessionList } from "../types.ts"
import { Notice, Show } from "../ui/Notice.tsx"
import { useAnswer } from "../ui/useAnswer.ts"

const PAGE_SIZE = 25

const looking = (name: string, value: string) => go(withQuery({ [name]: value, page: undefined }), "replace")

const Choice = ({ name, label, values }: { name: string; label: string; values: ReadonlyArray<string> }) => {
  const chosen = place.value.query.get(name) ?? ""
  return (
    <label class="field">
      {label}
      <select value={chosen} onChange={(event) => looking(name, event.currentTarget.value)}>
        <option value="">all</option>
        {values.map((value) => (
          <option key={value} value={value}>
            {value}
          </option>
        ))}
      </select>
    </label>
  )
}

const Filters = () => {
  const circuits = useAnswer(api.circuits, [])
  const vehicles = useAnswer(api.vehicles, [])
  return (
    <search class="panel form">
      <Choice name="circuit" label="Circuit" values={circuits.value ?? []} />
      <Choice name="vehicle" label="Vehicle" values={vehicles.value ?? []} />
      <label class="field">
        Driver (whole name)
        <input
          type="search"
          defaultValue={place.value.query.get("driver") ?? ""}
          onChange={(event) => looking("driver", event.currentTarget.value.trim())}
        />
      </label>
      {["circuit", "vehicle", "driver"].some((name) => place.value.query.has(name)) && (
        <a class="button" href="/sessions">
          Show all
        </a>
      )}
    </search>
  )
}

const Row = ({ session }: { session: Session }) => (
  <tr>
    <td>
      <a href={`/sessions/${session.id}`}>{dateTime(session.datetime)}</a>
      {session.pinned && <span class="muted small"> pinned</span>}
    </td>
    <td>{session.circuit}</td>
    <td>{session.vehicle}</td>
    <td>{session.driver}</td>
    <td class="num">{duration(session.duration)}</td>
    <td class="num">{count(session.total_laps)}</td>
    <td class="num">{lapTime(session.best_lap_time)}</td>
  </tr>
)

const Pages = ({ list }: { list: SessionList }) => {
  const last = Math.max(0, Math.ceil(list.total / PAGE_SIZE) - 1)
  const step = (to: number, label: string) =>
    to >= 0 && to <= last ? (
      <a class="button" href={withQuery({ page: to === 0 ? undefined : String(to) })}>
        {label}
      </a>
    ) : (
      <button type="button" disabled>
        {label}
      </button>
    )
  return (
    <nav class="form" aria-label="Pages of the list">
      {step(list.page - 1, "Newer")}
      <span class="muted">
        {count(list.page * PAGE_SIZE + 1)} to {count(list.page * PAGE_SIZE + list.items.length)} of{" "}
        {count(list.total)}
      </span>
      {step(list.page + 1, "Older")}
    </nav>
  )
}

const List = ({ list, filtered }: { list: SessionList; filtered: boolean }) => {
  if (list.items.length === 0) {
    return filtered || list.total > 0 ? (
      <Notice title="No session has these names.">
        <span>Names match whole, ignoring case.</span>
        <a class="button" href="/sessions">
          Show all sessions
        </a>
      </Notice>
    ) : (
      <Notice title="Nothing has been recorded yet.">
        <span>
          Connect a simulator on the <a href="/">Live page</a>, or run <code>npm run demo</code>: the first
          lap is there after 45 seconds.
        </span>
      </Notice>
    )
  }
  return (
    <section class="panel stack">
      <div class="scroll">
        <table>
          <thead>
            <tr>
              <th>Start ({zoneName.value})</th>
              <th>Circuit</th>
              <th>Vehicle</th>
              <th>Driver</th>
              <th class="num">Length</th>
              <th class="num">Laps</th>
              <th class="num">Best lap</th>
            </tr>
          </thead>
          <tbody>
            {list.items.map((session) => (
              <Row key={session.id} session={session} />
            ))}
          </tbody>
        </table>
      </div>
      <Pages list={list} />
    </section>
  )
}

export const SessionsPage = () => {
  const { query } = place.value
  const wanted = {
    circuit: query.get("circuit") ?? undefined,
    vehicle: query.get("vehicle") ?? undefined,
    driver: query.get("driver") ?? undefined
  }
  const page = Math.max(0, Number(query.get("page")) || 0)
  const list = useAnswer(
    () => api.sessions({ ...wanted, limit: PAGE_SIZE, offset: page * PAGE_SIZE }),
    [query.toString()]
  )
  const filtered = Object.values(wanted).some((value) => value !== undefined)
  return (
    <div class="stack">
      <h1>Sessions</h1>
      <Filters />
      <Show answer={list}>{(value) => <List list={value} filtered={filtered} />}</Show>
    </div>
  )
}
