import { TyrePanel } from "../draw/TyrePanel.tsx"
import { tellsTyres } from "../live/channels.ts"
import { useLiveSession } from "../live/useLiveSession.ts"
import { NotTold } from "./parts/NotTold.tsx"
import { type Options, wantedOf } from "./options.ts"
import { Plate } from "./parts/Plate.tsx"

/** Temperature, pressure and wear of the tyres, as far as the simulator tells them. */
export const Overlay = ({ options }: { options: Options }) => {
  const drive = useLiveSession(wantedOf(options))
  const told = drive?.feed.told.value ?? []
  return (
    <Plate drive={drive} idle={options.idle} name="tyres-overlay">
      {drive !== undefined && tellsTyres(told) ? (
        <TyrePanel feed={drive.feed} told={told} />
      ) : (
        <NotTold drive={drive} what="tyres" />
      )}
    </Plate>
  )
}
