import { FuelPanel } from "../draw/FuelPanel.tsx"
import { tellsFuel } from "../live/channels.ts"
import { useLiveSession } from "../live/useLiveSession.ts"
import { NotTold } from "./parts/NotTold.tsx"
import { type Options, wantedOf } from "./options.ts"
import { Plate } from "./parts/Plate.tsx"

/** Fuel, the laps it lasts, and what the last lap took. */
export const Overlay = ({ options }: { options: Options }) => {
  const drive = useLiveSession(wantedOf(options))
  const told = drive?.feed.told.value ?? []
  return (
    <Plate drive={drive} idle={options.idle} name="fuel-overlay">
      {drive !== undefined && tellsFuel(told) ? (
        <FuelPanel drive={drive} feed={drive.feed} told={told} />
      ) : (
        <NotTold drive={drive} what="fuel" />
      )}
    </Plate>
  )
}
