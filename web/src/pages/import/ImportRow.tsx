/** One file: how far it is, what became of it, and what can be done. */
import { api } from "../../api.ts"
import { count, counted } from "../../format.ts"
import { cancel, importOf, isDone, sendAgain, type Upload, wasThere } from "../../imports/uploads.ts"
import { reported } from "../../names.ts"
import type { FileImport } from "../../types.ts"
import { useAnswer } from "../../ui/useAnswer.ts"
import { Overlaps } from "./Overlaps.tsx"

const titles: Readonly<Record<string, string>> = {
  "iracing-ibt": "iRacing",
  "motec-ld": "MoTeC log",
  "motec-ldx": "laps of a MoTeC log",
  recording: "recording",
  vbo: "VBO",
  "lmu-duckdb": "Le Mans Ultimate",
  "racechrono-csv": "RaceChrono",
  "aim-csv": "AiM",
  "motec-csv": "MoTeC CSV",
  traqmate: "Traqmate",
  "racebox-csv": "RaceBox",
  garage61: "Garage61",
  racecapture: "RaceCapture",
  trackaddict: "TrackAddict",
  gpx: "GPX",
  pcap: "capture of a network",
  f1pcap: "Pits n' Giggles capture",
  capture: "capture of a game",
  csv: "CSV"
}

const size = (bytes: number) =>
  bytes >= 2 ** 20
    ? `${count(Math.round(bytes / 2 ** 20))}\u00a0MiB`
    : `${count(Math.ceil(bytes / 1024))}\u00a0KiB`

const Progress = ({ label, share, words }: { label: string; share: number; words: string }) => (
  <span class="progress">
    <progress max={1} value={share} aria-label={label} />
    <span class="muted small">{words}</span>
  </span>
)

const parts = (share: number) => `${Math.floor(share * 100)} %`

/** The sessions that were made of the file, by their names. */
const Sessions = ({ ids }: { ids: ReadonlyArray<number> }) => {
  const sessions = useAnswer(() => Promise.all(ids.map(api.session)), [ids.join()])
  return (
    <ul class="plain">
      {ids.map((id) => {
        const session = sessions.value?.find((one) => one.id === id)
        const names = session === undefined ? [] : reported(session.circuit, session.vehicle, session.driver)
        return (
          <li key={id}>
            <a href={`/sessions/${id}`}>{names.length === 0 ? `Session ${id}` : names.join(" · ")}</a>
          </li>
        )
      })}
    </ul>
  )
}

const Warnings = ({ found }: { found: FileImport }) => {
  const refused = Object.entries(found.refused).map(
    ([reason, rows]) => `${counted(rows, "row")} refused: ${reason.replaceAll("_", " ")}`
  )
  const left = found.duplicates === 0 ? [] : [`${counted(found.duplicates, "row")} twice in the file`]
  const sentences = [...found.warnings, ...left, ...refused]
  if (sentences.length === 0) return null
  return (
    <details>
      <summary>{counted(sentences.length, "warning")}</summary>
      <ul>
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </details>
  )
}

const State = ({ found, upload }: { found: FileImport | undefined; upload: Upload }) => {
  const { file, problem, sent, state } = upload
  const { name } = file
  if (state === "waiting") return <span class="muted">Waiting</span>
  if (state === "sending") {
    const share = file.size === 0 ? 1 : sent / file.size
    return <Progress label={`Upload of ${name}`} share={share} words={`sent ${parts(share)}`} />
  }
  if (state === "refused") return <span class="bad">{problem}</span>
  if (found === undefined) return <span class="muted">Waiting</span>
  if (found.state === "reading") {
    const rate = found.rows_per_second === null ? "" : `, ${count(found.rows_per_second)} rows/s`
    return (
      <Progress
        label={`Reading of ${name}`}
        share={found.progress}
        words={`read ${parts(found.progress)}${rate}`}
      />
    )
  }
  if (found.state === "queued" || found.state === "uploading")
    return <span class="muted">Waits to be read</span>
  if (found.state === "failed" || found.state === "cancelled") return <span class="bad">{found.detail}</span>
  if (found.format === "motec-ldx") return <span class="muted">Used with the .ld of the same name</span>
  return (
    <>
      {wasThere(upload) && <p class="muted">Imported before: nothing is stored twice</p>}
      {found.state === "partial" && <p class="bad">Partly: {found.detail}</p>}
      <Sessions ids={found.sessions} />
      <Warnings found={found} />
      <Overlaps found={found} />
    </>
  )
}

const isBroken = (upload: Upload, found: FileImport | undefined) =>
  upload.state === "refused" || found?.state === "failed" || found?.state === "cancelled"

export const ImportRow = ({ upload }: { upload: Upload }) => {
  const found = importOf(upload)
  const { file } = upload
  const format = found?.format ?? null
  const isImported = found?.state === "done" || found?.state === "partial"
  return (
    <tr>
      <td class="name">
        <bdi>{file.name}</bdi>
        <span class="muted small">
          {" "}
          {size(file.size)}
          {format === null ? "" : `, ${titles[format] ?? format}`}
        </span>
      </td>
      <td class="sentence">
        <State upload={upload} found={found} />
      </td>
      <td class="num" data-head="Laps">
        {isImported && format !== "motec-ldx" ? count(found.laps) : ""}
      </td>
      <td class="num">
        {isBroken(upload, found) && (
          <button type="button" onClick={() => sendAgain(upload)} aria-label={`Import ${file.name} again`}>
            Again
          </button>
        )}
        {!isDone(upload) && (
          <button type="button" onClick={() => void cancel(upload)} aria-label={`Cancel ${file.name}`}>
            Cancel
          </button>
        )}
      </td>
    </tr>
  )
}
