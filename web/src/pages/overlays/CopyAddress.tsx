import { useRef, useState } from "preact/hooks"

/** The button's text after it copied an address. */
interface Copied {
  readonly address: string
  readonly text: string
}

/** Copies the address. A page from another machine without TLS may not use the clipboard; then the address is only selected. */
const copy = async (address: string, field: HTMLInputElement): Promise<Copied> => {
  field.select()
  try {
    await navigator.clipboard.writeText(address)
    return { address, text: "Copied" }
  } catch {
    return { address, text: "Press Ctrl+C" }
  }
}

/** An address with a button that copies it. */
export const CopyAddress = ({ address, of }: { address: string; of: string }) => {
  const [copied, setCopied] = useState<Copied>()
  const field = useRef<HTMLInputElement>(null)
  return (
    <div class="form copy">
      <input readOnly value={address} aria-label={`Address of ${of}`} ref={field} />
      <button type="button" onClick={() => void copy(address, field.current!).then(setCopied)}>
        {copied?.address === address ? copied.text : "Copy"}
      </button>
    </div>
  )
}
