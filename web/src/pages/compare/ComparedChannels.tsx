/** The choice of channels of a comparison. A set replaces the choice. */
import { mostAsked, MAX_DRAWN, namesOfSet, OWN, sets } from "../../draw/compareChannels.ts"
import { labelOf } from "../../live/channels.ts"
import { go, withQuery } from "../../router.ts"
import { shownIn } from "../../settings.ts"
import type { Channel } from "../../types.ts"
import { ChannelChooser, type Offered } from "../../ui/ChannelChooser.tsx"
import { rememberChannels } from "./view.ts"

/** The map has the car's position, and the axis its time. */
const NOT_DRAWN = new Set(["timestamp", "position_x", "position_y"])

/** The usual channels first, then by group in the order of the dictionary. */
const offeredOf = (dictionary: ReadonlyMap<string, Channel>): ReadonlyArray<Offered> => [
  ...OWN.map((name) => ({
    name,
    label: labelOf(name),
    unit: shownIn(dictionary.get(name)?.unit ?? "").unit,
    description: dictionary.get(name)?.description ?? "",
    group: "Every comparison"
  })),
  ...[...dictionary.values()]
    .filter(({ name }) => !OWN.includes(name) && !NOT_DRAWN.has(name))
    .map(({ description, group, name, unit }) => ({
      name,
      label: labelOf(name),
      unit: shownIn(unit).unit,
      description,
      group: group === "points" ? "Every point" : labelOf(group ?? "derived")
    }))
]

const Limit = ({ laps, left }: { laps: number; left: number }) => (
  <p class="small muted" role="status">
    {left > 0 ? `${left} of the chosen channels are not drawn: ` : "At most "}
    {left > 0 && "at most "}
    {mostAsked(laps)} in addition to the usual ones for {laps} laps (200 lines), and {MAX_DRAWN} in all.
  </p>
)

const draw = (names: ReadonlyArray<string>) => {
  // One channel is always drawn, because its plot has the axis.
  const kept = names.length === 0 ? OWN.slice(0, 1) : names
  rememberChannels(kept)
  go(withQuery({ channels: kept.join(",") }))
}

export const ComparedChannels = ({
  dictionary,
  chosen,
  laps,
  left
}: {
  dictionary: ReadonlyMap<string, Channel>
  chosen: ReadonlyArray<string>
  laps: number
  /** By how many the choice exceeds the limit. */
  left: number
}) => {
  const offered = offeredOf(dictionary)
  const others = offered.map(({ name }) => name).filter((name) => !OWN.includes(name))
  return (
    <ChannelChooser
      summary={<span class="muted small">{chosen.length} chosen</span>}
      limit={<Limit laps={laps} left={left} />}
      sets={sets.map(([title, patterns]) => {
        const names = namesOfSet(patterns, others)
        return { title, on: names.join(",") === chosen.join(","), choose: () => draw(names) }
      })}
      offered={offered}
      chosen={chosen}
      toggle={(name, on) => draw(on ? [...chosen, name] : chosen.filter((one) => one !== name))}
    />
  )
}
