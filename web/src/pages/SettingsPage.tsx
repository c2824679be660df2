/** The configuration, which the service stores, and the settings of this browser. */
import { useState } from "preact/hooks"
import { type ApiError, api } from "../api.ts"
import { BrowserSettings } from "./settings/BrowserSettings.tsx"
import { GameSettings } from "./settings/GameSettings.tsx"
import { KeptConnections } from "./settings/KeptConnections.tsx"
import { ReadableNames } from "./settings/ReadableNames.tsx"
import type { Configuration } from "../types.ts"
import { withToken } from "../token.ts"
import { AddressFields } from "../ui/AddressFields.tsx"
import { Problem, Show } from "../ui/Notice.tsx"
import { useAnswer } from "../ui/useAnswer.ts"

const read = (form: FormData): Configuration => ({
  connection: {
    host: String(form.get("host")),
    port: Number(form.get("port")),
    app_name: String(form.get("app_name"))
  },
  telemetry_rate: Number(form.get("telemetry_rate")),
  auto_export: form.get("auto_export") === "on",
  export_format: form.get("export_format") === "json" ? "json" : "csv",
  export_channels: String(form.get("export_channels")),
  games: form.get("games") === "on" ? "auto" : "none"
})

const Form = ({ configuration }: { configuration: Configuration }) => {
  const [notice, setNotice] = useState("")
  const [error, setError] = useState<ApiError>()
  const { auto_export, connection, export_channels, export_format, games, telemetry_rate } = configuration
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    setNotice("")
    setError(undefined)
    api.configure(read(new FormData(event.currentTarget as HTMLFormElement))).then(
      () => setNotice("Saved."),
      (failed: unknown) => setError(failed as ApiError)
    )
  }
  return (
    <form class="panel stack settings" onSubmit={submit}>
      <GameSettings games={games} />
      <fieldset>
        <legend>Connecting</legend>
        <AddressFields host={connection.host} port={connection.port} />
        <label class="field">
          Name of the service for simulators
          <input name="app_name" required maxLength={200} defaultValue={connection.app_name} />
        </label>
        <p class="muted small">Defaults for the form of the Live page.</p>
      </fieldset>
      <fieldset>
        <legend>Telemetry</legend>
        <label class="field">
          Rate, Hz
          <input
            name="telemetry_rate"
            type="number"
            required
            min={1}
            max={10_000}
            defaultValue={String(telemetry_rate)}
          />
        </label>
        <p class="muted small">
          The service requests this rate from simulators that allow it, and sends at most this rate to each
          live page or overlay. It stores everything that arrives.
        </p>
      </fieldset>
      <fieldset>
        <legend>Export</legend>
        <label class="check">
          <input name="auto_export" type="checkbox" defaultChecked={auto_export} /> Write each session to the
          exports folder when it ends
        </label>
        <label class="field">
          As
          <select name="export_format" defaultValue={export_format}>
            <option value="csv">CSV</option>
            <option value="json">JSON</option>
          </select>
        </label>
        <label class="field">
          Channels in addition to the ten of a point
          <input name="export_channels" placeholder="fuel,tyre_*" defaultValue={export_channels} />
        </label>
        <p class="muted small">
          Names or patterns, separated by commas; <code>*</code> for all. A file leaves out channels that its
          session lacks.
        </p>
      </fieldset>
      <div class="form">
        <button type="submit" class="primary">
          Save
        </button>
        <span role="status" class="gain">
          {notice}
        </span>
      </div>
      {error && <Problem error={error} />}
    </form>
  )
}

export const SettingsPage = () => {
  const configuration = useAnswer(api.configuration, [])
  return (
    <div class="stack">
      <h1>Settings</h1>
      <Show answer={configuration}>{(value) => <Form configuration={value} />}</Show>
      <KeptConnections />
      <ReadableNames />
      <BrowserSettings />
      <p class="muted small">
        The API is documented at <a href="/docs">/docs</a>; metrics are at{" "}
        <a href={withToken("/metrics")}>/metrics</a>.
      </p>
    </div>
  )
}
