/** Further channels of the simulator: tyres and fuel as panels, all other chosen ones as strips. */
import { useEffect, useMemo } from "preact/hooks"
import { api } from "../../api.ts"
import { FuelPanel } from "../../draw/FuelPanel.tsx"
import type { Strip } from "../../draw/TracePlot.ts"
import { TyrePanel } from "../../draw/TyrePanel.tsx"
import {
  type Choice,
  choicesOf,
  chosenOf,
  inPanels,
  labelOf,
  hasFuel,
  hasTyres,
  usualNames,
  WHEELS
} from "../../live/channels.ts"
import type { LiveSession } from "../../live/LiveSession.ts"
import { useChannels } from "../../live/useChannels.ts"
import { go, place, withQuery } from "../../router.ts"
import { counted } from "../../format.ts"
import { shownIn } from "../../settings.ts"
import { LiveChannels } from "./LiveChannels.tsx"
import { useAnswer, useInterval } from "../../ui/useAnswer.ts"
import { Strips } from "./Strips.tsx"
import { kept } from "../../kept.ts"

/** How often the channels are loaded: they grow while a session begins, and seldom later. */
const DICTIONARY_MS = 15_000
const KEY = "live-channels"
/** An empty choice in an address, which differs from an absent one. */
const NONE = "none"

const split = (text: string | null) =>
  text === null ? undefined : text.split(",").filter((name) => name !== "")

/** The choice in the address, else the one that this browser remembers. */
const wantedNames = (): ReadonlyArray<string> | undefined =>
  split(place.value.query.get("channels")) ?? split(kept.get(KEY))

const remember = (names: ReadonlyArray<string>) => {
  const text = names.length === 0 ? NONE : names.join(",")
  kept.set(KEY, text)
  go(withQuery({ channels: text }), "replace")
}

const strokes = ["lap-0", "lap-1", "lap-3", "lap-4"]

const stripOf = ({ channels, kind, name, unit }: Choice): Strip => {
  const shown = shownIn(unit)
  const text = `${labelOf(name)}${shown.unit === "" ? "" : ` ${shown.unit}`}`
  return {
    label: text,
    height: 64,
    fits: true,
    from: shown.unit === unit ? undefined : shown.from,
    columns: channels.map((column, k) => ({
      column,
      label: channels.length === 1 ? text : WHEELS[k]!.toUpperCase(),
      stroke: channels.length === 1 ? "accent" : strokes[k]!,
      stepped: kind === "step" || kind === "flag"
    }))
  }
}

export const ChannelPanels = ({ drive }: { drive: LiveSession }) => {
  const id = drive.feed.session.value
  const dictionary = useAnswer(async () => (id === undefined ? [] : await api.channels(id)), [id])
  useInterval(dictionary.again, DICTIONARY_MS)
  // Equal answers must be the same value, or each answer would redraw everything.
  const signature = JSON.stringify((dictionary.value ?? []).map(({ name, unit }) => [name, unit]))
  const choices = useMemo(() => choicesOf(dictionary.value ?? []), [id, signature])
  const names = wantedNames() ?? usualNames(choices)
  const { channels, leftOut, shown } = useMemo(() => chosenOf(choices, names), [choices, names.join()])
  const live = useChannels(
    id,
    shown.flatMap((choice) => choice.channels)
  )
  // The remembered choice goes into the address, so that the address describes the whole page.
  useEffect(() => {
    const before = kept.get(KEY)
    if (before !== null && place.value.query.get("channels") === null)
      go(withQuery({ channels: before }), "replace")
  }, [])
  const strips = useMemo(() => {
    const panels = inPanels(shown.map(({ name }) => name))
    return (
      shown
        .filter(({ name }) => !panels.includes(name))
        // The live connection may not have the newly chosen channels yet.
        .filter((choice) => choice.channels.every((name) => live?.ring.names.includes(name)))
        .map(stripOf)
    )
  }, [shown, live, shownIn("km/h").unit, shownIn("°C").unit])
  if (choices.length === 0) {
    return <p class="muted small">The simulator reports no other channels.</p>
  }
  const reported = live?.feed.reported.value ?? []
  const compound = choices.find(({ name }) => name === "tyre_compound")
  return (
    <>
      <LiveChannels
        choices={choices}
        chosen={names}
        channels={channels}
        leftOut={leftOut}
        choose={remember}
      />
      {channels === 0 && (
        <p class="muted small">
          None is shown. The simulator reports {counted(choices.length, "further channel")}: choose them in
          the list.
        </p>
      )}
      {live !== undefined && (
        <div class="channel-panels">
          {hasTyres(reported) && (
            <section aria-label="Tyres">
              <h2>Tyres</h2>
              <TyrePanel feed={live.feed} reported={reported} labels={compound?.labels ?? {}} />
            </section>
          )}
          {hasFuel(reported) && (
            <section aria-label="Fuel">
              <h2>Fuel</h2>
              <FuelPanel drive={drive} feed={live.feed} reported={reported} />
            </section>
          )}
          {strips.length > 0 && (
            <section class="wide" aria-label="Channels over the last minute">
              <Strips feed={live.feed} ring={live.ring} strips={strips} />
            </section>
          )}
        </div>
      )}
    </>
  )
}
