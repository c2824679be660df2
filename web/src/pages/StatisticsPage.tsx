/** Drivers, circuits and the best laps. The address has the choice. */
import { api } from "../api.ts"
import { count, dateTime, delta, fixed, lapTime } from "../format.ts"
import { isReported, nameText } from "../names.ts"
import { place, withQuery } from "../router.ts"
import { zoneName } from "../settings.ts"
import type { BestLap, CircuitStatistics, DriverStatistics } from "../types.ts"
import { Notice, Show } from "../ui/Notice.tsx"
import { NameChoice } from "../ui/NameChoice.tsx"
import { useTitle } from "../ui/title.ts"
import { useAnswer } from "../ui/useAnswer.ts"
import { later } from "../ui/later.tsx"
import { DriverOnCircuits } from "./statistics/DriverOnCircuits.tsx"

const Progress = later(async () => (await import("./statistics/Progress.tsx")).Progress)

const SHOWN = 25
const SHOWN_OF_EACH = 5
const NONE: ReadonlyArray<never> = []

const Facts = ({ facts }: { facts: ReadonlyArray<readonly [string, string]> }) => (
  <dl class="facts">
    {facts.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)

const Driver = ({ driver }: { driver: DriverStatistics }) => (
  <section class="panel">
    <div class="panel-head">
      <h2>Driver {nameText(driver.driver_name)}</h2>
      <a href={`/sessions?driver=${encodeURIComponent(driver.driver_name)}`}>Sessions</a>
    </div>
    <Facts
      facts={[
        ["Sessions", count(driver.total_sessions)],
        ["Laps", count(driver.total_laps)],
        ["Distance", `${fixed(driver.total_distance, 1)} km`],
        ["Circuits", count(driver.circuits.length)]
      ]}
    />
    {driver.circuits.length > 0 && <DriverOnCircuits driver={driver} />}
  </section>
)

const Names = ({ label, names, link }: { label: string; names: ReadonlyArray<string>; link?: boolean }) => (
  <p class="small">
    <span class="muted">{label}: </span>
    {names.map((name, k) => (
      <span key={name}>
        {k > 0 && ", "}
        {link === true ? <a href={withQuery({ driver: name })}>{nameText(name)}</a> : nameText(name)}
      </span>
    ))}
  </p>
)

const Circuit = ({ circuit }: { circuit: CircuitStatistics }) => (
  <section class="panel stack">
    <div class="panel-head">
      <h2>Circuit {nameText(circuit.circuit_name)}</h2>
      <a href={`/sessions?circuit=${encodeURIComponent(circuit.circuit_name)}`}>Sessions</a>
    </div>
    <Facts
      facts={[
        ["Sessions", count(circuit.total_sessions)],
        ["Laps", count(circuit.total_laps)],
        ["Best lap", lapTime(circuit.best_lap_time)],
        ["Best sectors together", lapTime(circuit.theoretical_best)],
        ["Average lap", lapTime(circuit.avg_lap_time)]
      ]}
    />
    <Names label="Drivers" names={circuit.drivers} link />
    <Names label="Vehicles" names={circuit.vehicles} />
  </section>
)

const Row = ({ lap, best }: { lap: BestLap; best: BestLap }) => (
  <tr>
    <td class="num">{lap.rank}</td>
    <td class={`num${lap.rank === 1 ? " best" : ""}`}>
      <a href={`/compare?laps=${lap.id}`} title="Compare it with another lap of this circuit">
        {lapTime(lap.lap_time)}
      </a>
    </td>
    <td class="num loss">{lap.rank === 1 ? "" : delta(lap.lap_time! - best.lap_time!)}</td>
    <td class="name">
      <a href={withQuery({ driver: lap.driver })}>{nameText(lap.driver)}</a>
    </td>
    <td class="name">{nameText(lap.vehicle)}</td>
    <td>
      <a class="date" href={`/sessions/${lap.session_id}`}>
        {dateTime(lap.datetime)}
      </a>
      , lap {lap.lap_number}
    </td>
    <td class="num">
      {lap.id !== best.id && (
        <a href={`/compare?laps=${best.id},${lap.id}`} aria-label={`vs best: rank ${lap.rank}`}>
          vs best
        </a>
      )}
    </td>
  </tr>
)

/** `circuit`: the heading, if there are several rankings. */
const BestLaps = ({ laps, circuit }: { laps: ReadonlyArray<BestLap>; circuit?: string }) => (
  <section class="panel">
    <div class="panel-head">
      <h2>
        Best laps
        {circuit !== undefined &&
          (isReported(circuit) ? ` at ${nameText(circuit)}` : ", circuit not reported")}
      </h2>
      {circuit !== undefined && <a href={withQuery({ circuit })}>All laps of this circuit</a>}
    </div>
    <div class="scroll">
      <table class="folding">
        <thead>
          <tr>
            <th class="num">Rank</th>
            <th class="num">Time</th>
            <th class="num">Gap</th>
            <th>Driver</th>
            <th>Vehicle</th>
            <th>Session ({zoneName.value})</th>
            <th />
          </tr>
        </thead>
        <tbody>
          {laps.map((lap) => (
            <Row key={lap.id} lap={lap} best={laps[0]!} />
          ))}
        </tbody>
      </table>
    </div>
  </section>
)

/** Without a circuit: a ranking for each, because lap times of different circuits cannot be compared. */
const bestOfEach = async (
  circuits: ReadonlyArray<string>,
  only: Readonly<Record<"vehicle" | "driver" | "tag", string | undefined>>
): Promise<ReadonlyArray<readonly [circuit: string, laps: ReadonlyArray<BestLap>]>> => {
  const rankings = await Promise.all(
    circuits.map(
      async (circuit) => [circuit, await api.bestLaps({ circuit, ...only, limit: SHOWN_OF_EACH })] as const
    )
  )
  return rankings.filter(([, laps]) => laps.length > 0)
}

const NoLaps = ({ filtered }: { filtered: boolean }) =>
  filtered ? (
    <Notice title="No valid lap has these names.">
      <a class="button" href="/statistics">
        Show all laps
      </a>
    </Notice>
  ) : (
    <Notice title="No valid lap yet.">
      <span>
        Connect a simulator on the <a href="/">Live page</a>, or run <code>npm run demo</code>.
      </span>
    </Notice>
  )

export const StatisticsPage = () => {
  const { query } = place.value
  const circuit = query.get("circuit") ?? undefined
  const vehicle = query.get("vehicle") ?? undefined
  const driver = query.get("driver") ?? undefined
  const tag = query.get("tag") ?? undefined
  const name = circuit ?? driver
  const circuits = useAnswer(api.circuits, [])
  const vehicles = useAnswer(api.vehicles, [])
  const ofCircuit = useAnswer(
    async () => (circuit === undefined ? null : await api.circuit(circuit)),
    [circuit]
  )
  const ofDriver = useAnswer(
    async () => (driver === undefined ? null : await api.driver({ name: driver, vehicle })),
    [driver, vehicle]
  )
  useTitle(name === undefined ? undefined : nameText(name))
  const rankings = useAnswer(
    async () =>
      circuit === undefined
        ? await bestOfEach(await api.circuits(), { vehicle, driver, tag })
        : ([[circuit, await api.bestLaps({ circuit, vehicle, driver, tag, limit: SHOWN })]] as const),
    [circuit, vehicle, driver, tag]
  )
  const filtered = [circuit, vehicle, driver, tag].some((one) => one !== undefined)
  return (
    <div class="stack">
      <h1>Statistics</h1>
      <search class="panel form">
        <NameChoice name="circuit" label="Circuit" values={circuits.value ?? NONE} />
        <NameChoice name="vehicle" label="Vehicle" values={vehicles.value ?? NONE} />
        {driver !== undefined && (
          <a class="button" href={withQuery({ driver: undefined })}>
            Driver {nameText(driver)} ✕
          </a>
        )}
        {tag !== undefined && (
          <a class="button" href={withQuery({ tag: undefined })}>
            Tag {tag} ✕
          </a>
        )}
      </search>
      {driver !== undefined && <Show answer={ofDriver}>{(value) => value && <Driver driver={value} />}</Show>}
      {circuit !== undefined && (
        <Show answer={ofCircuit}>{(value) => value && <Circuit circuit={value} />}</Show>
      )}
      {circuit !== undefined && <Progress circuit={circuit} vehicle={vehicle} driver={driver} tag={tag} />}
      <Show answer={rankings}>
        {(value) =>
          value.every(([, laps]) => laps.length === 0) ? (
            <NoLaps filtered={filtered} />
          ) : (
            <div class="stack">
              {value.map(([name, laps]) => (
                <BestLaps key={name} laps={laps} {...(circuit === undefined ? { circuit: name } : {})} />
              ))}
            </div>
          )
        }
      </Show>
    </div>
  )
}
