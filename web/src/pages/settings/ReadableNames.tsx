/** Readable names for raw ones that games report. Users' own go before those that the service knows. */
import { useState } from "preact/hooks"
import { type ApiError, api } from "../../api.ts"
import { takeNames } from "../../loadNames.ts"
import type { ReadableName } from "../../types.ts"
import { Problem, Show } from "../../ui/Notice.tsx"
import { useAnswer } from "../../ui/useAnswer.ts"

const Given = ({ named, act }: { named: ReadableName; act: (change: Promise<unknown>) => void }) => (
  <li class="form">
    <code>{named.raw}</code> <bdi>{named.name}</bdi>
    <button
      type="button"
      onClick={() => act(api.deleteName(named.raw))}
      aria-label={`Forget the name of ${named.raw}`}
    >
      Forget
    </button>
  </li>
)

export const ReadableNames = () => {
  const names = useAnswer(async () => {
    const all = await api.names()
    takeNames(all)
    return all
  }, [])
  const [error, setError] = useState<ApiError>()
  const act = (change: Promise<unknown>) => {
    setError(undefined)
    change.then(names.again, (failed: unknown) => setError(failed as ApiError))
  }
  const add = (event: SubmitEvent) => {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    const given = new FormData(form)
    act(api.putName(String(given.get("raw")).trim(), String(given.get("name"))).then(() => form.reset()))
  }
  return (
    <section class="panel stack settings">
      <h2>Readable names</h2>
      <Show answer={names}>
        {(all) => (
          <ul class="stack plain">
            {all
              .filter(({ source }) => source === "user")
              .map((named) => (
                <Given key={named.raw} named={named} act={act} />
              ))}
          </ul>
        )}
      </Show>
      <form class="form" onSubmit={add}>
        <label class="field">
          Name as the game reports it
          <input name="raw" required maxLength={200} placeholder="ks_mazda_mx5_cup" />
        </label>
        <label class="field">
          Shown as
          <input name="name" required maxLength={200} placeholder="Mazda MX-5 Cup" />
        </label>
        <button type="submit">Add</button>
      </form>
      {error && <Problem error={error} />}
      <p class="muted small">
        Pages and overlays show circuits, vehicles and drivers by these names. The API has the raw ones.
      </p>
    </section>
  )
}
