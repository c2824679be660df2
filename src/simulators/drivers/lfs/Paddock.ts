/** The players in the race, and which of them is ours. */
import { carName } from "./cars.ts"
import { heard, PlayerKind } from "./insim.ts"

export interface Entrant {
  readonly plid: number
  /** "" where no packet reported it. */
  readonly driver: string
  readonly vehicle: string
}

interface Listed extends Entrant {
  readonly connection: number
  readonly isComputer: boolean
  /** Whether a human at this machine drives it: neither a computer nor a player at another machine. */
  readonly local: boolean
}

/**
 * Our player is the human at the machine that InSim runs on; where there is none, as for a spectator, the player whose car
 * is viewed (sheet, section 7).
 */
export class Paddock {
  readonly #players = new Map<number, Listed>()
  /** The names of the connections' players. */
  readonly #names = new Map<number, string>()
  #viewed = 0

  ours(): Entrant | undefined {
    for (const player of this.#players.values()) if (player.local) return player
    if (this.#viewed === 0) return undefined
    return this.#players.get(this.#viewed) ?? { plid: this.#viewed, driver: "", vehicle: "" }
  }

  /** Takes an NPL packet. */
  join(bytes: Buffer): void {
    const { read, readText } = heard.NPL
    const plid = read.PLID(bytes)
    const kind = read.PType(bytes)
    const isComputer = (kind & PlayerKind.ai) !== 0
    this.#players.set(plid, {
      plid,
      driver: readText.PName(bytes),
      vehicle: carName(readText.CName(bytes)),
      connection: read.UCID(bytes),
      isComputer,
      local: !isComputer && (kind & PlayerKind.remote) === 0
    })
  }

  /** Takes an NCN packet. */
  connect(bytes: Buffer): void {
    const { read, readText } = heard.NCN
    this.#names.set(read.UCID(bytes), readText.PName(bytes))
  }

  /** Takes a TOC packet: another player drives the car from now on. */
  takeOver(bytes: Buffer): void {
    const { NewUCID, PLID } = heard.TOC.read
    const player = this.#players.get(PLID(bytes))
    if (player === undefined) return
    const connection = NewUCID(bytes)
    const driver = this.#names.get(connection) ?? ""
    this.#players.set(player.plid, { ...player, driver, connection })
  }

  /** Takes a CPR packet: the player of this connection has another name. */
  rename(bytes: Buffer): void {
    const { read, readText } = heard.CPR
    const driver = readText.PName(bytes)
    this.#names.set(read.UCID(bytes), driver)
    for (const [plid, player] of this.#players) {
      const isMeant = !player.isComputer && player.connection === read.UCID(bytes)
      if (isMeant && driver !== "") this.#players.set(plid, { ...player, driver })
    }
  }

  leave(plid: number): void {
    this.#players.delete(plid)
    // The viewed player has left: the view is unknown until the next packet reports it.
    if (this.#viewed === plid) this.#viewed = 0
  }

  clear(): void {
    this.#players.clear()
    this.#viewed = 0
  }

  /** 0 for no player. */
  view(plid: number): void {
    this.#viewed = plid
  }
}
