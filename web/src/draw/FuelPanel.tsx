/** Fuel, the laps that it lasts, and the consumption of a lap, as far as they are reported; and the battery's charge. */
import { useEffect, useRef, useState } from "preact/hooks"
import { api } from "../api.ts"
import { fixed } from "../format.ts"
import { lastOf } from "../laps.ts"
import type { LiveSession } from "../live/LiveSession.ts"
import type { LiveTelemetry } from "../live/LiveTelemetry.ts"
import { showValues } from "./channelValues.ts"

/** The amounts that a simulator may report, with label and unit. */
const amounts = [
  ["fuel", "l"],
  ["fuel_mass", "kg"]
] as const

/** Consumption of the session's last lap; undefined before there is one. */
const useUsed = (drive: LiveSession, channel: string | undefined): number | undefined => {
  const [used, setUsed] = useState<number>()
  const last = lastOf(drive.laps.value)?.id
  useEffect(() => {
    setUsed(undefined)
    if (last === undefined || channel === undefined) return
    let current = true
    api.channelStatistics(last).then(
      (statistics) => {
        const fall = statistics.find(({ name }) => name === channel)?.fall ?? 0
        return current && fall > 0 ? setUsed(fall) : undefined
      },
      // The lap was deleted, or the service is away: its consumption is not shown.
      () => undefined
    )
    return () => {
      current = false
    }
  }, [last, channel])
  return used
}

export const FuelPanel = ({
  drive,
  feed,
  reported
}: {
  drive: LiveSession
  feed: LiveTelemetry
  reported: ReadonlyArray<string>
}) => {
  const root = useRef<HTMLDivElement>(null)
  const amount = amounts.find(([name]) => reported.includes(name))
  const used = useUsed(drive, amount?.[0])
  useEffect(() => showValues(root.current!, feed), [feed, reported.join(), used === undefined])
  const laps = reported.includes("fuel_laps")
  return (
    <div class="fuel" ref={root}>
      {amount !== undefined && (
        <div class="fuel-amount">
          <span class="fuel-label">Fuel</span>
          <b data-channel={amount[0]} data-digits="1" data-unit={amount[1]}>
            –
          </b>
          <span class="unit">{amount[1]}</span>
        </div>
      )}
      {amount === undefined && reported.includes("fuel_fraction") && (
        <div class="fuel-amount">
          <span class="fuel-label">Fuel</span>
          <b data-channel="fuel_fraction" data-unit="%">
            –
          </b>
          <span class="unit">%</span>
        </div>
      )}
      {reported.includes("fuel_fraction") && (
        <div class="fuel-bar" title="Share of a full tank">
          <i data-channel="fuel_fraction" data-bar="" />
        </div>
      )}
      <div class="fuel-facts">
        {laps && (
          <span>
            Lasts{" "}
            <b data-channel="fuel_laps" data-digits="1">
              –
            </b>{" "}
            laps
          </span>
        )}
        {reported.includes("fuel_laps_surplus") && (
          <span>
            Surplus{" "}
            <b data-channel="fuel_laps_surplus" data-digits="1">
              –
            </b>{" "}
            laps
          </span>
        )}
        {used !== undefined && (
          <span>
            Last lap{" "}
            <b>
              {fixed(used, 2)} {amount![1]}
            </b>
          </span>
        )}
      </div>
      {reported.includes("ers_fraction") && (
        <>
          <div class="fuel-facts">
            <span>
              Battery{" "}
              <b data-channel="ers_fraction" data-unit="%">
                –
              </b>{" "}
              %
            </span>
          </div>
          <div class="fuel-bar battery">
            <i data-channel="ers_fraction" data-bar="" />
          </div>
        </>
      )}
    </div>
  )
}
