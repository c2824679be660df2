/**
 * Diagrams of a session: a histogram, an x-y plot with a map, and a channel report. They share the choice of laps and one cursor. The
 * address has the choice (diagrams/view.ts).
 */
import { computed, useSignal } from "@preact/signals"
import { useEffect, useMemo } from "preact/hooks"
import { api } from "../api.ts"
import { counted } from "../format.ts"
import { headingOf } from "../names.ts"
import { place } from "../router.ts"
import type { Channel, Lap, Session } from "../types.ts"
import { Notice, Show } from "../ui/Notice.tsx"
import { useTitle } from "../ui/title.ts"
import { useAnswer } from "../ui/useAnswer.ts"
import { ChosenSpans } from "./diagrams/ChosenSpans.tsx"
import { Histogram } from "./diagrams/Histogram.tsx"
import { readPoints } from "./diagrams/points.ts"
import { Report } from "./diagrams/Report.tsx"
import { Scatter } from "./diagrams/Scatter.tsx"
import { diagramsView, offeredIn } from "./diagrams/view.ts"

interface Found {
  readonly session: Session
  readonly laps: ReadonlyArray<Lap>
  readonly channels: ReadonlyArray<Channel>
}

/** The share of the session's time that the chosen laps have; 1 if it is not known. */
const shareOf = (session: Session, laps: ReadonlyArray<Lap>): number => {
  const seconds = laps.reduce((sum, { lap_time }) => sum + (lap_time ?? session.duration), 0)
  return laps.length === 0 || session.duration <= 0 ? 1 : Math.min(1, seconds / session.duration)
}

const POSITION = ["position_x", "position_y"]

const Diagrams = ({ session, laps, channels }: Found) => {
  const view = diagramsView(laps, channels)
  const cursor = useSignal<number | undefined>(undefined)
  const known = new Set(channels.map(({ name }) => name))
  const names = [view.x, view.y, view.colour, view.channel, ...POSITION].filter((name) => known.has(name))
  const ids = view.laps.map(({ id }) => id).join()
  const answer = useAnswer(
    async () => ({
      names: names.join(),
      points: await readPoints(session.id, view.laps, shareOf(session, view.laps), names, channels)
    }),
    [session.id, ids, names.join()]
  )
  const read = answer.value
  useEffect(() => {
    cursor.value = undefined
  }, [read])
  const value = useMemo(
    () =>
      computed(() =>
        cursor.value === undefined ? undefined : read?.points.columns.get(view.channel)?.[cursor.value]
      ),
    [read, view.channel]
  )
  return (
    <>
      <ChosenSpans laps={laps} chosen={view.laps} />
      <div class="diagrams">
        <Histogram sessionId={session.id} view={view} channels={channels} value={value} />
        <Show answer={answer}>
          {({ names: shown, points }) =>
            // The points of the choice before lack its channels.
            shown === names.join() ? (
              <Scatter points={points} view={view} channels={channels} cursor={cursor} />
            ) : (
              <section class="panel">
                <p class="muted">Loading …</p>
              </section>
            )
          }
        </Show>
        <Report sessionId={session.id} view={view} channels={channels} />
      </div>
    </>
  )
}

export const DiagramsPage = () => {
  const id = Number(place.value.path.split("/")[2])
  const answer = useAnswer(async (): Promise<Found> => {
    const [session, laps, channels] = await Promise.all([api.session(id), api.laps(id), api.channels(id)])
    return { session, laps, channels: offeredIn(channels) }
  }, [id])
  const found = answer.value
  useTitle(found && headingOf(found.session))
  return (
    <div class="stack">
      <div class="page-head">
        <h1>Diagrams</h1>
        {found !== undefined && (
          <span class="muted">
            <a href={`/sessions/${id}`}>{headingOf(found.session)}</a>, {counted(found.laps.length, "lap")}
          </span>
        )}
      </div>
      <Show answer={answer}>
        {(value) =>
          value.channels.length === 0 ? (
            <Notice title="This session has no points yet." />
          ) : (
            <Diagrams {...value} />
          )
        }
      </Show>
    </div>
  )
}
