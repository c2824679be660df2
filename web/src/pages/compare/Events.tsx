/** The list of the events that the plots mark; a click leads to one. */
import { fixed, metres } from "../../format.ts"
import type { ChosenLap } from "./ChosenLaps.tsx"
import type { LapEvent } from "./lapEvents.ts"
import { capital, lapNames } from "./lapNames.ts"
import { LapSwatch } from "./LapSwatch.tsx"

export const Events = ({
  events,
  laps,
  show
}: {
  events: ReadonlyArray<LapEvent>
  laps: ReadonlyArray<ChosenLap>
  show: (distance: number, lap: number) => void
}) => {
  if (events.length === 0) return null
  const names = lapNames(laps)
  return (
    <details class="small events" open={events.length <= 6}>
      <summary>Marked events: {events.length}</summary>
      <ul>
        {events.map(({ distance, duration, lapId, name }) => {
          const k = laps.findIndex(({ lap }) => lap.id === lapId)
          return (
            <li key={`${lapId} ${distance}`}>
              <button type="button" class="plain" onClick={() => show(distance, k)}>
                <LapSwatch index={k} />
                {capital(names[k]!)}: {name} at {metres(distance)}, {fixed(duration, 1)} s
              </button>
            </li>
          )
        })}
      </ul>
    </details>
  )
}
