import { useLiveSession } from "../live/useLiveSession.ts"
import { type Options, wantedOf } from "./options.ts"
import { PedalTrace } from "./PedalTrace.tsx"
import { Plate } from "./Plate.tsx"

/** The last seconds of throttle and brake. */
export const Pedals = ({ options }: { options: Options }) => {
  const drive = useLiveSession(wantedOf(options))
  return (
    <Plate drive={drive} idle={options.idle} name="pedals-only">
      <PedalTrace drive={drive} scale={options.scale} />
    </Plate>
  )
}
