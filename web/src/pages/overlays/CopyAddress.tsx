import { useRef, useState } from "preact/hooks"

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

/** An address to take elsewhere. */
export const CopyAddress = ({ address, of }: { address: string; of: string }) => {
  const [said, setSaid] = useState<Said>()
  const field = useRef<HTMLInputElement>(null)
  return (
    <div class="form copy">
      <input readOnly value={address} aria-label={`Address of ${of}`} ref={field} />
      <button type="button" onClick={() => void copy(address, field.current!).then(setSaid)}>
        {said?.address === address ? said.text : "Copy"}
      </button>
    </div>
  )
}
