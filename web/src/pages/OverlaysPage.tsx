/** The overlays, each live over a checkered background that shows transparency, with its address to copy. */
import { useState } from "preact/hooks"
import { type Overlay, overlays } from "../overlays/catalog.ts"
import { CopyAddress } from "./overlays/CopyAddress.tsx"
import { addressOf } from "./overlays/look.ts"
import { LookForm } from "./overlays/LookForm.tsx"

/** Parameters of the overlays' addresses. */
const parameters = [
  ["session_id", "only this session; by default the current one"],
  ["rate", "updates per second; by default 30"],
  ["theme", "dark or light"],
  ["accent", "a colour: ff8800 or gold"],
  [
    "scale, font_size",
    "size of text and lines: a factor of 0.2 to 5, or the height of text in pixels. Text without room is drawn smaller"
  ],
  ["plate", "opacity of the background, 0 to 1"],
  ["units", "mph, f (°F), or both: mph,f; by default km/h and °C"],
  ["idle", "without telemetry: show (the reason; the default), hide (everything) or keep (the last values)"],
  [
    "against",
    "the id of the reference lap; by default the session's best lap, or the car's best on this circuit until there is one"
  ],
  ["versus", "head to head: the other session; by default any other that is connected"],
  ["cars", "map: all shows every connected car on the circuit"],
  [
    "circuit, vehicle, limit",
    "board: circuit and vehicle of the laps, and their number; limit also for the ticker"
  ],
  ["items", "layout: name,x,y,width,height of each overlay in percent, separated by ;"],
  ["token", "the service's access token, if it has one; anyone who sees the address can use the service"]
] as const

const Preview = ({ overlay, tall }: { overlay: Overlay; tall: boolean }) => {
  const [width, height] = tall ? overlay.tall : overlay.wide
  const address = addressOf(overlay.name)
  return (
    <section class="panel stack">
      <div class="panel-head">
        <h2>{overlay.title}</h2>
        <span class="muted small">
          designed for {width} × {height}; any size works
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
          In OBS: Sources, Add, Browser; paste the address and set the size. The background is transparent.
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
        <h2>Parameters of an address</h2>
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
