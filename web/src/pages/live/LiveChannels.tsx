/** The choice of live channels. A set adds to the choice, and the four wheels are one choice. */
import { type Choice, labelOf, MAX_SHOWN, setsOf } from "../../live/channels.ts"
import { shownIn } from "../../settings.ts"
import { ChannelChooser } from "../../ui/ChannelChooser.tsx"

export const LiveChannels = ({
  choices,
  chosen,
  channels,
  leftOut,
  choose
}: {
  choices: ReadonlyArray<Choice>
  /** Names of the choices. */
  chosen: ReadonlyArray<string>
  /** Number of their channels. */
  channels: number
  /** Choices beyond the limit. */
  leftOut: number
  choose: (names: ReadonlyArray<string>) => void
}) => {
  const has = new Set(chosen)
  const toggle = (names: ReadonlyArray<string>, on: boolean) =>
    choose(choices.map(({ name }) => name).filter((name) => (names.includes(name) ? on : has.has(name))))
  const sets = setsOf(choices).map(({ names, title }) => {
    const on = names.every((name) => has.has(name))
    return { title, on, choose: () => toggle(names, !on) }
  })
  return (
    <ChannelChooser
      summary={
        <span class="muted small">
          {channels} of at most {MAX_SHOWN}
        </span>
      }
      limit={
        leftOut > 0 && (
          <p class="loss small" role="status">
            {leftOut} of what is chosen {leftOut === 1 ? "is" : "are"} not shown: {MAX_SHOWN} channels are the
            most.
          </p>
        )
      }
      sets={[...sets, { title: "None", on: channels === 0, choose: () => choose([]) }]}
      offered={choices.map(({ description, group, name, unit }) => ({
        name,
        label: labelOf(name),
        unit: shownIn(unit).unit,
        description,
        group: labelOf(group)
      }))}
      chosen={chosen}
      toggle={(name, on) => toggle([name], on)}
    />
  )
}
