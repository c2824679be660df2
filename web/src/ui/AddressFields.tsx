/** The address of a simulator, as the fields `host` and `port` of a form. */
import type { Ref } from "preact"

export const AddressFields = ({
  host,
  port,
  hostField,
  portField,
  onPort
}: {
  host: string
  port: number
  hostField?: Ref<HTMLInputElement>
  portField?: Ref<HTMLInputElement>
  /** Called with what is typed. */
  onPort?: (port: number) => void
}) => (
  <>
    <label class="field">
      Host
      <input name="host" required defaultValue={host} size={16} spellcheck={false} ref={hostField ?? null} />
    </label>
    <label class="field">
      Port
      <input
        name="port"
        type="number"
        required
        min={1}
        max={65535}
        defaultValue={String(port)}
        ref={portField ?? null}
        onInput={(event) => onPort?.(Number(event.currentTarget.value))}
      />
    </label>
  </>
)
