/** Compares laps of one circuit with one of them, by default the fastest. The address has the view (compare/view.ts). */
import { useMemo } from "preact/hooks"
import { api } from "../api.ts"
import { isAsked, within } from "../draw/compareChannels.ts"
import { headingOf, isReported } from "../names.ts"
import { place } from "../router.ts"
import type { Channel, Comparison, Lap, Session } from "../types.ts"
import { Notice, Show } from "../ui/Notice.tsx"
import { useTitle } from "../ui/title.ts"
import { useAnswer } from "../ui/useAnswer.ts"
import { Chooser } from "./compare/Chooser.tsx"
import { Compared } from "./compare/Compared.tsx"
import { type ChosenLap, ChosenLaps } from "./compare/ChosenLaps.tsx"
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
  if (ids.length < 2 || besides(view, ids.length).length > 0) return () => undefined
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
      Add laps above, or choose them in the table of a <a href="/sessions">session</a>. The others are
      compared with the fastest, unless you choose another. Laps may be of different days, drivers and cars.
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
      <Chooser ids={idsOf(text)} circuit={laps[0]?.session.circuit} />
      <Show answer={answer}>
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

export const ComparePage = () => {
  const text = place.value.query.get("laps") ?? ""
  const begun = useMemo(() => begin(text, viewOf()), [])
  const found = useAnswer(() => find(idsOf(text)), [text])
  useTitle(found.value && titleOf(found.value.laps))
  return (
    <div class="stack">
      <h1>Compare</h1>
      <Show answer={found}>
        {(value) =>
          value.laps.length > 1 && value.laps.length === idsOf(text).length ? (
            <Laps begun={begun} found={value} text={text} />
          ) : (
            <>
              <ChosenLaps laps={value.laps} comparison={undefined} />
              <Chooser ids={idsOf(text)} circuit={value.laps[0]?.session.circuit} />
              <Explanation />
            </>
          )
        }
      </Show>
    </div>
  )
}
