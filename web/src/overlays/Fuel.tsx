import { FuelPanel } from "../draw/FuelPanel.tsx"
import { hasFuel } from "../live/channels.ts"
import { useLiveSession } from "../live/useLiveSession.ts"
import { NotReported } from "./parts/NotReported.tsx"
import { type Options, wantedOf } from "./options.ts"
import { Plate } from "./parts/Plate.tsx"

/** Fuel, the laps that it lasts, and the consumption of the last lap. */
export const Overlay = ({ options }: { options: Options }) => {
  const drive = useLiveSession(wantedOf(options))
  const reported = drive?.feed.reported.value ?? []
  return (
    <Plate drive={drive} idle={options.idle} name="fuel-overlay">
      {drive !== undefined && hasFuel(reported) ? (
        <FuelPanel drive={drive} feed={drive.feed} reported={reported} />
      ) : (
        <NotReported drive={drive} what="fuel" />
      )}
    </Plate>
  )
}
