/** Display settings that this browser remembers. They take effect at once, in other tabs too. */
import { dateTime, fixed, lapTime } from "../../format.ts"
import {
  choose,
  settings,
  SPEED_UNITS,
  speedFrom,
  TEMPERATURE_UNITS,
  temperatureFrom,
  zoneName
} from "../../settings.ts"
import { switchTheme, theme } from "../../theme.ts"

/** Languages whose numbers look different from each other. */
const LANGUAGES = [
  ["en", "1,234.5 (English)"],
  ["de", "1.234,5 (Deutsch, Español, Italiano, Português)"],
  ["fr", "1 234,5 (Français)"],
  ["de-CH", "1’234.5 (Schweiz)"],
  ["en-IN", "1,23,456.7 (India)"]
] as const

const zones: ReadonlyArray<string> = Intl.supportedValuesOf("timeZone")

const Choice = <Value extends string>({
  label,
  value,
  options,
  chosen
}: {
  label: string
  value: Value
  options: ReadonlyArray<readonly [Value, string]>
  chosen: (value: Value) => void
}) => (
  <label class="field">
    {label}
    <select value={value} onChange={(event) => chosen(event.currentTarget.value as Value)}>
      {options.map(([key, text]) => (
        <option key={key} value={key}>
          {text}
        </option>
      ))}
    </select>
  </label>
)

const named = <Value extends string>(values: ReadonlyArray<Value>) =>
  values.map((value) => [value, value] as const)

/** A sample of each kind in the current settings. */
const Sample = () => (
  <p class="muted small" role="status">
    A lap of {lapTime(93.669)} at up to {fixed(speedFrom(298.4), 1)} {settings.value.speed}, with tyres at{" "}
    {fixed(temperatureFrom(92), 1)} {settings.value.temperature}, begun at {dateTime("2026-02-13T07:05:00")} (
    {zoneName.value}).
  </p>
)

export const BrowserSettings = () => {
  const { language, speed, temperature, zone } = settings.value
  return (
    <section class="panel stack settings" aria-label="This browser">
      <fieldset>
        <legend>This browser</legend>
        <Choice
          label="Speed"
          value={speed}
          options={named(SPEED_UNITS)}
          chosen={(speed) => choose({ speed })}
        />
        <Choice
          label="Temperature"
          value={temperature}
          options={named(TEMPERATURE_UNITS)}
          chosen={(temperature) => choose({ temperature })}
        />
        <Choice
          label="Time zone"
          value={zone}
          options={[["", "the system's"], ["UTC", "UTC"], ...named(zones.filter((name) => name !== "UTC"))]}
          chosen={(zone) => choose({ zone })}
        />
        <Choice
          label="Numbers"
          value={language}
          options={LANGUAGES}
          chosen={(language) => choose({ language })}
        />
        <Sample />
        <p class="muted small">
          Kept by this browser, and in force at once. What is exported has the units of the interface: km/h,
          °C and UTC.
        </p>
      </fieldset>
      <div class="form">
        <button type="button" onClick={switchTheme}>
          Use the {theme.value === "dark" ? "light" : "dark"} theme
        </button>
      </div>
    </section>
  )
}
