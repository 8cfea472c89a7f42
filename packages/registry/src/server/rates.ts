/** Most clients whose requests are counted; of more, the one that was quiet for longest is forgotten. */
const mostClients = 10_000
/** Seconds of requests that a client may send at once. */
const burst = 5

/** Limits how much each client asks for: a budget that fills with time, of which each request takes its cost. */
export class Rates {
  readonly #clients = new Map<string, { left: number; since: number }>()

  /**
   * @param perSecond cost of the requests that a client may send in a second on average
   * @param now returns milliseconds
   */
  constructor(
    private readonly perSecond: number,
    private readonly now: () => number,
  ) {}

  /** Counts a request. Returns the seconds after which it may be sent again; undefined if it is taken. */
  take(client: string, cost: number): number | undefined {
    const now = this.now()
    const most = this.perSecond * burst
    const { left, since } = this.#clients.get(client) ?? { left: most, since: now }
    const full = Math.min(most, left + (Math.max(0, now - since) / 1000) * this.perSecond)
    const isTaken = full >= Math.min(cost, most)
    this.#clients.delete(client)
    this.#clients.set(client, { left: isTaken ? full - cost : full, since: now })
    const [quietest] = this.#clients.keys()
    if (this.#clients.size > mostClients && quietest !== undefined) this.#clients.delete(quietest)
    return isTaken ? undefined : Math.ceil((Math.min(cost, most) - full) / this.perSecond)
  }
}
