/** The search for sessions, and their order. */
import { useEffect, useRef } from "preact/hooks"
import type { Inputs } from "../../../../src/api/trpc/client.ts"
import { api } from "../../api.ts"
import { nameText } from "../../names.ts"
import { go, place, withQuery } from "../../router.ts"
import { NameChoice } from "../../ui/NameChoice.tsx"
import { useAnswer } from "../../ui/useAnswer.ts"

const looking = (name: string, value: string) => go(withQuery({ [name]: value, page: undefined }), "replace")

const orders = [
  ["", "Newest first"],
  ["oldest", "Oldest first"],
  ["fastest", "Fastest lap first"],
  ["circuit", "By circuit"],
  ["vehicle", "By vehicle"],
  ["driver", "By driver"]
] as const

type Order = NonNullable<NonNullable<Exclude<Inputs["sessions"]["list"], void>>["sort"]>

export const isOrder = (text: string | null): text is Order =>
  text !== null && orders.some(([order]) => order !== "" && order === text)

/** Searches once the user has paused. */
const TYPING_MS = 300

const Search = () => {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const input = useRef<HTMLInputElement>(null)
  const searched = place.value.query.get("search") ?? ""
  const search = (text: string) => {
    clearTimeout(timer.current)
    if (text !== (place.value.query.get("search") ?? "")) looking("search", text)
  }
  const later = (text: string) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => search(text), TYPING_MS)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  // A link, or going back, has changed the search. It does not change a text that is being typed.
  useEffect(() => {
    const { current } = input
    if (current !== null && current.value.trim() !== searched) current.value = searched
  }, [searched])
  return (
    <label class="field">
      Search names
      <input
        type="search"
        maxLength={200}
        placeholder="parts of circuit, vehicle, driver"
        size={28}
        ref={input}
        defaultValue={searched}
        onInput={(event) => later(event.currentTarget.value.trim())}
        onChange={(event) => search(event.currentTarget.value.trim())}
      />
    </label>
  )
}

export const Filters = () => {
  const circuits = useAnswer(api.circuits, [])
  const vehicles = useAnswer(api.vehicles, [])
  const { query } = place.value
  const driver = query.get("driver")
  const tag = query.get("tag")
  return (
    <search class="panel form">
      <Search />
      <NameChoice name="circuit" label="Circuit" values={circuits.value ?? []} />
      <NameChoice name="vehicle" label="Vehicle" values={vehicles.value ?? []} />
      <label class="field">
        Order
        <select
          value={query.get("sort") ?? ""}
          onChange={(event) => looking("sort", event.currentTarget.value)}
        >
          {orders.map(([order, title]) => (
            <option key={order} value={order}>
              {title}
            </option>
          ))}
        </select>
      </label>
      {driver !== null && (
        <a class="button" href={withQuery({ driver: undefined, page: undefined })}>
          Driver {nameText(driver)} ✕
        </a>
      )}
      {tag !== null && (
        <a class="button" href={withQuery({ tag: undefined, page: undefined })}>
          Tag {tag} ✕
        </a>
      )}
      {["search", "circuit", "vehicle", "driver", "tag"].some((name) => query.has(name)) && (
        <a class="button" href="/sessions">
          Show all
        </a>
      )}
    </search>
  )
}
