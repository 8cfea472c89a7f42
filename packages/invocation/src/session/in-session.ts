/** Session that an event or a call belongs to. */
export interface InSession {
  /** Undefined for the engine's own session. */
  readonly sessionId?: string | undefined
}
