/** The connections that the service keeps, which it opens again when it starts: each can be turned off, on and forgotten. */
import { useState } from "preact/hooks"
import { ApiError, api } from "../../api.ts"
import { titleOf } from "../../guides/guides.ts"
import type { ListedConnection } from "../../types.ts"
import { Problem, Show } from "../../ui/Notice.tsx"
import { useAnswer } from "../../ui/useAnswer.ts"

const Row = ({ changed, connection }: { connection: ListedConnection; changed: () => void }) => {
  const { app_name, enabled, host, port, simulator, state } = connection
  const [busy, setBusy] = useState(false)
  /** Shown until the answer comes. */
  const [wanted, setWanted] = useState<boolean>()
  const [error, setError] = useState<ApiError>()
  const act = (action: Promise<unknown>) => {
    setBusy(true)
    setError(undefined)
    action
      .catch((failed: unknown) => {
        setError(failed as ApiError)
        setWanted(undefined)
      })
      .finally(() => {
        setBusy(false)
        changed()
      })
  }
  const address = `${host}:${port}`
  return (
    <li class="form">
      <label class="check">
        <input
          type="checkbox"
          checked={wanted ?? enabled}
          disabled={busy}
          onChange={({ currentTarget: { checked } }) => {
            setWanted(checked)
            act(api.enableConnection({ host, port, enabled: checked }))
          }}
        />{" "}
        {simulator === null ? "Simulator by the port" : titleOf(simulator)} at {address}
      </label>
      <span class="muted small">
        {state}, as <bdi>{app_name}</bdi>
      </span>
      <button
        type="button"
        disabled={busy}
        onClick={() => act(api.disconnect({ host, port }))}
        aria-label={`Forget ${address}`}
      >
        Forget
      </button>
      {error && <Problem error={error} />}
    </li>
  )
}

export const KeptConnections = () => {
  const kept = useAnswer(api.connections, [])
  return (
    <section class="panel stack settings">
      <h2>Connections</h2>
      <Show answer={kept}>
        {(connections) =>
          connections.length === 0 ? (
            <p class="muted">None yet. Connect to a simulator on the Live page.</p>
          ) : (
            <ul class="stack plain">
              {connections.map((connection) => (
                <Row
                  key={`${connection.host}:${connection.port}`}
                  connection={connection}
                  changed={kept.again}
                />
              ))}
            </ul>
          )
        }
      </Show>
      <p class="muted small">
        The service opens these again when it starts, and tries until the simulator is there. Passwords are
        kept and never shown.
      </p>
    </section>
  )
}
