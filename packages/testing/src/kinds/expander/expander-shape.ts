import type { Host, MaybePromise, PromptCommand } from '@skills/core'
import type { PermissionDecisionShape, PermissionRequestShape } from '../permission/permission-shape.js'

/** What lexing may look at besides the text, as `LexContext` of `@skills/invocation/template`. */
export interface LexContextShape {
  readonly command: PromptCommand
  readonly isFenced: boolean
  readonly isCode: boolean
  readonly isNested?: boolean | undefined
}

/** A piece of text that an expander recognised, as `Lexed` of `@skills/invocation/template`. */
export interface LexedShape {
  readonly end: number
  readonly data?: unknown
  readonly inner?: { readonly start: number; readonly end: number } | undefined
}

/** A token of a body, as `Token` of `@skills/invocation/template`. */
export interface TokenShape {
  readonly expander: string
  readonly start: number
  readonly end: number
  readonly text: string
  readonly data: unknown
  readonly children: readonly TokenShape[]
  readonly inner?: { readonly start: number; readonly end: number } | undefined
}

/** What an expansion is made with, as `ExpandContext` of `@skills/invocation/template`. */
export interface ExpandContextShape {
  readonly command: PromptCommand
  readonly args: string
  readonly trust: 'trusted' | 'untrusted' | 'remote'
  readonly host: Host
  readonly sessionId?: string | undefined
  readonly effort?: string | number | undefined
  readonly signal: AbortSignal
  authorize(request: Pick<PermissionRequestShape, 'tool' | 'content' | 'values'>): Promise<PermissionDecisionShape>
  forbids(action: 'shell'): Promise<string | undefined>
  progress(event: unknown): void
}

/** What a token is evaluated with, as `EvaluateContext` of `@skills/invocation/template`. */
export interface EvaluateContextShape extends ExpandContextShape {
  readonly tokens?: readonly TokenShape[] | undefined
  value(child: TokenShape): Promise<string | undefined>
}

/** An expander that is set up, as `Expander` of `@skills/invocation/template`. */
export interface ExpanderShape {
  readonly claims: string
  lex(text: string, at: number, context: LexContextShape): LexedShape | undefined
  evaluate(token: TokenShape, context: EvaluateContextShape): MaybePromise<string | undefined>
  frame?(tokens: readonly TokenShape[], context: ExpandContextShape): MaybePromise<{ readonly before?: string | undefined; readonly after?: string | undefined }>
}

/** `expand` of `@skills/invocation/template`. */
export type ExpandShape = (body: string, expanders: readonly { readonly id: string; readonly value: ExpanderShape }[], context: ExpandContextShape) => Promise<{
  readonly text: string
  readonly tokens: readonly { readonly token: TokenShape; readonly value: string | undefined }[]
}>
