import type { DeclaredHook, HookOwner } from '@skills/invocation/internal'
import type { Matcher } from './matcher.js'

/** Owner of hooks. `fromStart`: they act from the start of the session. */
export interface SessionOwner extends HookOwner {
  readonly fromStart?: boolean | undefined
}

/** Hook that is in force. */
export interface ActiveHook extends DeclaredHook {
  /** Last owner that registered it. Its source is what has to be approved. */
  owner: SessionOwner
  readonly tools: Matcher
  /** True if its skill must stay as it was approved. */
  readonly isBound: boolean
  /** True if it is over: a `once` hook that succeeded, or one whose agent or session ended while another hook ran. */
  isDone: boolean
  /** Settles when it is not running. A `once` hook never runs twice at a time. */
  turn: Promise<unknown>
}
