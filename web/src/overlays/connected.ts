/** The sessions that are being driven, asked of the service every few seconds; undefined until it has answered. */
import { api } from "../api.ts"
import { useAnswer, useInterval } from "../ui/useAnswer.ts"

const ASKED_MS = 5000

export const useConnected = (wanted: boolean): ReadonlyArray<number> | undefined => {
  const status = useAnswer(async () => (wanted ? (await api.status()).connections : []), [wanted])
  useInterval(() => {
    if (wanted) status.again()
  }, ASKED_MS)
  return status.value?.flatMap(({ session_id }) => session_id ?? [])
}
