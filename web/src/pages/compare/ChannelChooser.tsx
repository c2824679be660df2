/** Which channels are drawn: by sets, or one by one from what the laps' sessions have. */
import { useState } from "preact/hooks"
import { mostAsked, MAX_DRAWN, namesOfSet, OWN, sets } from "../../draw/compareChannels.ts"
import { go, withQuery } from "../../router.ts"
import type { Channel } from "../../types.ts"
import { rememberChannels } from "./view.ts"

/** The place of the car is the map's, and its time the axis'. */
const NOT_DRAWN = new Set(["timestamp", "position_x", "position_y"])

const spaced = (name: string) => name.replaceAll("_", " ")

const groupsOf = (names: ReadonlyArray<string>, dictionary: ReadonlyMap<string, Channel>) => {
  const groups = new Map<string, Array<string>>([["every comparison", [...OWN]]])
  for (const name of names) {
    const group = dictionary.get(name)!.group ?? "derived"
    const title = group === "points" ? "every point" : spaced(group)
    groups.set(title, [...(groups.get(title) ?? []), name])
  }
  return [...groups]
}

const Limit = ({ laps, left }: { laps: number; left: number }) => (
  <p class="small muted" role="status">
    {left > 0 ? `${left} of the chosen channels are not drawn: ` : "At most "}
    {left > 0 && "at most "}
    {mostAsked(laps)} besides those of every comparison with {laps} laps (200 lines), and {MAX_DRAWN} in all.
  </p>
)

const draw = (names: ReadonlyArray<string>) => {
  // One is drawn always: the axis is its.
  const kept = names.length === 0 ? OWN.slice(0, 1) : names
  rememberChannels(kept)
  go(withQuery({ channels: kept.join(",") }))
}

export const ChannelChooser = ({
  dictionary,
  chosen,
  laps,
  left
}: {
  dictionary: ReadonlyMap<string, Channel>
  chosen: ReadonlyArray<string>
  laps: number
  /** How many of the chosen ones are too many. */
  left: number
}) => {
  const [searched, search] = useState("")
  const others = [...dictionary.keys()].filter((name) => !OWN.includes(name) && !NOT_DRAWN.has(name))
  const toggle = (name: string) =>
    draw(chosen.includes(name) ? chosen.filter((one) => one !== name) : [...chosen, name])
  const wanted = searched.trim().toLowerCase().replaceAll(" ", "_")
  return (
    <details class="chooser">
      <summary>
        Channels <span class="muted small">{chosen.length} chosen</span>
      </summary>
      <div class="stack">
        <div class="form">
          {sets.map(([title, patterns]) => {
            const names = namesOfSet(patterns, others)
            return (
              <button
                key={title}
                type="button"
                aria-pressed={names.join(",") === chosen.join(",")}
                onClick={() => draw(names)}
              >
                {title}
              </button>
            )
          })}
          <label class="field">
            Find a channel
            <input type="search" value={searched} onInput={(event) => search(event.currentTarget.value)} />
          </label>
        </div>
        <Limit laps={laps} left={left} />
        {groupsOf(others, dictionary).map(([group, names]) => {
          const found = names.filter((name) => name.includes(wanted))
          return found.length === 0 ? null : (
            <fieldset key={group} class="channels">
              <legend>{group}</legend>
              {found.map((name) => (
                <label key={name} class="check">
                  <input type="checkbox" checked={chosen.includes(name)} onChange={() => toggle(name)} />
                  {spaced(name)} <span class="muted small">{dictionary.get(name)?.unit}</span>
                </label>
              ))}
            </fieldset>
          )
        })}
      </div>
    </details>
  )
}
