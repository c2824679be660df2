/** What to set in the game before a connect, and the address and port to type there. */
import { guideOf, stepsOf } from "../../guides/guides.ts"
import { useAnswer } from "../../ui/useAnswer.ts"

const LOCAL = "127.0.0.1"

const Addresses = ({ addresses }: { addresses: ReadonlyArray<string> }) => (
  <>
    <code>{LOCAL}</code> if the game runs on the service's machine
    {addresses.length > 0 && (
      <>
        , else{" "}
        {addresses.map((address, k) => (
          <>
            {k > 0 && " or "}
            <code>{address}</code>
          </>
        ))}
      </>
    )}
  </>
)

export const SetUp = ({
  simulator,
  port,
  addresses
}: {
  simulator: string
  port: number
  /** Of the service's machine. */
  addresses: ReadonlyArray<string>
}) => {
  const { sends, title } = guideOf(simulator)
  const steps = useAnswer(() => stepsOf(simulator), [simulator]).value
  if (simulator === "native") return null
  return (
    <section class="set-up small" aria-label={`Set up ${title}`}>
      {steps !== undefined && (
        <>
          <h3>In the game</h3>
          {/* Made from our own documents when the pages are built. */}
          <div dangerouslySetInnerHTML={{ __html: steps }} />
        </>
      )}
      {sends ? (
        <p>
          Address to send to: <Addresses addresses={addresses} />. Port: <code>{port}</code>.
        </p>
      ) : (
        <p>
          The host is the machine that runs the game: <code>{LOCAL}</code> if it is the service's.
        </p>
      )}
    </section>
  )
}
