/** All sessions, searched by parts of names, sorted and in pages. The address has the search. */
import { useEffect, useRef } from "preact/hooks"
import { api } from "../api.ts"
import { count, dateTime, duration, lapTime } from "../format.ts"
import { DropArea } from "../imports/DropArea.tsx"
import { isReported, nameText } from "../names.ts"
import { go, place, withQuery } from "../router.ts"
import { zoneName } from "../settings.ts"
import type { Session, SessionList } from "../types.ts"
import { Notice, Show } from "../ui/Notice.tsx"
import { useTitle } from "../ui/title.ts"
import { useAnswer, useInterval } from "../ui/useAnswer.ts"
import { Filters, isOrder } from "./sessions/Filters.tsx"

/** Sessions on a page of the list, to choose from. The first is the usual number. */
const PAGE_SIZES = [25, 50, 100, 200] as const

const pageSize = () =>
  PAGE_SIZES.find((size) => String(size) === place.value.query.get("size")) ?? PAGE_SIZES[0]

const Name = ({ of }: { of: string }) => (
  <td class={isReported(of) ? "name" : "name muted"}>{nameText(of)}</td>
)

const Row = ({ session, live }: { session: Session; live: boolean }) => (
  <tr>
    <td>
      <a class="date" href={`/sessions/${session.id}`}>
        {dateTime(session.datetime)}
      </a>
      {live && (
        <>
          {" "}
          <a class="tag good" href={`/?session_id=${session.id}`}>
            live
          </a>
        </>
      )}
      {session.pinned && <span class="muted small"> pinned</span>}
      {session.tags?.map((tag) => (
        <span key={tag}>
          {" "}
          <a class="tag plain" href={withQuery({ tag, page: undefined })}>
            {tag}
          </a>
        </span>
      ))}
    </td>
    <Name of={session.circuit} />
    <Name of={session.vehicle} />
    <Name of={session.driver} />
    <td class="num" data-head="Length">
      {duration(session.duration)}
    </td>
    <td class="num" data-head="Laps">
      {count(session.total_laps)}
    </td>
    <td class="num" data-head="Best lap">
      {session.best_lap_time === null ? (
        lapTime(null)
      ) : (
        <a href={`/compare?best=${session.id}`} title="Compare it with another lap of this circuit">
          {lapTime(session.best_lap_time)}
        </a>
      )}
    </td>
  </tr>
)

const Pages = ({ list }: { list: SessionList }) => {
  const size = pageSize()
  const last = Math.max(0, Math.ceil(list.total / size) - 1)
  const step = (to: number, label: string) =>
    to >= 0 && to <= last ? (
      <a key={label} class="button" href={withQuery({ page: to === 0 ? undefined : String(to) })}>
        {label}
      </a>
    ) : (
      <button key={label} type="button" disabled>
        {label}
      </button>
    )
  return (
    <nav class="form" aria-label="Pages of the list">
      {step(list.page - 1, "Back")}
      <span class="muted">
        {count(list.page * size + 1)} to {count(list.page * size + list.items.length)} of {count(list.total)}
      </span>
      {step(list.page + 1, "Next")}
      {list.total > PAGE_SIZES[0] && (
        <label class="small muted">
          Per page{" "}
          <select
            value={String(size)}
            onChange={(event) => {
              const { value } = event.currentTarget
              go(withQuery({ size: value === String(PAGE_SIZES[0]) ? undefined : value, page: undefined }))
            }}
          >
            {PAGE_SIZES.map((one) => (
              <option key={one} value={String(one)}>
                {one}
              </option>
            ))}
          </select>
        </label>
      )}
    </nav>
  )
}

/** How often the page asks which sessions are being recorded. */
const LIVE_MS = 5000

/** The sessions that are being recorded now. */
const useLive = (): ReadonlySet<number> => {
  const status = useAnswer(api.status, [])
  useInterval(status.again, LIVE_MS)
  return new Set(status.value?.connections.flatMap(({ session_id }) => session_id ?? []))
}

const List = ({ list, filtered, again }: { list: SessionList; filtered: boolean; again: () => void }) => {
  const live = useLive()
  // Names, laps and best times change while a session is driven.
  useInterval(() => list.items.some(({ id }) => live.has(id)) && again(), LIVE_MS)
  if (list.items.length === 0) {
    return filtered || list.total > 0 ? (
      <Notice title="No session has these names.">
        <span>
          Each word that is searched for is a part of the circuit, the vehicle or the driver, ignoring case.
        </span>
        <a class="button" href="/sessions">
          Show all sessions
        </a>
      </Notice>
    ) : (
      <Notice title="Nothing has been recorded yet.">
        <span>
          Connect a simulator on the <a href="/">Live page</a>, or run <code>npm run demo</code>: the first
          lap is complete after 45 seconds.
        </span>
      </Notice>
    )
  }
  return (
    <section class="panel stack">
      <div class="scroll">
        <table class="folding">
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
              <Row key={session.id} session={session} live={live.has(session.id)} />
            ))}
          </tbody>
        </table>
      </div>
      <Pages list={list} />
    </section>
  )
}

const importFiles = async (files: ReadonlyArray<File>) => {
  if (files.length === 0) return
  const { addFiles } = await import("../imports/uploads.ts")
  addFiles(files)
  go("/import")
}

export const SessionsPage = () => {
  const { query } = place.value
  const wanted = {
    circuit: query.get("circuit") ?? undefined,
    vehicle: query.get("vehicle") ?? undefined,
    driver: query.get("driver") ?? undefined,
    search: query.get("search") ?? undefined,
    tag: query.get("tag") ?? undefined
  }
  const sort = query.get("sort")
  const page = Math.max(0, Number(query.get("page")) || 0)
  const size = pageSize()
  const shownPage = useRef(page)
  // Another page of the list is read from its top.
  useEffect(() => {
    if (shownPage.current !== page) window.scrollTo(0, 0)
    shownPage.current = page
  }, [page])
  const list = useAnswer(
    () =>
      api.sessions({
        ...wanted,
        ...(isOrder(sort) ? { sort } : {}),
        limit: size,
        offset: page * size
      }),
    [query.toString()]
  )
  useTitle(
    Object.values(wanted)
      .flatMap((value) => (value === undefined ? [] : nameText(value)))
      .join(", ") || undefined
  )
  const filtered = Object.values(wanted).some((value) => value !== undefined)
  return (
    <DropArea take={importFiles}>
      <h1>Sessions</h1>
      <Filters />
      <Show answer={list}>{(value) => <List list={value} filtered={filtered} again={list.again} />}</Show>
      <p class="muted small">
        Drop files of other programs here to <a href="/import">import</a> them.
      </p>
    </DropArea>
  )
}
