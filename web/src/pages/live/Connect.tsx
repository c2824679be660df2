/** The form that connects to a simulator. */
import { useEffect, useRef, useState } from "preact/hooks"
import { ApiError, api } from "../../api.ts"
import { labelOf } from "../../live/channels.ts"
import { AddressFields } from "../../ui/AddressFields.tsx"
import { useAnswer } from "../../ui/useAnswer.ts"
import { guideOf, isOffered, titleOf } from "../../guides/guides.ts"
import type { Simulator, SystemStatus } from "../../types.ts"
import { type Attempt, ConnectAnswer } from "./ConnectAnswer.tsx"
import { givenOptions, OptionFields } from "./OptionFields.tsx"
import { SetUp } from "./SetUp.tsx"

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

const NATIVE = "native"
const ANY = "any"
/** Hears senders on all networks of the service's machine. */
const EVERYWHERE = "0.0.0.0"

/** The simulator that a port means; several games send to 20777. */
const byPort = (simulators: ReadonlyArray<Simulator> | undefined, port: number): string => {
  const name = simulators?.find(({ ports }) => ports.includes(port))?.name ?? NATIVE
  return isOffered(name) ? name : ANY
}

const byTitle = (a: Simulator, b: Simulator) => (titleOf(a.name) < titleOf(b.name) ? -1 : 1)

const Fields = ({ changed, status }: { changed: () => void; status: SystemStatus }) => {
  const simulators = useAnswer(api.simulators, [])
  const configuration = useAnswer(api.configuration, [])
  const host = useRef<HTMLInputElement>(null)
  const portField = useRef<HTMLInputElement>(null)
  const [attempt, setAttempt] = useState<Attempt>()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ApiError>()
  const [notice, setNotice] = useState("")
  const [chosen, setChosen] = useState("")
  const [typed, setTyped] = useState<number>()
  const usual = configuration.value?.connection
  const port = typed ?? usual?.port ?? 9100
  const name = chosen === "" ? byPort(simulators.value, port) : chosen
  const simulator = simulators.value?.find((one) => one.name === name)
  const offered = (simulators.value ?? []).filter((one) => isOffered(one.name)).sort(byTitle)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget as HTMLFormElement)
    const wanted = { host: text(form, "host"), port: Number(text(form, "port")), simulator: name }
    setAttempt(wanted)
    setBusy(true)
    setError(undefined)
    setNotice("")
    api
      .connect({
        ...wanted,
        app_name: usual?.app_name ?? "telemetry pages",
        ...givenNames(form),
        ...givenOptions(form, simulator)
      })
      .then(
        (connected) => setNotice(`Connected to ${titleOf(connected.simulator)}.`),
        (failed: unknown) => setError(failed as ApiError)
      )
      .finally(() => {
        setBusy(false)
        changed()
      })
  }
  const choose = (wanted: string) => {
    setChosen(wanted)
    const own = guideOf(wanted)
    if (own.port !== null && portField.current !== null) {
      portField.current.value = String(own.port)
      setTyped(own.port)
    }
    // A game may run on another machine.
    if (own.sends && host.current?.value === host.current?.defaultValue) host.current!.value = EVERYWHERE
  }
  // The form waits for the configuration, because a field must not change after the user has begun to fill it.
  if (configuration.state === "waiting") return <p class="muted">Loading …</p>
  return (
    <form class="stack" onSubmit={submit}>
      <div class="form connect-row">
        <label class="field">
          Simulator
          <select name="simulator" value={chosen} onChange={(event) => choose(event.currentTarget.value)}>
            <option value="">by its port</option>
            {offered.map((one) => (
              <option key={one.name} value={one.name}>
                {titleOf(one.name)}
              </option>
            ))}
          </select>
        </label>
        <AddressFields
          host={usual?.host ?? "127.0.0.1"}
          port={usual?.port ?? 9100}
          hostField={host}
          portField={portField}
          onPort={setTyped}
        />
        <button type="submit" class="primary" disabled={busy}>
          {busy ? "Connecting …" : "Connect"}
        </button>
        <ConnectAnswer attempt={attempt} busy={busy} error={error} notice={notice} status={status} />
      </div>
      <OptionFields simulator={simulator} />
      <SetUp simulator={name} port={port} addresses={status.addresses} />
      <NameFields />
    </form>
  )
}

/** Unfolded while nothing is connected, else folded. */
export const Connect = ({
  open,
  changed,
  status
}: {
  open: boolean
  changed: () => void
  status: SystemStatus
}) => {
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
      {unfolded && <Fields changed={changed} status={status} />}
    </section>
  )
}
