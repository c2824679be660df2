/** The overlays, each live over a checkered ground that shows what is transparent, with its address to copy. */
import { useState } from "preact/hooks"
import { api } from "../api.ts"
import { withToken } from "../token.ts"
import { useAnswer } from "../ui/useAnswer.ts"

interface Overlay {
  readonly name: string
  readonly title: string
  readonly width: number
  readonly height: number
}

const overlays: ReadonlyArray<Overlay> = [
  { name: "gauges", title: "Gauges and pedals", width: 480, height: 240 },
  { name: "pedals", title: "Pedal trace", width: 480, height: 140 },
  { name: "map", title: "Track map", width: 400, height: 320 },
  { name: "timer", title: "Lap timer with delta", width: 460, height: 180 },
  { name: "sectors", title: "Sector times", width: 560, height: 120 },
  { name: "board", title: "Best-laps board", width: 420, height: 340 }
]

/** What every overlay takes. */
const parameters = [
  ["session_id", "only this session; left out, whichever is driven"],
  ["rate", "updates a second, 30 if left out"],
  ["accent", "a colour: ff8800 or gold"],
  ["scale, font_size", "text: 0.2 to 5 times, or pixels"],
  ["plate", "how opaque the ground behind is, 0 to 1"],
  ["units", "kmh or mph"],
  ["circuit, vehicle, limit", "of the board: whose laps, and how many"],
  ["token", "that of the service, where it has one; whoever sees such an address may ask it"]
] as const

interface Look {
  readonly session: string
  readonly rate: string
  readonly accent: string
  readonly units: string
  readonly plate: string
}

const usual: Look = { session: "", rate: "", accent: "", units: "", plate: "" }

const addressOf = (name: string, look: Look): string => {
  const query = new URLSearchParams()
  const put = (key: string, value: string) => value !== "" && query.set(key, value)
  put("session_id", look.session)
  put("rate", look.rate)
  put("accent", look.accent.replace("#", ""))
  put("units", look.units)
  put("plate", look.plate)
  const text = query.toString()
  return withToken(`${location.origin}/overlay/${name}${text === "" ? "" : `?${text}`}`)
}

/** What the button said of an address that it was to copy. */
interface Said {
  readonly address: string
  readonly text: string
}

/** Where the clipboard may not be used (a page that is not of this machine and not encrypted), the address is chosen. */
const copy = async (address: string, field: HTMLInputElement): Promise<Said> => {
  field.select()
  try {
    await navigator.clipboard.writeText(address)
    return { address, text: "Copied" }
  } catch {
    return { address, text: "Press Ctrl+C" }
  }
}

const Preview = ({ overlay, look }: { overlay: Overlay; look: Look }) => {
  const address = addressOf(overlay.name, look)
  const [said, setSaid] = useState<Said>()
  const field = { current: undefined as HTMLInputElement | undefined }
  return (
    <section class="panel stack">
      <div class="panel-head">
        <h2>{overlay.title}</h2>
        <span class="muted small">
          drawn for {overlay.width} × {overlay.height}, any size will do
        </span>
      </div>
      <div class="checkered" style={{ "aspect-ratio": `${overlay.width} / ${overlay.height}` }}>
        <iframe src={address} title={`${overlay.title}, live`} loading="lazy" />
      </div>
      <div class="form copy">
        <input
          readOnly
          value={address}
          aria-label={`Address of ${overlay.title}`}
          ref={(element) => {
            field.current = element ?? undefined
          }}
        />
        <button type="button" onClick={() => void copy(address, field.current!).then(setSaid)}>
          {said?.address === address ? said.text : "Copy"}
        </button>
      </div>
    </section>
  )
}

export const OverlaysPage = () => {
  const [look, setLook] = useState(usual)
  const status = useAnswer(api.status, [])
  const sessions = (status.value?.connections ?? []).flatMap(({ session_id }) => session_id ?? [])
  const change = (key: keyof Look) => (event: { readonly currentTarget: { readonly value: string } }) =>
    setLook({ ...look, [key]: event.currentTarget.value })
  return (
    <div class="stack">
      <div class="page-head">
        <h1>Overlays</h1>
        <span class="muted">
          In OBS: Sources, Add, Browser; paste the address and set the size. The ground is transparent.
        </span>
      </div>
      <section class="panel form" aria-label="How they look">
        <label class="field">
          Session
          <select value={look.session} onChange={change("session")}>
            <option value="">whichever is driven</option>
            {sessions.map((id) => (
              <option key={id} value={String(id)}>
                {id}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          Updates a second
          <input
            type="number"
            min={1}
            max={240}
            placeholder="30"
            value={look.rate}
            onChange={change("rate")}
          />
        </label>
        <label class="field">
          Accent
          <input
            type="color"
            value={look.accent === "" ? "#56b4e9" : look.accent}
            onChange={change("accent")}
          />
        </label>
        <label class="field">
          Units
          <select value={look.units} onChange={change("units")}>
            <option value="">km/h</option>
            <option value="mph">mph</option>
          </select>
        </label>
        <label class="field">
          Ground
          <select value={look.plate} onChange={change("plate")}>
            <option value="">dark glass</option>
            <option value="0">none</option>
            <option value="1">opaque</option>
          </select>
        </label>
      </section>
      <div class="previews">
        {overlays.map((overlay) => (
          <Preview key={overlay.name} overlay={overlay} look={look} />
        ))}
      </div>
      <section class="panel">
        <h2>What an address takes</h2>
        <table>
          <tbody>
            {parameters.map(([name, what]) => (
              <tr key={name}>
                <td>
                  <code>{name}</code>
                </td>
                <td>{what}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  )
}
