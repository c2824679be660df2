import { delta, deltaClass, lapTime } from "../format.ts"
import { bestOf, flawOf } from "../laps.ts"
import { useLiveSession } from "../live/useLiveSession.ts"
import { type Options, wantedOf } from "./options.ts"
import { Plate } from "./parts/Plate.tsx"

/** The last laps' times, the newest first, each against the session's best. */
export const Overlay = ({ options }: { options: Options }) => {
  const drive = useLiveSession(wantedOf(options))
  const laps = drive?.laps.value ?? []
  const best = bestOf(laps)
  const shown = laps.slice(-options.limit).reverse()
  return (
    <Plate drive={drive} idle={options.idle} name="laps">
      {drive?.hasLaps.value === true && shown.length === 0 && <span class="laps-none">First lap</span>}
      <ol>
        {shown.map((lap) => {
          const late =
            lap.lap_time === null || best === undefined || lap.id === best.id
              ? null
              : lap.lap_time - best.lap_time!
          return (
            <li key={lap.id} class={lap.id === best?.id ? "best" : ""}>
              <span>L{lap.lap_number}</span>
              <b>{lapTime(lap.lap_time)}</b>
              <span class={deltaClass(late)}>
                {lap.id === best?.id ? "best" : (flawOf(lap) ?? delta(late))}
              </span>
            </li>
          )
        })}
      </ol>
    </Plate>
  )
}
