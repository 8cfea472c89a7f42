import { defineKind, type Host, type MaybePromise, type PromptCommand } from '@skills/core'
import type { PermissionDecision, PermissionRequest, TrustLevel } from '@skills/rules'

declare module '@skills/core' {
  interface ProviderKinds {
    expander: Expander
  }
}

/** Context in which an expander searches a text for tokens. */
export interface LexContext {
  readonly command: PromptCommand
  /**
   * True if the position is in a fenced code block. False at the opening fence itself, since an expander may have
   * fences of its own.
   */
  readonly isFenced: boolean
  /** True if it is in a code span between backticks. */
  readonly isCode: boolean
  /** True if it is in the `inner` of a token of another expander. */
  readonly isNested?: boolean | undefined
}

/** Piece of text that an expander recognised. */
export interface Lexed {
  /** End of the token, exclusive. */
  readonly end: number
  /** Data that the expander gets back with the token. */
  readonly data?: unknown
  /** Part of the token in which other expanders look for tokens, such as the arguments of a script. */
  readonly inner?: { readonly start: number; readonly end: number } | undefined
}

/** Token of a body. Its value is not searched for further tokens. */
export interface Token {
  /** Id of the expander that recognised it. */
  readonly expander: string
  /** Offsets in the body, in UTF-16 code units; the end is exclusive. */
  readonly start: number
  readonly end: number
  /** Token as it is written. */
  readonly text: string
  readonly data: unknown
  /** Tokens within `inner`. */
  readonly children: readonly Token[]
  readonly inner?: { readonly start: number; readonly end: number } | undefined
}

/** Context of an expansion. Most of its fields come from the invocation. */
export interface ExpandContext {
  readonly command: PromptCommand
  /** Arguments exactly as they were given. */
  readonly args: string
  readonly trust: TrustLevel
  readonly host: Host
  /** Id of the session; undefined for the host's. */
  readonly sessionId?: string | undefined
  readonly effort?: string | number | undefined
  readonly signal: AbortSignal
  /** Asks for permission to run something. Never answers `ask`. */
  authorize(request: Pick<PermissionRequest, 'tool' | 'content' | 'values' | 'isFree'>): Promise<PermissionDecision>
  /** Returns the reason why an action is forbidden, such as a policy; undefined if it is not. */
  forbids(action: 'shell'): Promise<string | undefined>
  /** Reports progress to observers. An invocation emits `invocation:progress`. */
  progress(event: unknown): void
}

/** Context that a caller passes to start an expansion. */
export interface ExpandCall extends Omit<ExpandContext, 'signal'> {
  readonly signal?: AbortSignal | undefined
}

/** Context of evaluation. Every token of one expansion gets the same object. */
export interface EvaluateContext extends ExpandContext {
  /** Outermost tokens of the body, in order. Left out only if an expander is called directly. */
  readonly tokens?: readonly Token[] | undefined
  /** Returns the raw value of a nested token; undefined if it stays as it is written. */
  value(child: Token): Promise<string | undefined>
}

/** Text around a whole body. */
export interface Frame {
  readonly before?: string | undefined
  readonly after?: string | undefined
  /** True if `after` follows the unchanged body and two line breaks. False: it follows one blank line. */
  readonly isAsIs?: boolean | undefined
}

/** Recognises tokens in a body and replaces each by a text. See docs/reference/expansion.md, "Expansion". */
export interface Expander {
  /** First characters of its tokens. Only positions with one of them are passed to `lex`. */
  readonly claims: string
  lex(text: string, at: number, context: LexContext): Lexed | undefined
  /** Returns the text that replaces a token, which is not lexed again; undefined leaves the token as it is written. */
  evaluate(token: Token, context: EvaluateContext): MaybePromise<string | undefined>
  /** True if evaluating a token runs a command, so that a text with it needs permission. Default: no token does. */
  runs?(token: Token): boolean
  /**
   * Returns paragraphs to put before and after the whole body, such as arguments that no reference used.
   * @param tokens evaluated tokens in this order; of nested ones only those whose value was asked for
   */
  frame?(tokens: readonly Token[], context: ExpandContext): MaybePromise<Frame>
}

/** Expanders of a template. If one fails, the invocation rejects, so that unexpanded text never passes for expanded. */
export const expanderKind = defineKind('expander', { arity: 'many', limitMs: Infinity, onFailure: 'throw' })
