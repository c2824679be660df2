/** Files of other programs, and recordings: chosen or dropped here, they become sessions. */
import { DropArea, FileChoices } from "../imports/DropArea.tsx"
import { addFiles, isDone, uploads } from "../imports/uploads.ts"
import { ImportRow } from "./import/ImportRow.tsx"

const Files = () => (
  <section class="panel stack" aria-label="Files">
    <div class="scroll">
      <table class="folding imports">
        <thead>
          <tr>
            <th>File</th>
            <th>State</th>
            <th class="num">Laps</th>
            <th>
              <span class="unseen">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {uploads.value.map((upload) => (
            <ImportRow key={upload.key} upload={upload} />
          ))}
        </tbody>
      </table>
    </div>
  </section>
)

export const ImportPage = () => {
  const all = uploads.value
  return (
    <div class="stack">
      <h1>Import</h1>
      <DropArea take={addFiles}>
        <section class="panel stack">
          <p>
            Drop files or folders here: iRacing <code>.ibt</code>, MoTeC <code>.ld</code> with its{" "}
            <code>.ldx</code>, Le Mans Ultimate <code>.duckdb</code>, <code>.vbo</code>, <code>.csv</code> of
            RaceChrono, AiM, MoTeC and others, <code>.gpx</code>, captures of games (<code>.pcap</code>,{" "}
            <code>.f1pcap</code>), and recordings. A file that was imported before is not stored twice.
          </p>
          <FileChoices take={addFiles} />
        </section>
      </DropArea>
      <p role="status">{all.length === 0 ? "" : `${all.filter(isDone).length} of ${all.length} done`}</p>
      {all.length > 0 && <Files />}
    </div>
  )
}
