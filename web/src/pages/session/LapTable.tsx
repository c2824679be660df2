/** The laps with the best sectors marked, or with summaries of channels. Chosen laps go to the comparison. */
import { useState } from "preact/hooks"
import { api } from "../../api.ts"
import { delta, deltaClass, lapTime, NOTHING } from "../../format.ts"
import { bestOf } from "../../laps.ts"
import { place } from "../../router.ts"
import type { Channel, ChannelStatistics, Lap, Mark } from "../../types.ts"
import { Dialog } from "../../ui/Dialog.tsx"
import { later } from "../../ui/later.tsx"
import { Problem } from "../../ui/Notice.tsx"
import { useAnswer, useLatest } from "../../ui/useAnswer.ts"
import { adjust, Choices, filters } from "./LapChoices.tsx"
import { LapLinks } from "./LapLinks.tsx"
import { idsOf } from "../compare/view.ts"
import { columnsOf, type LapColumn } from "./lapColumns.ts"

const sectors = ["sector1_time", "sector2_time", "sector3_time"] as const
/** Limit of one comparison (contract, section 3). */
const MAX_COMPARED = 20

/** The best time of a sector in valid laps; Infinity if none was timed. */
const bestSector = (laps: ReadonlyArray<Lap>, sector: (typeof sectors)[number]) =>
  laps.reduce(
    (best, lap) => (lap.valid && (lap[sector] ?? 0) > 0 ? Math.min(best, lap[sector]!) : best),
    Number.POSITIVE_INFINITY
  )

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

const EditLap = later(async () => (await import("./EditLap.tsx")).EditLap)

/** `changed`: a user has said something about a lap. */
export const LapTable = ({
  sessionId,
  laps,
  marks,
  changed
}: {
  sessionId: number
  laps: ReadonlyArray<Lap>
  marks: ReadonlyArray<Mark>
  changed: () => void
}) => {
  const [edited, edit] = useState<Lap>()
  const done = () => {
    edit(undefined)
    changed()
  }
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
                <tr key={lap.id} class={lap.excluded ? "excluded" : undefined}>
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
                    <LapLinks
                      lap={lap}
                      best={best}
                      mark={marks.find(({ lap_id }) => lap_id === lap.id)}
                      edit={() => edit(lap)}
                    />
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
      <Dialog open={edited !== undefined} title={`Lap ${edited?.lap_number ?? ""}`} close={done}>
        {edited && <EditLap lap={edited} close={done} />}
      </Dialog>
      {shown.length === 0 && <p class="muted">No lap of this session is among them.</p>}
    </section>
  )
}
