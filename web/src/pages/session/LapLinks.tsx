/** What users say of a lap, and the ways from it. */
import { flawOf } from "../../laps.ts"
import { nameText } from "../../names.ts"
import { withToken } from "../../token.ts"
import type { Lap, Mark } from "../../types.ts"

/** The lap's validity as users decided it, their tags, and their note. */
const Marked = ({ lap, mark }: { lap: Lap; mark: Mark | undefined }) => (
  <>
    {lap.corrected && <span class="muted small">corrected</span>}{" "}
    {mark?.tags?.map((tag) => (
      <a key={tag} class="tag plain" href={`/statistics?tag=${encodeURIComponent(tag)}`}>
        {tag}
      </a>
    ))}{" "}
    {(mark?.note ?? mark?.reason) && (
      <span class="muted small" title={[mark.reason, mark.note].filter(Boolean).join(": ")}>
        note
      </span>
    )}
  </>
)

export const LapLinks = ({
  lap,
  best,
  mark,
  edit
}: {
  lap: Lap
  best: Lap | undefined
  mark: Mark | undefined
  edit: () => void
}) => (
  <>
    {lap.driver && <span class="muted small">{nameText(lap.driver)}</span>}{" "}
    {flawOf(lap) && <span class="tag bad">{flawOf(lap)}</span>} <Marked lap={lap} mark={mark} />{" "}
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
    </a>{" "}
    <button type="button" class="small on-screen" onClick={edit} aria-label={`Edit lap ${lap.lap_number}`}>
      Edit
    </button>
  </>
)
