/** The form that connects to a simulator. */
import { useEffect, useRef, useState } from "preact/hooks"
import { ApiError, api } from "../../api.ts"
import { labelOf } from "../../live/channels.ts"
import { AddressFields } from "../../ui/AddressFields.tsx"
import { Problem } from "../../ui/Notice.tsx"
import { useAnswer } from "../../ui/useAnswer.ts"
import { givenOptions, OptionFields } from "./OptionFields.tsx"

/** Names of a session, for simulators that report none. */
const NAMES = ["circuit", "vehicle", "driver"] as const

const givenNames = (form: FormData) =>
  Object.fromEntries(
    NAMES.map((name) => [name, text(form, name)] as const).filter(([, given]) => given !== "")
  )

const NameFields = () => (
  <details>
    <summary>Names, if the simulator reports none</summary>
    <div class="form">
      {NAMES.map((name) => (
        <label key={name} class="field">
          {labelOf(name)}
          <input name={name} maxLength={200} autocomplete="off" />
        </label>
      ))}
    </div>
  </details>
)

const text = (form: FormData, name: string) => String(form.get(name) ?? "").trim()

const Fields = ({ changed }: { changed: () => void }) => {
  const simulators = useAnswer(api.simulators, [])
  const configuration = useAnswer(api.configuration, [])
  const port = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ApiError>()
  const [notice, setNotice] = useState("")
  const [chosen, setChosen] = useState("")
  const problem = useRef<HTMLDivElement>(null)
  // The form may end at the bottom of the window.
  useEffect(() => {
    if (error !== undefined) problem.current?.scrollIntoView({ block: "nearest" })
  }, [error])
  const simulator = simulators.value?.find(({ name }) => name === chosen)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget as HTMLFormElement)
    setBusy(true)
    setError(undefined)
    setNotice("")
    api
      .connect({
        host: text(form, "host"),
        port: Number(text(form, "port")),
        app_name: configuration.value?.connection.app_name ?? "telemetry pages",
        ...(chosen === "" ? {} : { simulator: chosen }),
        ...givenNames(form),
        ...givenOptions(form, simulator)
      })
      .then(
        ({ message }) => setNotice(`${message}.`),
        (failed: unknown) => setError(failed as ApiError)
      )
      .finally(() => {
        setBusy(false)
        changed()
      })
  }
  const choose = (wanted: string) => {
    setChosen(wanted)
    const [own] = simulators.value?.find(({ name }) => name === wanted)?.ports ?? []
    if (own !== undefined && port.current !== null) port.current.value = String(own)
  }
  // The form waits for the configuration, because a field must not change after the user has begun to fill it.
  if (configuration.state === "waiting") return <p class="muted">Loading …</p>
  const usual = configuration.value?.connection
  return (
    <div class="stack">
      <form class="form" onSubmit={submit}>
        <label class="field">
          Simulator
          <select name="simulator" value={chosen} onChange={(event) => choose(event.currentTarget.value)}>
            <option value="">by its port</option>
            {simulators.value?.map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <AddressFields host={usual?.host ?? "127.0.0.1"} port={usual?.port ?? 9100} portField={port} />
        <OptionFields simulator={simulator} />
        <NameFields />
        <button type="submit" class="primary" disabled={busy}>
          {busy ? "Connecting …" : "Connect"}
        </button>
        <p role="status" class="muted small">
          {notice}
        </p>
      </form>
      <div ref={problem}>{error && <Problem error={error} />}</div>
    </div>
  )
}

/** Unfolded while nothing is connected, else folded. */
export const Connect = ({ open, changed }: { open: boolean; changed: () => void }) => {
  const [unfolded, unfold] = useState(open)
  useEffect(() => unfold(open), [open])
  return (
    <section class="panel on-screen">
      <div class="panel-head">
        <h2>Connect a simulator</h2>
        {!open && (
          <button type="button" aria-expanded={unfolded} onClick={() => unfold(!unfolded)}>
            {unfolded ? "Close" : "Connect another"}
          </button>
        )}
      </div>
      {unfolded && <Fields changed={changed} />}
    </section>
  )
}
