/** The channels that are not drawn, or that only some of the laps have. */
import { missingOf } from "../../draw/compareChannels.ts"
import type { Comparison } from "../../types.ts"

export const MissingChannels = ({
  comparison,
  unreported
}: {
  comparison: Comparison
  unreported: ReadonlyArray<string>
}) => (
  <>
    {unreported.length > 0 && (
      <p class="muted small">Not drawn: {unreported.join(", ").replaceAll("_", " ")}.</p>
    )}
    {comparison.missing_channels.length > 0 && (
      <p class="muted small">
        Missing on some laps: {missingOf(comparison)}. Parts that need them are left out.
      </p>
    )}
  </>
)
