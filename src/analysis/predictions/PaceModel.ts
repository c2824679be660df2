/**
 * How lap times go on, from what is known of the laps besides their times: fuel burnt, age and compound of the tyres,
 * stops and drivers. A state space with priors from races, updated lap by lap (Kalman 1960; West & Harrison, Bayesian
 * Forecasting and Dynamic Models, 2nd ed. 1997).
 *
 * The logarithm of a lap time is the car's level, an effect for each lap of fuel burnt, one for each lap of tyre age by
 * compound, those of the compound, the driver and the first lap of a stint, and a form that fades over some laps. Each
 * fact has a default: the compound is medium, age counts from the last stop, fuel from the first lap or, if cars
 * refuel, from the last stop.
 *
 * Priors hold the slopes: a slope fitted to one stint alone gives the worst forecasts far ahead. Where it is unknown
 * whether cars refuel, both priors run, each with the weight that its forecasts have earned.
 *
 * Over 250 lines: the facts of a lap, the priors and the state are one model, and a third of it are constants.
 */
import type { OutlierLikelihood } from "./LapTimeModel.ts"

const compounds = ["soft", "medium", "hard"] as const

export type Compound = (typeof compounds)[number]

/** What may be known of a lap besides its time. */
export interface LapFacts {
  readonly compound?: Compound
  /** Laps that the set of tyres has run before this lap. */
  readonly tyreAge?: number
  /** The fuel at the middle of the lap, in laps of consumption. */
  readonly fuel?: number
  /** Number of the driver in the car, from 0. */
  readonly driver?: number
  /** False of an in-lap, an out-lap and a lap behind a safety car, which do not show the pace. */
  readonly running?: boolean
}

/** What may be known of a car. */
export interface CarFacts {
  /** Whether it refuels at stops. */
  readonly refuels?: boolean
  /** The number of its drivers, where each lap's driver is known. */
  readonly drivers?: number
}

/** Where a lap lies after the last one observed. */
export interface LapStep {
  /** 1 if it follows directly. */
  readonly laps: number
  /** Its place in the stint, from 1, if the car has stopped in between. */
  readonly placeInStint?: number
}

export interface PaceForecast {
  /** The median, s. */
  readonly time: number
  /** The standard deviation of the logarithm of the time. */
  readonly deviation: number
}

type Normal = readonly [mean: number, deviation: number]

/** The effects before any lap of the car, as shares of the lap time. */
export interface Prior {
  readonly refuels: boolean
  readonly fuel: Normal
  /** By compound: soft, medium, hard. */
  readonly age: readonly [Normal, Normal, Normal]
  readonly soft: Normal
  readonly hard: Normal
  readonly fresh: Normal
}

/**
 * Fitted to 62 Formula 1 races of 2018, 2019 and 2021. `fuel` includes the track's getting faster: the two cannot be
 * told apart unless the fuel is known.
 */
export const NO_REFUELLING: Prior = {
  refuels: false,
  fuel: [-0.00067, 0.00014],
  age: [
    [0.00034, 0.00021],
    [0.00026, 0.00019],
    [0.00036, 0.00018]
  ],
  soft: [0.0004, 0.0048],
  hard: [-0.0025, 0.0057],
  fresh: [-0.0017, 0.004]
}

const ANY_AGE: Normal = [0.0002, 0.00025]

/** Weaker effects: on endurance races, whose cars refuel at stops, those of Formula 1 are worse than none. */
export const REFUELLING: Prior = {
  refuels: true,
  fuel: [-0.0002, 0.00007],
  age: [ANY_AGE, ANY_AGE, ANY_AGE],
  soft: [0, 0.0048],
  hard: [0, 0.0057],
  fresh: [0, 0.004]
}

// Chosen on the same 62 races, as shares of the lap time. Each halved or doubled changes the error of the next lap by at
// most 4 %, of ten laps ahead by 1.3 %, over a stop by 7 %.
/** Standard deviations of the level's step from lap to lap, and of its further step at a stop. */
const STEP = 0.0015
const STOP_STEP = 0.002
/** The share of the form that remains for the next lap, and its standard deviation. */
const FORM_KEPT = 0.7
const FORM = 0.0045
/** A lap's scatter before any lap, which counts as SCATTER_LAPS laps. */
const SCATTER = 0.0035
const SCATTER_LAPS = 8
/** The share that earlier laps keep in the scatter, and in the weights of the priors. */
const MEMORY = 0.97
/** A lap further out than this many deviations is taken for as noisy as that. */
const OUTLYING = 2.5
/** The most that one lap's square, in variances, counts in the scatter and in the weights. */
const MOST_SURPRISE = 9
/** A driver's level against the car's. 0.004 and 0.012 are as good within 2 %. */
const DRIVER = 0.008
/** The level before the first lap: any within 107 % is likely. */
const ANY_LEVEL = 0.03
/** How far a jump takes the level. */
const JUMP = 0.015

// The places of the effects in the state.
const LEVEL = 0
const FUEL = 1
const AGE = 2
const SOFT = 5
const HARD = 6
const FRESH = 7
const FORM_AT = 8
const DRIVER_AT = 9
/** Further drivers have the car's level. */
const MAX_DRIVERS = 5

const ORDINARY: OutlierLikelihood = { outlier: 0, jump: 0 }

/** The model with one of the priors. */
class PaceFilter {
  /** The logarithm of the weight that the forecasts have earned. */
  merit = 0
  private readonly prior: Prior
  private readonly size: number
  /** The effects, and by rows their covariance. */
  private readonly mean: Float64Array
  private readonly covariance: Float64Array
  /** How often each effect is in a lap, and its covariance with that lap. */
  private readonly row: Float64Array
  private readonly shared: Float64Array
  private scatterSum = SCATTER_LAPS * SCATTER ** 2
  private scatterLaps = SCATTER_LAPS
  private sinceFirst = 0
  private sinceStop = 0

  constructor(prior: Prior, drivers: number) {
    this.prior = prior
    this.size = DRIVER_AT + drivers
    this.mean = new Float64Array(this.size)
    this.covariance = new Float64Array(this.size ** 2)
    this.row = new Float64Array(this.size)
    this.shared = new Float64Array(this.size)
    this.begin(LEVEL, [0, ANY_LEVEL])
    this.begin(FUEL, prior.fuel)
    prior.age.forEach((age, at) => this.begin(AGE + at, age))
    this.begin(SOFT, prior.soft)
    this.begin(HARD, prior.hard)
    this.begin(FRESH, prior.fresh)
    this.begin(FORM_AT, [0, FORM])
    for (let driver = 0; driver < drivers; driver++) this.begin(DRIVER_AT + driver, [0, DRIVER])
  }

  copy(): PaceFilter {
    const copy = new PaceFilter(this.prior, this.size - DRIVER_AT)
    copy.mean.set(this.mean)
    copy.covariance.set(this.covariance)
    copy.scatterSum = this.scatterSum
    copy.scatterLaps = this.scatterLaps
    copy.sinceFirst = this.sinceFirst
    copy.sinceStop = this.sinceStop
    copy.merit = this.merit
    return copy
  }

  private begin(at: number, [mean, deviation]: Normal): void {
    this.mean[at] = mean
    this.covariance[at * this.size + at] = deviation ** 2
  }

  private place({ laps, placeInStint }: LapStep): number {
    return placeInStint ?? this.sinceStop + laps
  }

  /** Sets `row` for a lap with the share `form` of today's form; returns the lap's expected logarithm. */
  private expect(
    step: LapStep,
    { compound = "medium", driver, fuel, tyreAge }: LapFacts,
    form: number
  ): number {
    const { mean, row, size } = this
    const place = this.place(step)
    const burnt = this.prior.refuels ? place : this.sinceFirst + step.laps
    row.fill(0)
    row[LEVEL] = 1
    row[FUEL] = fuel === undefined ? burnt : -fuel
    row[AGE + compounds.indexOf(compound)] = tyreAge ?? place
    if (compound === "soft") row[SOFT] = 1
    if (compound === "hard") row[HARD] = 1
    if (step.placeInStint === 1) row[FRESH] = 1
    row[FORM_AT] = form
    if (driver !== undefined && DRIVER_AT + driver < size) row[DRIVER_AT + driver] = 1
    let sum = 0
    for (let i = 0; i < size; i++) sum += row[i]! * mean[i]!
    return sum
  }

  /** Sets `shared` for the lap of `row`; returns the variance that the effects give it. */
  private spread(): number {
    const { covariance, row, shared, size } = this
    let variance = 0
    for (let i = 0; i < size; i++) {
      let sum = 0
      for (let j = 0; j < size; j++) sum += covariance[i * size + j]! * row[j]!
      shared[i] = sum
      variance += row[i]! * sum
    }
    return variance
  }

  private get scatter(): number {
    return this.scatterSum / this.scatterLaps
  }

  /** Mean and variance of the logarithm of a lap, into `into`. */
  forecast(step: LapStep, facts: LapFacts, into: Float64Array): void {
    const kept = FORM_KEPT ** step.laps
    into[0] = this.expect(step, facts, kept)
    const effects = this.spread() + levelVariance(step) + FORM ** 2 * (1 - kept ** 2)
    // A car whose laps scatter more than usual moves more from lap to lap, too.
    into[1] = effects * (Math.sqrt(this.scatter) / SCATTER) + this.scatter
  }

  /** Goes on by `step` to the lap whose time has the logarithm `log`. */
  observe(log: number, step: LapStep, facts: LapFacts, { jump, outlier }: OutlierLikelihood): void {
    const { covariance, mean, shared, size } = this
    const expected = this.expect(step, facts, 1)
    const kept = FORM_KEPT ** step.laps
    const faded = expected - (1 - kept) * mean[FORM_AT]!
    mean[FORM_AT]! *= kept
    for (let i = 0; i < size; i++) {
      covariance[FORM_AT * size + i]! *= kept
      covariance[i * size + FORM_AT]! *= kept
    }
    covariance[FORM_AT * size + FORM_AT]! += FORM ** 2 * (1 - kept ** 2)
    covariance[LEVEL]! += levelVariance(step) + jump * JUMP ** 2
    this.sinceStop = this.place(step)
    this.sinceFirst += step.laps
    if (facts.running === false || outlier === 1) return

    const rest = log - faded
    const variance = this.spread() + this.scatter
    const surprise = Math.min(rest ** 2 / variance, MOST_SURPRISE)
    this.merit = MEMORY * this.merit - ((1 - outlier) * (surprise + Math.log(variance))) / 2
    // What is likelier an outlier shows less of the level.
    const trust = (1 - outlier) / Math.max(variance, (rest / OUTLYING) ** 2)
    for (let i = 0; i < size; i++) {
      const gain = trust * shared[i]!
      mean[i]! += gain * rest
      for (let j = 0; j < size; j++) covariance[i * size + j]! -= gain * shared[j]!
    }
    this.scatterSum = MEMORY * this.scatterSum + (1 - outlier) * surprise * this.scatter
    this.scatterLaps = MEMORY * this.scatterLaps + 1 - outlier
  }
}

/** How much less sure the level gets on the way to a lap. */
const levelVariance = ({ laps, placeInStint }: LapStep): number =>
  laps * STEP ** 2 + (placeInStint === undefined ? 0 : STOP_STEP ** 2)

export class PaceModel {
  private readonly filters: ReadonlyArray<PaceFilter>
  /** Logarithms are relative to that of the first lap's time. */
  private readonly zero: number
  private readonly found = new Float64Array(2)

  private constructor(zero: number, filters: ReadonlyArray<PaceFilter>) {
    this.zero = zero
    this.filters = filters
  }

  /** Starts before the first lap, whose time is about `time`, s. */
  static before(
    time: number,
    { drivers = 1, refuels }: CarFacts = {},
    all: ReadonlyArray<Prior> = [NO_REFUELLING, REFUELLING]
  ): PaceModel {
    // The level of an only driver is the car's.
    const levels = drivers < 2 ? 0 : Math.min(drivers, MAX_DRIVERS)
    const priors = all.filter((prior) => refuels === undefined || prior.refuels === refuels)
    return new PaceModel(
      Math.log(time),
      priors.map((prior) => new PaceFilter(prior, levels))
    )
  }

  copy(): PaceModel {
    return new PaceModel(
      this.zero,
      this.filters.map((filter) => filter.copy())
    )
  }

  /** Learns a lap from its time, s, as far as it is not `judged` an outlier. If it is judged a jump, the level starts anew. */
  observe(time: number, step: LapStep, facts: LapFacts = {}, judged: OutlierLikelihood = ORDINARY): void {
    const log = Math.log(time) - this.zero
    for (const filter of this.filters) filter.observe(log, step, facts, judged)
  }

  /** The time of the lap `step` after the last one observed, if it is a running lap. */
  forecast(step: LapStep, facts: LapFacts = {}): PaceForecast {
    const most = Math.max(...this.filters.map(({ merit }) => merit))
    let weights = 0
    let mean = 0
    let square = 0
    for (const filter of this.filters) {
      filter.forecast(step, facts, this.found)
      const weight = Math.exp(filter.merit - most)
      weights += weight
      mean += weight * this.found[0]!
      square += weight * (this.found[1]! + this.found[0]! ** 2)
    }
    mean /= weights
    return {
      time: Math.exp(this.zero + mean),
      deviation: Math.sqrt(Math.max(0, square / weights - mean ** 2))
    }
  }
}
