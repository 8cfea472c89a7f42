/** Which session something happens in. */
export interface InSession {
  /** Undefined for the engine's own. */
  readonly sessionId?: string | undefined
}
