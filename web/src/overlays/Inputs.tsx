import { useEffect } from "preact/hooks"
import { usePedals, useWheel } from "../draw/gauges.tsx"
import { READABLE_HZ } from "../draw/write.ts"
import { eachBeat, eachFrame, ending } from "../live/frames.ts"
import { useLiveSession } from "../live/useLiveSession.ts"
import { type Options, wantedOf } from "./options.ts"
import { PedalTrace } from "./parts/PedalTrace.tsx"
import { Plate } from "./parts/Plate.tsx"

/** The driver's inputs: the last seconds of the pedals, the pedals now, and the steering. */
export const Overlay = ({ options }: { options: Options }) => {
  const drive = useLiveSession(wantedOf(options))
  const pedals = usePedals()
  const wheel = useWheel()
  useEffect(() => {
    if (drive === undefined) return
    const { feed } = drive
    return ending([
      eachFrame(() => {
        if (feed.points === 0) return
        pedals.move(feed.point)
        wheel.move(feed.point)
      }),
      eachBeat(READABLE_HZ, () => {
        if (feed.points > 0) wheel.say(feed.point)
      })
    ])
  }, [drive])
  return (
    <Plate drive={drive} idle={options.idle} name="inputs">
      <PedalTrace drive={drive} scale={options.scale} />
      {pedals.pedals}
      {wheel.wheel}
    </Plate>
  )
}
