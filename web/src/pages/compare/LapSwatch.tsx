/** A lap's colour and dash next to its number. */
import { dashOf, lapColour } from "../../draw/lapLook.ts"

export const LapSwatch = ({ index }: { index: number }) => {
  const dash = dashOf(index)
  if (dash.length === 0) return <i class="swatch" style={{ "--swatch": lapColour(index) }} />
  return (
    <svg class="swatch-line" viewBox="0 0 23 8" aria-hidden="true">
      <line x1="0" y1="4" x2="23" y2="4" stroke={lapColour(index)} stroke-dasharray={dash.join(" ")} />
    </svg>
  )
}
