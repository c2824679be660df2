/** The overlays, each live over a checkered ground that shows what is transparent, with its address to copy. */
import { useState } from "preact/hooks"
import { type Overlay, overlays } from "../overlays/catalog.ts"
import { CopyAddress } from "./overlays/CopyAddress.tsx"
import { addressOf } from "./overlays/look.ts"
import { LookForm } from "./overlays/LookForm.tsx"

/** What every overlay takes. */
const parameters = [
  ["session_id", "only this session; left out, whichever is driven"],
  ["rate", "updates a second, 30 if left out"],
  ["theme", "dark or light"],
  ["accent", "a colour: ff8800 or gold"],
  [
    "scale, font_size",
    "text and lines: 0.2 to 5 times; or text in pixels. What has no room is drawn smaller"
  ],
  ["plate", "how opaque the ground behind is, 0 to 1"],
  ["units", "mph, f (°F), or both: mph,f; left out, km/h and °C"],
  [
    "idle",
    "while nothing is driven: show (what is wrong; if left out), hide (nothing at all), keep (the last values)"
  ],
  [
    "against",
    "the id of the lap to drive against; left out, the session's best, or before it the best of the car here"
  ],
  ["versus", "of head to head: the other session; left out, any other that is connected"],
  ["cars", "of the map: all shows every connected car on the circuit"],
  ["circuit, vehicle, limit", "of the board: whose laps, and how many; limit also of the ticker"],
  ["items", "of a layout: name,x,y,width,height of each in percent, with ; between"],
  ["token", "that of the service, where it has one; whoever sees such an address may ask it"]
] as const

const Preview = ({ overlay, tall }: { overlay: Overlay; tall: boolean }) => {
  const [width, height] = tall ? overlay.tall : overlay.wide
  const address = addressOf(overlay.name)
  return (
    <section class="panel stack">
      <div class="panel-head">
        <h2>{overlay.title}</h2>
        <span class="muted small">
          drawn for {width} × {height}, any size will do
        </span>
      </div>
      <div class="checkered" style={{ "aspect-ratio": `${width} / ${height}` }}>
        <iframe src={address} title={`${overlay.title}, live`} loading="lazy" />
      </div>
      <CopyAddress address={address} of={overlay.title} />
    </section>
  )
}

export const OverlaysPage = () => {
  const [tall, setTall] = useState(false)
  return (
    <div class="stack">
      <div class="page-head">
        <h1>Overlays</h1>
        <span class="muted">
          In OBS: Sources, Add, Browser; paste the address and set the size. The ground is transparent.
        </span>
        <div class="actions form">
          <label class="field">
            Picture
            <select
              value={tall ? "9x16" : "16x9"}
              onChange={(event) => setTall(event.currentTarget.value === "9x16")}
            >
              <option value="16x9">16:9</option>
              <option value="9x16">9:16</option>
            </select>
          </label>
          <a class="button" href="/overlays/layout">
            Arrange several
          </a>
        </div>
      </div>
      <LookForm />
      <div class="previews">
        {overlays.map((overlay) => (
          <Preview key={overlay.name} overlay={overlay} tall={tall} />
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
