/** The laps with the best sectors marked, or with summaries of channels. Chosen laps go to the comparison. */
import { api } from "../../api.ts"
import { delta, deltaClass, lapTime, NOTHING } from "../../format.ts"
import { bestOf, flawOf } from "../../laps.ts"
import { nameText } from "../../names.ts"
import { go, place, withQuery } from "../../router.ts"
import { withToken } from "../../token.ts"
import type { Channel, ChannelStatistics, Lap } from "../../types.ts"
import { Problem } from "../../ui/Notice.tsx"
import { useAnswer, useLatest } from "../../ui/useAnswer.ts"
import { idsOf } from "../compare/view.ts"
import { columnsOf, type LapColumn, tables } from "./lapColumns.ts"

const sectors = ["sector1_time", "sector2_time", "sector3_time"] as const
/** Limit of one comparison (contract, section 3). */
const MAX_COMPARED = 20
/** Laps at pace, as the analysis defines them. */
const PACE = 1.07

/** The best time of a sector in valid laps; Infinity if none was timed. */
const bestSector = (laps: ReadonlyArray<Lap>, sector: (typeof sectors)[number]) =>
  laps.reduce(
    (best, lap) => (lap.valid && (lap[sector] ?? 0) > 0 ? Math.min(best, lap[sector]!) : best),
    Number.POSITIVE_INFINITY
  )

interface Shown {
  readonly title: string
  readonly has: (lap: Lap, best: Lap | undefined, chosen: ReadonlySet<number>) => boolean
}

const filters: Readonly<Record<string, Shown>> = {
  "": { title: "All laps", has: () => true },
  valid: { title: "Valid laps", has: ({ valid }) => valid },
  pace: {
    title: "Laps at pace (107 %)",
    has: (lap, best) =>
      lap.valid && lap.lap_time !== null && best !== undefined && lap.lap_time <= PACE * best.lap_time!
  },
  chosen: { title: "Chosen laps", has: ({ id }, _best, chosen) => chosen.has(id) }
}

const adjust = (changes: Readonly<Record<string, string | undefined>>) => go(withQuery(changes), "replace")

/** The choice of laps and of columns. */
const Choices = ({ dictionary }: { dictionary: ReadonlyArray<Channel> }) => {
  const { query } = place.value
  const [table, channel] = [query.get("table") ?? "", query.get("channel") ?? ""]
  const has = (names: ReadonlyArray<string>) => dictionary.some(({ name }) => names.includes(name))
  return (
    <div class="form">
      <label class="field">
        Show
        <select
          value={query.get("show") ?? ""}
          onChange={(event) => adjust({ show: event.currentTarget.value })}
        >
          {Object.entries(filters).map(([name, { title }]) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
        </select>
      </label>
      <label class="field lap-columns">
        Columns
        <select
          value={channel === "" ? table : `channel ${channel}`}
          onChange={(event) => {
            const [kind, name] = event.currentTarget.value.split(" ")
            adjust(
              name === undefined ? { table: kind, channel: undefined } : { table: undefined, channel: name }
            )
          }}
        >
          <option value="">Sectors</option>
          {Object.entries(tables).map(
            ([name, { of, title }]) =>
              has(of) && (
                <option key={name} value={name}>
                  {title}
                </option>
              )
          )}
          <optgroup label="Channels: least, mean, most, change">
            {dictionary
              .filter(({ name }) => name !== "timestamp")
              .map(({ name }) => (
                <option key={name} value={`channel ${name}`}>
                  {name.replaceAll("_", " ")}
                </option>
              ))}
          </optgroup>
        </select>
      </label>
    </div>
  )
}

const Compared = ({ chosen }: { chosen: ReadonlyArray<number> }) =>
  chosen.length >= 2 && chosen.length <= MAX_COMPARED ? (
    <a class="button primary" href={`/compare?laps=${chosen.join(",")}`}>
      Compare {chosen.length} laps
    </a>
  ) : (
    <span class="muted small on-screen">
      {chosen.length > MAX_COMPARED ? `${chosen.length} chosen: at most` : "Choose 2 to"} {MAX_COMPARED} laps
      to compare them
    </span>
  )

type Summaries = ReadonlyMap<number, ReadonlyMap<string, ChannelStatistics>>

/** Requested only if the table shows channels: lap times do not need them. */
const summariesOf = async (laps: ReadonlyArray<Lap>): Promise<Summaries> =>
  new Map(
    await Promise.all(
      laps.map(
        async ({ id }) =>
          [id, new Map((await api.channelStatistics(id)).map((one) => [one.name, one]))] as const
      )
    )
  )

const NONE: ReadonlyArray<Channel> = []

const Links = ({ lap, best }: { lap: Lap; best: Lap | undefined }) => (
  <>
    {lap.driver && <span class="muted small">{nameText(lap.driver)}</span>}{" "}
    {flawOf(lap) && <span class="tag bad">{flawOf(lap)}</span>}{" "}
    {best && lap.id !== best.id && (
      <a href={`/compare?laps=${best.id},${lap.id}`} aria-label={`vs best: lap ${lap.lap_number}`}>
        vs best
      </a>
    )}{" "}
    <a href={withToken(`/api/v1/export/csv/${lap.id}`)} download aria-label={`CSV of lap ${lap.lap_number}`}>
      CSV
    </a>{" "}
    <a
      href={withToken(`/api/v1/export/json/${lap.id}`)}
      download
      aria-label={`JSON of lap ${lap.lap_number}`}
    >
      JSON
    </a>
  </>
)

export const LapTable = ({ sessionId, laps }: { sessionId: number; laps: ReadonlyArray<Lap> }) => {
  const { query } = place.value
  const best = bestOf(laps)
  const bests = sectors.map((sector) => bestSector(laps, sector))
  const timed = bests.some((time) => Number.isFinite(time))
  const order = idsOf(query.get("chosen"))
  const chosen = new Set(order)
  const dictionary = useAnswer(() => api.channels(sessionId), [sessionId]).value ?? NONE
  const columns = columnsOf(query.get("table") ?? "", query.get("channel") ?? "", dictionary)
  const wanted = columns !== undefined
  const summaries = useLatest<Summaries | undefined>(
    async () => (wanted ? await summariesOf(laps) : undefined),
    [wanted],
    laps
  )
  const toggle = (id: number) => {
    const next = chosen.has(id) ? order.filter((one) => one !== id) : [...order, id]
    adjust({ chosen: next.length === 0 ? undefined : next.join(",") })
  }
  const filter = filters[query.get("show") ?? ""] ?? filters[""]!
  const shown = laps.filter((lap) => filter.has(lap, best, chosen))
  const cells = (lap: Lap) =>
    columns === undefined
      ? timed &&
        sectors.map((sector, k) => (
          <td key={sector} class={`num${lap.valid && lap[sector] === bests[k] ? " best" : ""}`}>
            {lapTime(lap[sector])}
          </td>
        ))
      : columns.map((column: LapColumn) => {
          const of = summaries.value?.get(lap.id)
          return (
            <td key={column.head} class="num">
              {of === undefined ? (summaries.state === "waiting" ? "…" : NOTHING) : column.text(of)}
            </td>
          )
        })
  const heads = columns?.map(({ head }) => head) ?? (timed ? ["S1", "S2", "S3"] : [])
  return (
    <section class="panel">
      <div class="panel-head">
        <h2>Laps</h2>
        <Compared chosen={order} />
      </div>
      <Choices dictionary={dictionary} />
      {summaries.state === "failed" && <Problem error={summaries.error} again={summaries.again} />}
      <div class="scroll tall sticky" tabIndex={0}>
        <table class="laps lap-rows">
          <thead>
            <tr>
              <th class="lap-choice">
                <span class="unseen">Choose</span>
              </th>
              <th class="num lap-number">Lap</th>
              <th class="num">Time</th>
              <th class="num">To best</th>
              {heads.map((name) => (
                <th key={name} class="num">
                  {name}
                </th>
              ))}
              <th class="lap-links" />
            </tr>
          </thead>
          <tbody>
            {shown.map((lap) => {
              const behind =
                lap.lap_time === null || lap.withdrawn || best === undefined
                  ? null
                  : lap.lap_time - best.lap_time!
              return (
                <tr key={lap.id}>
                  <td class="lap-choice">
                    <input
                      type="checkbox"
                      checked={chosen.has(lap.id)}
                      onChange={() => toggle(lap.id)}
                      aria-label={`Compare lap ${lap.lap_number}`}
                    />
                  </td>
                  <td class="num lap-number">{lap.lap_number}</td>
                  <td class={`num${lap.id === best?.id ? " best" : ""}`}>{lapTime(lap.lap_time)}</td>
                  <td class={`num ${deltaClass(behind)}`}>{lap.id === best?.id ? "best" : delta(behind)}</td>
                  {cells(lap)}
                  <td class="num lap-links">
                    <Links lap={lap} best={best} />
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
      {shown.length === 0 && <p class="muted">No lap of this session is among them.</p>}
    </section>
  )
}
