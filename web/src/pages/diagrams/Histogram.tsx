/** The share of time that a channel spends at its values, a line for each lap. The cursor's value is marked. */
import type { Signal } from "@preact/signals"
import { useMemo, useState } from "preact/hooks"
import { api } from "../../api.ts"
import { binUnder, drawShares, placeOfBin } from "../../draw/diagrams.ts"
import { DiagramCanvas, looks } from "../../draw/DiagramCanvas.tsx"
import { croppedBins } from "../../draw/croppedBins.ts"
import { dashOf, lapToken } from "../../draw/lapLook.ts"
import { fixed, NOTHING, percent, plain } from "../../format.ts"
import { colour, theme } from "../../theme.ts"
import type { Channel, ChannelHistogram } from "../../types.ts"
import { Show } from "../../ui/Notice.tsx"
import { useAnswer } from "../../ui/useAnswer.ts"
import { LapSwatch } from "../compare/LapSwatch.tsx"
import { ChannelSelect } from "./ChannelSelect.tsx"
import { type ChannelLook, channelLook, choose, type DiagramsView, headOf } from "./view.ts"

/** A difference of values: 1 °C is 1.8 °F, without the 32. */
const widthText = ({ from }: ChannelLook, width: number) =>
  plain(Number((from(width) - from(0)).toPrecision(6)))

const edgeText = (look: ChannelLook, edge: number) => plain(Number(look.from(edge).toPrecision(6)))

/** Texts of the bin under the pointer, or of the bin of the cursor's value. */
const Values = ({
  bin,
  histogram,
  look
}: {
  bin: number | undefined
  histogram: ChannelHistogram
  look: ChannelLook
}) => {
  const { edges, spans } = histogram
  if (bin === undefined) return <p class="small muted on-screen">Point at a bin, or at a point below.</p>
  return (
    <p class="small bin-values" role="status">
      <b>
        {edgeText(look, edges[bin]!)} to {edgeText(look, edges[bin + 1]!)} {look.unit}
      </b>
      {spans.map(({ lap_id, lap_number, seconds }, k) => {
        const total = seconds.reduce((sum, second) => sum + second, 0)
        return (
          <span key={lap_id}>
            {lap_number !== null && <LapSwatch index={k} />}
            {lap_number === null ? "Session" : `Lap ${lap_number}`}: {fixed(seconds[bin], 2)} s,{" "}
            {total === 0 ? NOTHING : percent(seconds[bin]! / total, 2)}
          </span>
        )
      })}
    </p>
  )
}

const Drawn = ({
  histogram,
  channel,
  value
}: {
  histogram: ChannelHistogram
  channel: Channel
  value: Signal<number | undefined>
}) => {
  const [under, pointAt] = useState<number>()
  const look = channelLook(channel)
  const { edges, spans, width } = histogram
  const { from, until } = croppedBins(spans.map(({ seconds }) => seconds))
  const draw = useMemo(() => {
    const lines = spans.map(({ seconds }, k) => {
      const total = seconds.reduce((sum, second) => sum + second, 0) || 1
      return {
        shares: seconds.slice(from, until).map((second) => second / total),
        stroke: colour(lapToken(k)),
        dash: dashOf(k)
      }
    })
    const texts = edges.slice(from, until + 1).map((edge) => edgeText(look, edge))
    return (canvas: HTMLCanvasElement) => drawShares(canvas, lines, texts, looks())
  }, [histogram, theme.value, look.unit])
  if (edges.length < 2) return <p class="muted">This channel was absent all the time.</p>
  const at = value.value
  const own = at === undefined || Number.isNaN(at) ? -1 : Math.floor((at - edges[0]!) / width + 1e-9)
  const marked = under ?? (own >= 0 && own < edges.length - 1 ? own : undefined)
  const beyond = spans.reduce(
    (sum, { seconds }) =>
      sum + seconds.reduce((all, second, k) => (k < from || k >= until ? all + second : all), 0),
    0
  )
  return (
    <>
      <Values bin={marked} histogram={histogram} look={look} />
      <div
        class="histogram"
        onPointerMove={(event) => {
          const bin = binUnder(event.currentTarget, event.clientX, until - from)
          pointAt(bin === undefined ? undefined : bin + from)
        }}
        onPointerLeave={() => pointAt(undefined)}
      >
        <DiagramCanvas draw={draw} label={`Share of the time at each ${headOf(look)}`} />
        {marked !== undefined && marked >= from && marked < until && (
          <i class="bin-mark" style={placeOfBin(marked - from, until - from)} />
        )}
      </div>
      {beyond > 0 && (
        <p class="small muted">Not drawn: {fixed(beyond, 2)} s of rare values beyond both ends.</p>
      )}
    </>
  )
}

const WIDTHS = [0.2, 0.5, 1, 2, 5]

/** Round widths around the shown one. */
const widthsAround = (width: number): ReadonlyArray<number> => {
  const power = 10 ** Math.floor(Math.log10(width))
  const round = WIDTHS.flatMap((step) => [step * power, 10 * step * power])
  return [...new Set([...round, width].map((one) => Number(one.toPrecision(6))))].sort((a, b) => a - b)
}

export const Histogram = ({
  sessionId,
  view,
  channels,
  value
}: {
  sessionId: number
  view: DiagramsView
  channels: ReadonlyArray<Channel>
  /** The channel's value at the cursor. */
  value: Signal<number | undefined>
}) => {
  const ids = view.laps.map(({ id }) => id)
  const answer = useAnswer(
    () =>
      api.histogram({
        sessionId,
        channel: view.channel,
        lapIds: ids.length === 0 ? undefined : ids,
        width: view.width
      }),
    [sessionId, ids.join(), view.channel, view.width]
  )
  const channel = channels.find(({ name }) => name === view.channel)!
  const look = channelLook(channel)
  const shown = answer.value
  return (
    <section class="panel stack">
      <div class="panel-head">
        <h2>Histogram</h2>
        <span class="form">
          <ChannelSelect
            label="Channel"
            parameter="channel"
            value={view.channel}
            channels={channels}
            forget={{ width: undefined }}
          />
          {shown !== undefined && shown.edges.length > 0 && (
            <label class="field">
              Bins of
              <select
                value={view.width === undefined ? "" : String(Number(shown.width.toPrecision(6)))}
                onChange={(event) => choose({ width: event.currentTarget.value })}
              >
                <option value="">{widthText(look, shown.width)} (usual)</option>
                {widthsAround(shown.width).map((width) => (
                  <option key={width} value={width}>
                    {widthText(look, width)} {look.unit}
                  </option>
                ))}
              </select>
            </label>
          )}
        </span>
      </div>
      <Show answer={answer}>
        {(histogram) =>
          histogram.channel === view.channel ? (
            <Drawn histogram={histogram} channel={channel} value={value} />
          ) : null
        }
      </Show>
    </section>
  )
}
