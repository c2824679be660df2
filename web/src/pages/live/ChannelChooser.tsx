/** Channels of a session's dictionary to choose from: by sets that belong together, or one by one (the wheels of one together). */
import { channelSets, type Choice, labelOf, MAX_SHOWN } from "../../live/channels.ts"

const groupTitle = (group: string) => labelOf(group)

export const ChannelChooser = ({
  choices,
  chosen,
  channels,
  leftOut,
  choose
}: {
  choices: ReadonlyArray<Choice>
  /** Names of choices. */
  chosen: ReadonlyArray<string>
  /** How many channels those are. */
  channels: number
  /** Choices that are too many. */
  leftOut: number
  choose: (names: ReadonlyArray<string>) => void
}) => {
  const has = new Set(chosen)
  const toggle = (names: ReadonlyArray<string>, on: boolean) =>
    choose(choices.map(({ name }) => name).filter((name) => (names.includes(name) ? on : has.has(name))))
  const sets = channelSets
    .map(({ has: belongs, title }) => ({
      title,
      names: choices.map(({ name }) => name).filter((name) => belongs.test(name))
    }))
    .filter(({ names }) => names.length > 0)
  const groups = [...new Set(choices.map(({ group }) => group))]
  return (
    <details class="chooser">
      <summary>
        Channels: {channels} of at most {MAX_SHOWN}
      </summary>
      {leftOut > 0 && (
        <p class="loss small" role="status">
          {leftOut} of what is chosen {leftOut === 1 ? "is" : "are"} not shown: {MAX_SHOWN} channels are the
          most.
        </p>
      )}
      <div class="form">
        {sets.map(({ names, title }) => {
          const on = names.every((name) => has.has(name))
          return (
            <button key={title} type="button" aria-pressed={on} onClick={() => toggle(names, !on)}>
              {title}
            </button>
          )
        })}
        <button type="button" onClick={() => choose([])}>
          None
        </button>
      </div>
      {groups.map((group) => (
        <fieldset key={group}>
          <legend class="small muted">{groupTitle(group)}</legend>
          <div class="choices">
            {choices
              .filter((choice) => choice.group === group)
              .map(({ description, name, unit }) => (
                <label key={name} title={description}>
                  <input
                    type="checkbox"
                    checked={has.has(name)}
                    onChange={(event) => toggle([name], event.currentTarget.checked)}
                  />
                  {labelOf(name)}
                  {unit !== "" && <span class="muted small">{unit}</span>}
                </label>
              ))}
          </div>
        </fieldset>
      ))}
    </details>
  )
}
