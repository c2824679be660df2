/** The four tyres as they lie: temperature, pressure, wear, as far as they are reported. */
import { useEffect, useRef } from "preact/hooks"
import { tyreTemperatures, WHEELS } from "../live/channels.ts"
import { fixed } from "../format.ts"
import type { LiveTelemetry } from "../live/LiveTelemetry.ts"
import { temperatureFrom, temperatureUnit } from "../settings.ts"
import { COLD, HOT, showValues } from "./channelValues.ts"

const wheelNames = { fl: "Front left", fr: "Front right", rl: "Rear left", rr: "Rear right" } as const

const degrees = (celsius: number) => `${fixed(temperatureFrom(celsius))} ${temperatureUnit.value}`

const legend = {
  cold: () => `under ${degrees(COLD)}`,
  right: () => "between",
  hot: () => `over ${degrees(HOT)}`
}

export const TyrePanel = ({
  feed,
  reported,
  labels = {}
}: {
  feed: LiveTelemetry
  reported: ReadonlyArray<string>
  /** Of the compound's codes. */
  labels?: Readonly<Record<string, string>>
}) => {
  const root = useRef<HTMLDivElement>(null)
  const key = reported.join()
  useEffect(() => showValues(root.current!, feed), [feed, key, temperatureUnit.value])
  const has = (name: string) => reported.includes(`${name}_fl`)
  const temperature = tyreTemperatures.find(has)
  return (
    <div class="tyres" ref={root}>
      <div class="tyre-grid">
        {WHEELS.map((wheel) => (
          <div class="tyre" key={wheel}>
            <span class="tyre-name" title={wheelNames[wheel]}>
              {wheel.toUpperCase()}
            </span>
            {temperature !== undefined && (
              <span class="tyre-heat" data-channel={`${temperature}_${wheel}`} data-warmth="none">
                <b data-channel={`${temperature}_${wheel}`} data-unit="°C">
                  –
                </b>
                <span class="unit">{temperatureUnit.value}</span>
              </span>
            )}
            {has("tyre_pressure") && (
              <span class="tyre-small">
                <b data-channel={`tyre_pressure_${wheel}`} data-unit="kPa">
                  –
                </b>
                <span class="unit">kPa</span>
              </span>
            )}
            {has("tyre_wear") && (
              <span class="tyre-small">
                <b data-channel={`tyre_wear_${wheel}`} data-unit="%">
                  –
                </b>
                <span class="unit">% worn</span>
              </span>
            )}
          </div>
        ))}
      </div>
      {temperature !== undefined && (
        <p class="tyre-legend">
          {(["cold", "right", "hot"] as const).map((warmth) => (
            <span key={warmth} class="tyre-heat" data-warmth={warmth}>
              {legend[warmth]()}
            </span>
          ))}
        </p>
      )}
      {reported.includes("tyre_age") ||
      (reported.includes("tyre_compound") && Object.keys(labels).length > 0) ? (
        <p class="tyre-facts">
          {reported.includes("tyre_compound") && Object.keys(labels).length > 0 && (
            <>
              Compound{" "}
              <b data-channel="tyre_compound" data-labels={JSON.stringify(labels)}>
                –
              </b>{" "}
            </>
          )}
          {reported.includes("tyre_age") && (
            <>
              Age <b data-channel="tyre_age">–</b> laps
            </>
          )}
        </p>
      ) : null}
    </div>
  )
}
