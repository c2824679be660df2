/** Least, mean and greatest value of channels: in the session, in laps, and in their sectors. */
import { api } from "../../api.ts"
import { ChannelChooser } from "../../ui/ChannelChooser.tsx"
import { Show } from "../../ui/Notice.tsx"
import { useAnswer } from "../../ui/useAnswer.ts"
import { labelOf } from "../../live/channels.ts"
import type { Channel, ChannelReport } from "../../types.ts"
import { channelLook, choose, type DiagramsView, headOf, MAX_REPORTED, valueText } from "./view.ts"

type Span = ChannelReport["spans"][number]

const nameOf = ({ lap_number, sector }: Span): string =>
  lap_number === null ? "Session" : sector === null ? `Lap ${lap_number}` : `S${sector}`

const Table = ({ report, view }: { report: ChannelReport; view: DiagramsView }) => {
  const chosen = new Set(view.laps.map(({ id }) => id))
  const looks = report.channels.map(channelLook)
  const spans = report.spans.filter(
    ({ lap_id, sector }) =>
      (lap_id === null || chosen.size === 0 || chosen.has(lap_id)) && (view.sectors || sector === null)
  )
  return (
    <div class="scroll tall sticky" tabIndex={0} role="group" aria-label="Channel report">
      <table class="report">
        <thead>
          <tr>
            <th rowSpan={2} class="fixed">
              Span
            </th>
            {looks.map((look) => (
              <th key={look.label} colSpan={3} class="head part">
                {headOf(look)}
              </th>
            ))}
          </tr>
          <tr>
            {looks.map(({ label }) =>
              ["min", "mean", "max"].map((head) => (
                <th key={`${label} ${head}`} class={`num${head === "min" ? " part" : ""}`}>
                  {head}
                </th>
              ))
            )}
          </tr>
        </thead>
        <tbody>
          {spans.map((span) => (
            <tr key={`${span.lap_id} ${span.sector}`} class={span.sector === null ? undefined : "sector-row"}>
              <th scope="row" class="fixed">
                {nameOf(span)}
              </th>
              {span.values.map((value, c) =>
                (["min", "mean", "max"] as const).map((figure) => {
                  const of = value[figure]
                  return (
                    <td key={`${c} ${figure}`} class={`num${figure === "min" ? " part" : ""}`}>
                      {valueText(of === null ? null : looks[c]!.from(of))}
                    </td>
                  )
                })
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const write = (names: ReadonlyArray<string>) => choose({ report: names.join(",") })

export const Report = ({
  sessionId,
  view,
  channels
}: {
  sessionId: number
  view: DiagramsView
  channels: ReadonlyArray<Channel>
}) => {
  const names = view.report.slice(0, MAX_REPORTED)
  const answer = useAnswer(() => api.channelReport(sessionId, names), [sessionId, names.join()])
  return (
    <section class="panel stack">
      <div class="panel-head">
        <h2>Channel report</h2>
        <label class="check">
          <input
            type="checkbox"
            checked={view.sectors}
            onChange={(event) => choose({ sectors: event.currentTarget.checked ? "1" : undefined })}
          />
          <span>Sectors</span>
        </label>
      </div>
      <ChannelChooser
        summary={<span class="muted small">{names.length} chosen</span>}
        limit={<p class="small muted">At most {MAX_REPORTED}.</p>}
        sets={[]}
        offered={channels.map((channel) => ({
          name: channel.name,
          label: labelOf(channel.name),
          unit: channelLook(channel).unit,
          description: channel.description,
          group: channel.group === "points" ? "Every point" : labelOf(channel.group!)
        }))}
        chosen={names}
        toggle={(name, on) => write(on ? [...names, name] : names.filter((one) => one !== name))}
      />
      <Show answer={answer}>{(report) => <Table report={report} view={view} />}</Show>
    </section>
  )
}
