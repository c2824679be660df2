/** Which session overlays and the live page show when their address names none, and the choice of another. */
import { useState } from "preact/hooks"
import { type ApiError, api } from "../../api.ts"
import type { ConnectionStatus, OnAir } from "../../types.ts"
import { useSessionNames } from "../../live/useSessionNames.ts"
import { Problem } from "../../ui/Notice.tsx"

/** `changed`: called when another session is on air. */
export const OnAirChoice = ({
  connections,
  onAir: { mode, session_id },
  changed
}: {
  connections: ReadonlyArray<ConnectionStatus>
  onAir: OnAir
  changed: () => void
}) => {
  const [error, setError] = useState<ApiError>()
  const running = connections.flatMap((connection) => connection.session_id ?? [])
  const chosen = mode === "session" ? session_id : null
  const offered = [...new Set([...running, ...(chosen === null ? [] : [chosen])])]
  const nameOf = useSessionNames(offered)
  const choose = (id: string) => {
    setError(undefined)
    api
      .putOnAir(id === "" ? { mode: "auto" } : { mode: "session", session_id: Number(id) })
      .catch((failed: unknown) => setError(failed as ApiError))
      .finally(changed)
  }
  // With one car there is nothing to choose.
  if (offered.length < 2 && chosen === null) return null
  return (
    <div class="form">
      <label class="field">
        On air in overlays
        <select
          value={chosen === null ? "" : String(chosen)}
          onChange={(event) => choose(event.currentTarget.value)}
        >
          <option value="">the oldest connection</option>
          {offered.map((id) => (
            <option key={id} value={String(id)}>
              {nameOf(id)}
            </option>
          ))}
        </select>
      </label>
      {error && <Problem error={error} />}
    </div>
  )
}
