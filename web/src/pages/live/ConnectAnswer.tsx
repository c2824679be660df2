/** What becomes of a connect, beside its button: how long it waits and for what, and how it ended. */
import { useEffect, useRef } from "preact/hooks"
import type { ApiError } from "../../api.ts"
import { counted } from "../../format.ts"
import { guideOf, inWords } from "../../guides/guides.ts"
import type { SystemStatus } from "../../types.ts"
import { Problem } from "../../ui/Notice.tsx"

/** A connect, as the user sent it. */
export interface Attempt {
  readonly host: string
  readonly port: number
  readonly simulator: string
}

const SILENT = 504

/** The datagrams that arrived and are not the simulator's; the connection is known by its port while it is being opened. */
const unknownAt = (port: number, status: SystemStatus): number =>
  status.connections.find((one) => one.port === port && one.state === "connecting")?.datagrams_unknown ?? 0

const Waiting = ({ attempt, status }: { attempt: Attempt; status: SystemStatus }) => {
  const { host, port, simulator } = attempt
  if (!guideOf(simulator).sends) {
    return (
      <>
        Asking {host}:{port} …
      </>
    )
  }
  const unknown = unknownAt(port, status)
  return (
    <>
      Waiting on UDP {port}: {counted(unknown, "datagram")} so far{unknown > 0 && ", none of this game"} …
    </>
  )
}

/** Nothing of the game came: the fault is in the game or on the way, and not in what was typed here. */
const Silence = ({ attempt: { port, simulator }, error }: { attempt: Attempt; error: ApiError }) => {
  // The service says what else arrived.
  const others = / datagrams? of /.test(error.message)
  return (
    <div class="notice problem" role="alert">
      <strong>
        Nothing of {guideOf(simulator).title} arrived on UDP port {port}.
      </strong>
      <span class="muted">
        {others
          ? `${inWords(error.message)}.`
          : "Check that its telemetry is on, and that it sends to this port of the service's machine. A game in a menu may send nothing: drive, and connect again. A firewall must let the port in."}
      </span>
    </div>
  )
}

export const ConnectAnswer = ({
  attempt,
  busy,
  error,
  notice,
  status
}: {
  attempt: Attempt | undefined
  busy: boolean
  error: ApiError | undefined
  notice: string
  status: SystemStatus
}) => {
  const problem = useRef<HTMLDivElement>(null)
  // The form may end at the bottom of the window.
  useEffect(() => {
    if (error !== undefined) problem.current?.scrollIntoView({ block: "nearest" })
  }, [error])
  return (
    <>
      <p role="status" class="muted small connect-state">
        {busy && attempt ? <Waiting attempt={attempt} status={status} /> : notice}
      </p>
      <div ref={problem} class="connect-problem">
        {error &&
          (error.status === SILENT && attempt && guideOf(attempt.simulator).sends ? (
            <Silence attempt={attempt} error={error} />
          ) : (
            <Problem error={error} words={inWords} />
          ))}
      </div>
    </>
  )
}
