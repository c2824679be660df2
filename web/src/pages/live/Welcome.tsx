/** Shown while nothing is connected: the service waits for a game, or can be told to. */
import { useState } from "preact/hooks"
import { type ApiError, api } from "../../api.ts"
import type { SystemStatus } from "../../types.ts"
import { ListeningPorts } from "../../ui/ListeningPorts.tsx"
import { Notice, Problem } from "../../ui/Notice.tsx"

const Offer = ({ changed }: { changed: () => void }) => {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ApiError>()
  const listen = () => {
    setBusy(true)
    setError(undefined)
    api
      .configuration()
      .then((configuration) => api.configure({ ...configuration, games: "auto" }))
      .catch((failed: unknown) => setError(failed as ApiError))
      .finally(() => {
        setBusy(false)
        changed()
      })
  }
  return (
    <>
      <span>
        Most games send telemetry by themselves. The service can listen for all of them, and record whichever
        sends. Or connect a simulator below, or stop this service and run <code>npm run demo</code>, which
        drives for you.
      </span>
      <button type="button" class="primary" disabled={busy} onClick={listen}>
        Record any game that sends
      </button>
      {error && <Problem error={error} />}
    </>
  )
}

export const Welcome = ({
  listening,
  changed
}: {
  listening: SystemStatus["listening"]
  changed: () => void
}) => (
  <Notice title="No simulator is connected.">
    {listening.length > 0 ? (
      <>
        <span>
          The service listens for any game: switch on its telemetry, and drive. Games that have to be asked
          need a connect below.
        </span>
        <ListeningPorts ports={listening} />
      </>
    ) : (
      <Offer changed={changed} />
    )}
  </Notice>
)
