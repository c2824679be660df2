import { useLiveSession } from "../live/useLiveSession.ts"
import { type Options, wantedOf } from "./options.ts"
import { PedalTrace } from "./parts/PedalTrace.tsx"
import { Plate } from "./parts/Plate.tsx"

/** The last seconds of throttle and brake. */
export const Overlay = ({ options }: { options: Options }) => {
  const drive = useLiveSession(wantedOf(options))
  return (
    <Plate drive={drive} idle={options.idle} name="pedals-only">
      <PedalTrace drive={drive} scale={options.scale} />
    </Plate>
  )
}
