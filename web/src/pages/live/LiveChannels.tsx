/** Which channels are shown of the car that drives: a set comes beside what is chosen, and the wheels of one are one choice. */
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
