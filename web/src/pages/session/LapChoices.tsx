/** The choice of laps and of columns in the table of laps. The address has it. */
import { go, place, withQuery } from "../../router.ts"
import type { Channel, Lap } from "../../types.ts"
import { tables } from "./lapColumns.ts"

/** Laps at pace, as the analysis defines them. */
const PACE = 1.07

interface Shown {
  readonly title: string
  readonly has: (lap: Lap, best: Lap | undefined, chosen: ReadonlySet<number>) => boolean
}

export const filters: Readonly<Record<string, Shown>> = {
  "": { title: "All laps", has: () => true },
  valid: { title: "Valid laps", has: ({ valid }) => valid },
  pace: {
    title: "Laps at pace (107 %)",
    has: (lap, best) =>
      lap.valid && lap.lap_time !== null && best !== undefined && lap.lap_time <= PACE * best.lap_time!
  },
  chosen: { title: "Chosen laps", has: ({ id }, _best, chosen) => chosen.has(id) }
}

export const adjust = (changes: Readonly<Record<string, string | undefined>>) =>
  go(withQuery(changes), "replace")

export const Choices = ({ dictionary }: { dictionary: ReadonlyArray<Channel> }) => {
  const { query } = place.value
  const [table, channel] = [query.get("table") ?? "", query.get("channel") ?? ""]
  const has = (names: ReadonlyArray<string>) => dictionary.some(({ name }) => names.includes(name))
  return (
    <div class="form">
      <label class="field">
        Show
        <select
          value={query.get("show") ?? ""}
          onChange={(event) => adjust({ show: event.currentTarget.value })}
        >
          {Object.entries(filters).map(([name, { title }]) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
        </select>
      </label>
      <label class="field lap-columns">
        Columns
        <select
          value={channel === "" ? table : `channel ${channel}`}
          onChange={(event) => {
            const [kind, name] = event.currentTarget.value.split(" ")
            adjust(
              name === undefined ? { table: kind, channel: undefined } : { table: undefined, channel: name }
            )
          }}
        >
          <option value="">Sectors</option>
          {Object.entries(tables).map(
            ([name, { of, title }]) =>
              has(of) && (
                <option key={name} value={name}>
                  {title}
                </option>
              )
          )}
          <optgroup label="Channels: least, mean, most, change">
            {dictionary
              .filter(({ name }) => name !== "timestamp")
              .map(({ name }) => (
                <option key={name} value={`channel ${name}`}>
                  {name.replaceAll("_", " ")}
                </option>
              ))}
          </optgroup>
        </select>
      </label>
    </div>
  )
}
