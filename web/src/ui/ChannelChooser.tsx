/** A choice of channels: as sets, or one by one in groups, with a search. */
import type { ComponentChildren } from "preact"
import { useState } from "preact/hooks"

/** The channel or channels of one checkbox. */
export interface Offered {
  readonly name: string
  readonly label: string
  readonly unit: string
  readonly description: string
  /** The title of its group. */
  readonly group: string
}

/** A button that chooses several channels. */
export interface OfferedSet {
  readonly title: string
  readonly on: boolean
  readonly choose: () => void
}

export const ChannelChooser = ({
  summary,
  limit,
  sets,
  offered,
  chosen,
  toggle
}: {
  summary: ComponentChildren
  /** The limit of chosen channels, and whether the choice exceeds it. */
  limit?: ComponentChildren
  sets: ReadonlyArray<OfferedSet>
  offered: ReadonlyArray<Offered>
  /** Names of the chosen channels. */
  chosen: ReadonlyArray<string>
  toggle: (name: string, on: boolean) => void
}) => {
  const [searched, search] = useState("")
  const has = new Set(chosen)
  const word = searched.trim().toLowerCase()
  const found = offered.filter(({ label, name }) => `${name} ${label}`.toLowerCase().includes(word))
  const groups = [...new Set(found.map(({ group }) => group))]
  return (
    <details class="chooser">
      <summary>Channels {summary}</summary>
      <div class="stack">
        <div class="form">
          {sets.map(({ choose, on, title }) => (
            <button key={title} type="button" aria-pressed={on} onClick={choose}>
              {title}
            </button>
          ))}
          <label class="field">
            Find a channel
            <input type="search" value={searched} onInput={(event) => search(event.currentTarget.value)} />
          </label>
        </div>
        {limit}
        {groups.map((group) => (
          <fieldset key={group} class="channels">
            <legend>{group}</legend>
            {found
              .filter((one) => one.group === group)
              .map(({ description, label, name, unit }) => (
                <label key={name} class="check" title={description}>
                  <input
                    type="checkbox"
                    checked={has.has(name)}
                    onChange={(event) => toggle(name, event.currentTarget.checked)}
                  />
                  <span>
                    {label} <span class="muted small">{unit}</span>
                  </span>
                </label>
              ))}
          </fieldset>
        ))}
        {found.length === 0 && <p class="muted small">No channel has such a name.</p>}
      </div>
    </details>
  )
}
