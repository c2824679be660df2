import { TyrePanel } from "../draw/TyrePanel.tsx"
import { hasTyres } from "../live/channels.ts"
import { useLiveSession } from "../live/useLiveSession.ts"
import { NotReported } from "./parts/NotReported.tsx"
import { type Options, wantedOf } from "./options.ts"
import { Plate } from "./parts/Plate.tsx"

/** Temperature, pressure and wear of the tyres, as far as the simulator reports them. */
export const Overlay = ({ options }: { options: Options }) => {
  const drive = useLiveSession(wantedOf(options))
  const reported = drive?.feed.reported.value ?? []
  return (
    <Plate drive={drive} idle={options.idle} name="tyres-overlay">
      {drive !== undefined && hasTyres(reported) ? (
        <TyrePanel feed={drive.feed} reported={reported} />
      ) : (
        <NotReported drive={drive} what="tyres" />
      )}
    </Plate>
  )
}
