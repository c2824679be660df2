/** The best lap of each session at a circuit over the weeks, and the best so far. */
import { useEffect, useRef, useState } from "preact/hooks"
import uPlot from "uplot"
import { api } from "../../api.ts"
import { fitWidth } from "../../draw/fitWidth.ts"
import { OFF_PACE } from "../../draw/pace.ts"
import { bestsOver, type SessionBest } from "../../draw/bestsOver.ts"
import { counted, dateTime, delta, lapTime } from "../../format.ts"
import { nameText } from "../../names.ts"
import { colour, theme } from "../../theme.ts"
import type { Session } from "../../types.ts"
import { useAnswer } from "../../ui/useAnswer.ts"

const HEIGHT = 200
/** The service lists so many sessions at a time; of more pages than this the newest are drawn. */
const LISTED = 1000
const MAX_PAGES = 10
const DAY_S = 86_400
const DAYS = [1, 7, 14, 28, 56, 91, 182, 364, 728]
/** Marks of the axis of times, s. */
const TIME_STEPS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50]
const MIN_SPAN_S = 1

type Names = Readonly<Record<"circuit", string> & Record<"vehicle" | "driver" | "tag", string | undefined>>

const sessionsOf = async (names: Names): Promise<ReadonlyArray<Session>> => {
  const found: Array<Session> = []
  for (let page = 0; page < MAX_PAGES; page++) {
    const { items, total } = await api.sessions({ ...names, limit: LISTED, offset: page * LISTED })
    found.push(...items)
    if (found.length >= total || items.length === 0) break
  }
  return found
}

/** The date at a mark of the axis. */
const dayText = (seconds: number) =>
  dateTime(new Date(seconds * 1000).toISOString().replace("Z", "")).slice(0, 10)

const draw = (target: HTMLElement, bests: ReadonlyArray<SessionBest>, point: (at: number) => void) => {
  const text = {
    stroke: colour("muted"),
    grid: { stroke: colour("grid"), width: 1 },
    ticks: { show: false }
  }
  const plot = new uPlot(
    {
      width: target.clientWidth,
      height: HEIGHT,
      padding: [8, 30, 0, 0],
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false }, points: { size: 8 } },
      scales: {
        x: { time: false, range: (_plot, low, high) => [low - DAY_S / 2, high + DAY_S / 2] },
        y: {
          range: (_plot, low, high) => {
            const room = Math.max(0.08 * (high - low), (MIN_SPAN_S - (high - low)) / 2)
            return [low - room, high + room]
          }
        }
      },
      axes: [
        {
          ...text,
          size: 26,
          space: 90,
          incrs: DAYS.map((days) => days * DAY_S),
          values: (_plot, values) => values.map(dayText)
        },
        {
          ...text,
          size: 66,
          incrs: TIME_STEPS,
          values: (_plot, values) => values.map((value) => lapTime(value, 1))
        }
      ],
      series: [
        {},
        {
          stroke: colour("muted"),
          paths: () => null,
          points: { show: true, size: 7, width: 2, fill: colour("panel") }
        },
        {
          stroke: colour("accent"),
          width: 2,
          points: { show: false },
          paths: uPlot.paths.stepped!({ align: 1 })
        }
      ],
      hooks: { setCursor: [({ cursor }) => typeof cursor.idx === "number" && point(cursor.idx)] }
    },
    [bests.map(({ time }) => time), bests.map(({ best }) => best), bests.map(({ sofar }) => sofar)],
    target
  )
  return fitWidth(plot, target, HEIGHT)
}

const Plot = ({ bests }: { bests: ReadonlyArray<SessionBest> }) => {
  const holder = useRef<HTMLDivElement>(null)
  const [at, point] = useState<number>()
  useEffect(() => draw(holder.current!, bests, point), [bests, theme.value])
  const shown = bests[at ?? bests.length - 1]!
  const { session } = shown
  const [first, last] = [bests[0]!, bests.at(-1)!]
  return (
    <>
      <p class="small bin-values" role="status">
        <a href={`/sessions/${session.id}`}>{dateTime(session.datetime)}</a>
        <span>{nameText(session.driver)}</span>
        <span>{nameText(session.vehicle)}</span>
        <span>
          best {lapTime(shown.best)}, best so far {lapTime(shown.sofar)}
        </span>
      </p>
      <div
        ref={holder}
        role="group"
        tabIndex={0}
        aria-label={`Best laps of ${counted(bests.length, "session")}: from ${lapTime(first.sofar)} to ${lapTime(last.sofar)}; arrow keys choose a session`}
        onKeyDown={({ key }) => {
          const step = key === "ArrowLeft" ? -1 : key === "ArrowRight" ? 1 : 0
          if (step !== 0) point(Math.min(bests.length - 1, Math.max(0, (at ?? bests.length - 1) + step)))
        }}
      />
      <p class="small muted">
        Each dot is the best lap of a session, the line the best so far: {delta(last.sofar - first.sofar)} s
        since the first. Over {Math.round(OFF_PACE * 100)} % of the best: not shown.
      </p>
    </>
  )
}

/** Nothing before there are two sessions with a time, or while they are loaded. */
export const Progress = ({ circuit, vehicle, driver, tag }: Names) => {
  const { value } = useAnswer(
    async () => bestsOver(await sessionsOf({ circuit, vehicle, driver, tag })),
    [circuit, vehicle, driver, tag]
  )
  return value === undefined || value.length < 2 ? null : (
    <section class="panel">
      <h2>Progress</h2>
      <Plot bests={value} />
    </section>
  )
}
