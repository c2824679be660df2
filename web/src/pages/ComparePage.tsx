/** Laps of one circuit against the fastest of them. The address carries which: `?laps=1,2`, and `at` in metres. */
import { useMemo } from "preact/hooks"
import { api } from "../api.ts"
import { place } from "../router.ts"
import type { Comparison, Lap, Session } from "../types.ts"
import { Notice, Show } from "../ui/Notice.tsx"
import { useAnswer } from "../ui/useAnswer.ts"
import { Chooser } from "./compare/Chooser.tsx"
import { Compared } from "./compare/Compared.tsx"
import { type ChosenLap, ChosenLaps } from "./compare/ChosenLaps.tsx"

const idsOf = (text: string | null): ReadonlyArray<number> => [
  ...new Set(
    (text ?? "")
      .split(",")
      .map(Number)
      .filter((id) => Number.isSafeInteger(id) && id > 0)
  )
]

const sessionsOf = async (laps: ReadonlyArray<Lap>) =>
  new Map(
    await Promise.all(
      [...new Set(laps.map((lap) => lap.session_id))].map(async (id) => [id, await api.session(id)] as const)
    )
  ) as ReadonlyMap<number, Session>

interface Answered {
  readonly laps: ReadonlyArray<ChosenLap>
  /** Undefined for a single lap. */
  readonly comparison: Comparison | undefined
}

/**
 * The fastest first: it is what the others are held against. Whose laps they are is asked while they are being
 * compared, which takes longest.
 */
const compare = async (ids: ReadonlyArray<number>): Promise<Answered> => {
  const comparing = ids.length > 1 ? api.compare(ids) : undefined
  const asking = Promise.all(ids.map(api.lap)).then(async (laps) => [laps, await sessionsOf(laps)] as const)
  const [comparison, [laps, sessions]] = await Promise.all([comparing, asking])
  const fastest = comparison?.fastest_lap_id
  const ordered = laps.toSorted((a, b) => Number(b.id === fastest) - Number(a.id === fastest))
  return { comparison, laps: ordered.map((lap) => ({ lap, session: sessions.get(lap.session_id)! })) }
}

const Explanation = () => (
  <Notice title="Choose two laps or more of one circuit.">
    <span>
      Add laps above, or choose them in the table of a <a href="/sessions">session</a>. The fastest is what
      the others are held against; lap times need not be of the same day, driver or car.
    </span>
  </Notice>
)

export const ComparePage = () => {
  const text = place.value.query.get("laps")
  const ids = useMemo(() => idsOf(text), [text])
  const answer = useAnswer(() => compare(ids), [text])
  const at = Number(place.value.query.get("at") ?? Number.NaN)
  return (
    <div class="stack">
      <h1>Compare</h1>
      <Show answer={answer}>
        {({ comparison, laps }) => (
          <>
            <ChosenLaps laps={laps} comparison={comparison} />
            <Chooser ids={ids} circuit={laps[0]?.session.circuit} />
            {comparison === undefined ? (
              <Explanation />
            ) : (
              <Compared comparison={comparison} laps={laps} at={Number.isFinite(at) ? at : undefined} />
            )}
          </>
        )}
      </Show>
    </div>
  )
}
