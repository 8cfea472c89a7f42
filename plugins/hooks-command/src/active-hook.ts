import type { DeclaredHook, HookOwner } from '@skills/invocation/internal'
import type { Matcher } from './matcher.js'

/** Whose hooks they are, and whether they hold from the start of the session. */
export interface SessionOwner extends HookOwner {
  readonly fromStart?: boolean | undefined
}

/** A hook that is in force. */
export interface ActiveHook extends DeclaredHook {
  /** The last that registered it: what it was read from is what has to be approved. */
  owner: SessionOwner
  readonly tools: Matcher
  /** Whether its skill must stay as it was approved. */
  readonly isBound: boolean
  /** Whether it is over: it was to succeed once and has, or its agent or session ended while another hook ran. */
  isDone: boolean
  /** Settles when it is not running: one that is to succeed once is never run twice at a time. */
  turn: Promise<unknown>
}
