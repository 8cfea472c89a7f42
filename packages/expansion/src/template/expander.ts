import { defineKind, type Host, type MaybePromise, type PromptCommand } from '@skills/core'
import type { PermissionDecision, PermissionRequest, TrustLevel } from '@skills/rules'

declare module '@skills/core' {
  interface ProviderKinds {
    expander: Expander
  }
}

/** What lexing may look at besides the text. */
export interface LexContext {
  readonly command: PromptCommand
  /**
   * Whether the position lies in a fenced code block. Not where the fence begins that opens it: an expander may have
   * fences of its own.
   */
  readonly isFenced: boolean
  /** Whether it lies in a span between backticks. */
  readonly isCode: boolean
  /** Whether it lies in the `inner` of a token of another expander. */
  readonly isNested?: boolean | undefined
}

/** A piece of text that an expander recognised. */
export interface Lexed {
  /** Where the token ends, exclusive. */
  readonly end: number
  /** Data that the expander gets back with the token. */
  readonly data?: unknown
  /** A part of the token that is lexed for tokens of others, as a script is for arguments. */
  readonly inner?: { readonly start: number; readonly end: number } | undefined
}

/** A token of a body: never looked into again once it is evaluated. */
export interface Token {
  /** Id of the expander that recognised it. */
  readonly expander: string
  /** Offsets in the body, in UTF-16 code units; the end is exclusive. */
  readonly start: number
  readonly end: number
  /** As written. */
  readonly text: string
  readonly data: unknown
  /** Tokens within its `inner`. */
  readonly children: readonly Token[]
  readonly inner?: { readonly start: number; readonly end: number } | undefined
}

/** What an expansion is made with; an invocation has most of it. */
export interface ExpandContext {
  readonly command: PromptCommand
  /** Verbatim. */
  readonly args: string
  readonly trust: TrustLevel
  readonly host: Host
  /** Of the session; undefined: the host's. */
  readonly sessionId?: string | undefined
  readonly effort?: string | number | undefined
  readonly signal: AbortSignal
  /** Asks for permission to run something; never answers `ask`. */
  authorize(request: Pick<PermissionRequest, 'tool' | 'content' | 'values' | 'isFree'>): Promise<PermissionDecision>
  /** Why something must not be done at all, as by policy. */
  forbids(action: 'shell'): Promise<string | undefined>
  /** Tells observers how far it is; an invocation emits `invocation:progress`. */
  progress(event: unknown): void
}

/** The same object for every token of one expansion. */
export interface EvaluateContext extends ExpandContext {
  /** The outermost tokens of the body, in order. Left out only where an expander is called by hand. */
  readonly tokens?: readonly Token[] | undefined
  /** The raw value of a nested token; undefined for one that stays as it is written. */
  value(child: Token): Promise<string | undefined>
}

/** What stands around a whole body. */
export interface Frame {
  readonly before?: string | undefined
  readonly after?: string | undefined
  /** Whether what is after stands two line breaks behind the body as it ends, instead of one blank line behind it. */
  readonly isAsIs?: boolean | undefined
}

/** Recognises tokens in a body and says what stands in their place. See docs/reference/expansion.md, "Expansion". */
export interface Expander {
  /** The characters its tokens begin with; nothing else is asked about. */
  readonly claims: string
  lex(text: string, at: number, context: LexContext): Lexed | undefined
  /** Undefined leaves the token as it is written. What it gives is never lexed. */
  evaluate(token: Token, context: EvaluateContext): MaybePromise<string | undefined>
  /**
   * What is put before and after the whole body as paragraphs of their own, such as arguments that nothing referred to.
   * @param tokens those that were evaluated, in that order; of the nested ones only those whose value was asked for
   */
  frame?(tokens: readonly Token[], context: ExpandContext): MaybePromise<Frame>
}

/** A failing expander makes the invocation reject: text that was to be replaced must not pass for replaced. */
export const expanderKind = defineKind('expander', { arity: 'many', limitMs: Infinity, onFailure: 'throw' })
