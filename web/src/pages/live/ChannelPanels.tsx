/** What the simulator tells besides: tyres and fuel as panels, everything else that is chosen as strips. */
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

/** A dictionary grows while a session begins, and seldom later. */
const DICTIONARY_MS = 15_000
const KEY = "live-channels"
/** In an address: nothing, which is not the same as no choice. */
const NONE = "none"

const split = (text: string | null) =>
  text === null ? undefined : text.split(",").filter((name) => name !== "")

/** What the address says, else what this browser remembers. */
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
  // Answers that say the same are the same, or everything would be drawn anew with each.
  const said = JSON.stringify((dictionary.value ?? []).map(({ name, unit }) => [name, unit]))
  const choices = useMemo(() => choicesOf(dictionary.value ?? []), [id, said])
  const names = wantedNames() ?? usualNames(choices)
  const { channels, leftOut, shown } = useMemo(() => chosenOf(choices, names), [choices, names.join()])
  const live = useChannels(
    id,
    shown.flatMap((choice) => choice.channels)
  )
  // A choice of before is in the address from the start, so that the address is all of what is seen.
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
        // Of what was chosen this moment nothing comes yet.
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
