/** Choices for the appearance of overlays. Each is a parameter of the address. */
import { api } from "../../api.ts"
import { useSessionNames } from "../../live/useSessionNames.ts"
import { useAnswer, useInterval } from "../../ui/useAnswer.ts"
import { type LookName, lookOf, setLook } from "./look.ts"

const STATUS_MS = 5000

const Choice = ({
  name,
  label,
  options
}: {
  name: LookName
  label: string
  options: ReadonlyArray<readonly [value: string, text: string]>
}) => (
  <label class="field">
    {label}
    <select value={lookOf(name)} onChange={(event) => setLook(name, event.currentTarget.value)}>
      {options.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  </label>
)

const Amount = ({
  name,
  label,
  usual,
  ...range
}: {
  name: LookName
  label: string
  usual: string
  min: number
  max: number
  step: number | "any"
}) => (
  <label class="field">
    {label}
    <input
      type="number"
      {...range}
      placeholder={usual}
      value={lookOf(name)}
      onChange={(event) => setLook(name, event.currentTarget.value)}
    />
  </label>
)

export const LookForm = () => {
  const status = useAnswer(api.status, [])
  useInterval(status.again, STATUS_MS)
  const ids = (status.value?.connections ?? []).flatMap(({ session_id }) => session_id ?? [])
  const names = useSessionNames(ids)
  const sessions = ids.map((id) => [String(id), names(id)] as const)
  const accent = lookOf("accent")
  return (
    <section class="panel form look-form" aria-label="Appearance">
      <Choice name="session_id" label="Session" options={[["", "the current one"], ...sessions]} />
      {sessions.length > 1 && (
        <Choice name="versus" label="Against (head to head)" options={[["", "any other"], ...sessions]} />
      )}
      <Choice
        name="theme"
        label="Theme"
        options={[
          ["", "dark"],
          ["light", "light"]
        ]}
      />
      <label class="field">
        Accent
        <input
          type="color"
          value={accent === "" ? "#56b4e9" : `#${accent.replace("#", "")}`}
          onChange={(event) => setLook("accent", event.currentTarget.value.replace("#", ""))}
        />
      </label>
      <Choice
        name="units"
        label="Units"
        options={[
          ["", "km/h, °C"],
          ["mph", "mph, °C"],
          ["mph,f", "mph, °F"]
        ]}
      />
      <Choice
        name="plate"
        label="Background"
        options={[
          ["", "glass"],
          ["0", "none"],
          ["1", "opaque"]
        ]}
      />
      <Amount name="scale" label="Scale" usual="1" min={0.2} max={5} step={0.1} />
      <Choice
        name="idle"
        label="Without telemetry"
        options={[
          ["", "show the reason"],
          ["hide", "hide everything"],
          ["keep", "keep the last values"]
        ]}
      />
      <Choice
        name="cars"
        label="Map"
        options={[
          ["", "this car"],
          ["all", "all connected cars"]
        ]}
      />
      <Amount name="rate" label="Updates per second" usual="30" min={1} max={240} step="any" />
    </section>
  )
}
