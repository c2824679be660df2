/** Compares laps of one circuit with one of them, by default the fastest. The address has the view (compare/view.ts). */
import { useEffect, useMemo, useState } from "preact/hooks"
import { api } from "../api.ts"
import { isAsked, within } from "../draw/compareChannels.ts"
import { headingOf, isReported, nameText } from "../names.ts"
import { counted } from "../format.ts"
import { bestOf } from "../laps.ts"
import { go, place, withQuery } from "../router.ts"
import type { Channel, Comparison, Lap, Session } from "../types.ts"
import { Notice, Problem, Show } from "../ui/Notice.tsx"
import { useTitle } from "../ui/title.ts"
import { useAnswer } from "../ui/useAnswer.ts"
import { Chooser, MOST } from "./compare/Chooser.tsx"
import { Compared } from "./compare/Compared.tsx"
import { ComparedToCome } from "./compare/ComparedToCome.tsx"
import { type ChosenLap, ChosenLaps, circuitsOf } from "./compare/ChosenLaps.tsx"
import { channelsOfDiagram, type CompareView, idsOf, viewOf } from "./compare/view.ts"

const idsOfSessions = (laps: ReadonlyArray<Lap>) => [...new Set(laps.map((lap) => lap.session_id))]

const sessionsOf = async (laps: ReadonlyArray<Lap>) =>
  new Map(
    await Promise.all(idsOfSessions(laps).map(async (id) => [id, await api.session(id)] as const))
  ) as ReadonlyMap<number, Session>

/** The channels of all sessions, by name. */
const dictionaryOf = async (sessions: ReadonlyArray<number>): Promise<ReadonlyMap<string, Channel>> => {
  const each = await Promise.all(sessions.map(api.channels))
  return new Map(each.flat().map((channel) => [channel.name, channel]))
}

interface Found {
  /** In the order of the address. */
  readonly laps: ReadonlyArray<ChosenLap>
  readonly dictionary: ReadonlyMap<string, Channel>
}

/** Gives the first comparison once, if it is of the requested laps. */
type Begun = (text: string) => Promise<Comparison> | undefined

/**
 * Requests the page's first comparison at the same time as laps, sessions and channels: it takes as long as all of these, and needs
 * none of their answers if only the usual channels are shown.
 */
const begin = (text: string, view: CompareView): Begun => {
  const ids = idsOf(text)
  if (ids.length < 2 || ids.length > MOST || besides(view, ids.length).length > 0) return () => undefined
  let comparison: Promise<Comparison> | undefined = api.compare(ids, [])
  // The caller that takes the answer reports its error.
  comparison.catch(() => undefined)
  return (wanted) => {
    const taken = wanted === text ? comparison : undefined
    comparison = undefined
    return taken
  }
}

const find = async (ids: ReadonlyArray<number>): Promise<Found> => {
  const laps = await Promise.all(ids.map(api.lap))
  const [sessions, dictionary] = await Promise.all([sessionsOf(laps), dictionaryOf(idsOfSessions(laps))])
  return {
    laps: laps.map((lap) => ({ lap, session: sessions.get(lap.session_id)! })),
    dictionary
  }
}

/** Shown channels in addition to the usual ones. */
const besides = (view: CompareView, laps: number): ReadonlyArray<string> => {
  const { drawn } = within([...channelsOfDiagram(view.diagram), ...view.channels], laps)
  return [...new Set(drawn)].filter(isAsked)
}

/** Channels that the comparison must request, of those that the sessions have. */
const askedOf = (view: CompareView, { dictionary, laps }: Found): ReadonlyArray<string> =>
  besides(view, laps.length).filter((name) => dictionary.has(name))

/** Puts the reference first. */
const inOrder = (laps: ReadonlyArray<ChosenLap>, comparison: Comparison, wanted: number | undefined) => {
  const reference = laps.some(({ lap }) => lap.id === wanted) ? wanted : comparison.fastest_lap_id
  return [...laps].sort((a, b) => Number(b.lap.id === reference) - Number(a.lap.id === reference))
}

const Explanation = () => (
  <Notice title="Choose two or more laps of one circuit.">
    <span>
      Add one above, or choose them in the table of a <a href="/sessions">session</a>. The others are compared
      with the fastest, unless you choose another. Laps may be of different days, drivers and cars.
    </span>
  </Notice>
)

const Laps = ({ begun, found, text }: { begun: Begun; found: Found; text: string }) => {
  const view = viewOf()
  const asked = askedOf(view, found).join(",")
  const answer = useAnswer(
    () =>
      asked === ""
        ? (begun(text) ?? api.compare(idsOf(text), []))
        : api.compare(idsOf(text), asked.split(",")),
    [text, asked]
  )
  const { value } = answer
  const laps = useMemo(
    () => (value === undefined ? found.laps : inOrder(found.laps, value, view.reference)),
    [found, value, view.reference]
  )
  return (
    <>
      <ChosenLaps laps={laps} comparison={value} />
      <Show answer={answer} waiting={<ComparedToCome laps={laps.length} />}>
        {(comparison) => (
          <Compared comparison={comparison} laps={laps} dictionary={found.dictionary} view={view} />
        )}
      </Show>
    </>
  )
}

const titleOf = (laps: ReadonlyArray<ChosenLap>): string | undefined =>
  laps.length === 0
    ? undefined
    : `Laps ${laps.map(({ lap }) => lap.lap_number).join(", ")} ${isReported(laps[0]!.session.circuit) ? "at" : "of"} ${headingOf(laps[0]!.session)}`

/** Laps that no comparison can have together. */
const Unfit = ({ laps }: { laps: ReadonlyArray<ChosenLap> }) =>
  laps.length > MOST ? (
    <Notice title={`At most ${MOST} laps are compared.`}>
      <span>Remove {counted(laps.length - MOST, "lap")} of these.</span>
    </Notice>
  ) : (
    <Notice title="These laps are of different circuits.">
      <span>Laps can be compared if all are of one circuit: remove those of the others.</span>
    </Notice>
  )

const Chosen = ({ begun, found, text }: { begun: Begun; found: Found; text: string }) => {
  const { laps } = found
  const wanted = idsOf(text).length
  // Other laps are wanted by now, and are on their way.
  if (laps.length !== wanted && wanted > 1) {
    return (
      <>
        <ChosenLaps laps={laps} comparison={undefined} />
        <ComparedToCome laps={wanted} />
      </>
    )
  }
  if (wanted > 1 && laps.length <= MOST && circuitsOf(laps).length === 1) {
    return <Laps begun={begun} found={found} text={text} />
  }
  return (
    <>
      <ChosenLaps laps={laps} comparison={undefined} />
      {wanted > 1 ? <Unfit laps={laps} /> : <Explanation />}
    </>
  )
}

/** `best`: the best lap of this session is the only one, whatever its id; undefined without it. */
const useBestOf = () => {
  const session = Number(place.value.query.get("best") ?? Number.NaN)
  const isWanted = Number.isSafeInteger(session) && session > 0
  const answer = useAnswer(async () => (isWanted ? await api.laps(session) : undefined), [session])
  const { value } = answer
  useEffect(() => {
    if (!isWanted || value === undefined) return
    const best = bestOf(value)
    go(withQuery({ best: undefined, laps: best && String(best.id) }), "replace")
  }, [isWanted, value])
  return isWanted ? answer : undefined
}

export const ComparePage = () => {
  const { query } = place.value
  // REST calls it `lap_ids`.
  const text = query.get("laps") ?? query.get("lap_ids") ?? ""
  const begun = useMemo(() => begin(text, viewOf()), [])
  const found = useAnswer(() => find(idsOf(text)), [text])
  const laps = found.value?.laps ?? []
  const circuit = circuitsOf(laps).length === 1 ? laps[0]!.session.circuit : undefined
  const wanted = idsOf(text).length
  const [choosing, choose] = useState(false)
  const best = useBestOf()
  useTitle(found.value && titleOf(laps))
  return (
    <div class="stack">
      <div class="page-head">
        <h1>Compare</h1>
        {circuit !== undefined && isReported(circuit) && <span class="muted">{nameText(circuit)}</span>}
        {wanted > 1 && (
          <div class="actions">
            <button type="button" aria-expanded={choosing} onClick={() => choose(!choosing)}>
              Add a lap
            </button>
          </div>
        )}
      </div>
      {(choosing || wanted < 2) && best === undefined && (found.value !== undefined || wanted === 0) && (
        <Chooser ids={idsOf(text)} circuit={circuit} />
      )}
      {best?.state === "failed" && <Problem error={best.error} again={best.again} />}
      <Show answer={found} waiting={wanted > 1 ? <ComparedToCome laps={wanted} /> : undefined}>
        {(value) => <Chosen begun={begun} found={value} text={text} />}
      </Show>
    </div>
  )
}
