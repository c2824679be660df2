/** Whether the service listens for any game, and its ports. */
import { api } from "../../api.ts"
import { ListeningPorts } from "../../ui/ListeningPorts.tsx"
import { useAnswer, useInterval } from "../../ui/useAnswer.ts"

const STATUS_MS = 2000

/** `games`: the setting of the form. The service may listen without it, because of its command line. */
export const GameSettings = ({ games }: { games: "auto" | "none" }) => {
  const status = useAnswer(api.status, [])
  useInterval(status.again, STATUS_MS)
  const ports = status.value?.listening ?? []
  return (
    <fieldset>
      <legend>Games</legend>
      <label class="check">
        <input name="games" type="checkbox" defaultChecked={games === "auto"} /> Record any game that sends,
        without a connect
      </label>
      {games === "none" && ports.length > 0 && (
        <p class="small">
          The service does so whatever is chosen here: it was started with <code>--games</code>.
        </p>
      )}
      {ports.length > 0 && <ListeningPorts ports={ports} />}
      <p class="muted small">
        The service listens on the usual ports of all games that send by themselves, and sends nothing.
        Assetto Corsa, Assetto Corsa Competizione, Gran Turismo 7 and Live for Speed have to be asked: connect
        them on the Live page.
      </p>
    </fieldset>
  )
}
