import { findCode } from '../code.js'
import { lexEmbeddedCommand, mayBeEmbedded, usualRules, type EmbeddedCommandRules } from './lex-command.js'
import type { ShellName } from '@skills/core'

export interface EmbeddedCommand {
  /** Script as it is written, before arguments are put in. */
  readonly script: string
  /** Offsets of the whole command and of its script in the body, in UTF-16 code units; the ends are exclusive. */
  readonly start: number
  readonly end: number
  readonly scriptStart: number
  /** `fenced`: in a fence of its own; `inline`: in a line. */
  readonly form: 'inline' | 'fenced'
}

type GivenRules = { readonly [K in keyof EmbeddedCommandRules]?: EmbeddedCommandRules[K] | undefined }

export interface FindCommandsOptions extends GivenRules {
  /** Default: `bash`. */
  readonly shell?: ShellName | undefined
}

/** Rules under which some distribution reads a body. */
const everyDialect: readonly EmbeddedCommandRules[] = (['spare', 'look', 'by-line'] as const).flatMap(fences =>
  (['start-or-space', 'anywhere'] as const).flatMap(inline =>
    [true, false].map((escapes): EmbeddedCommandRules => ({ fences, inline, escapes })),
  ),
)

/**
 * Finds the scripts that a body embeds under the rules of any distribution, each once, in the order of their places. A
 * person who agrees to a skill agrees to it for all distributions.
 */
export function findScriptsOfAnyDialect(body: string, shell?: ShellName): readonly string[] {
  const found = everyDialect.flatMap(dialect => findEmbeddedCommands(body, { ...dialect, shell }))
  return [...new Set(found.toSorted((a, b) => a.start - b.start).map(({ script }) => script))]
}

/**
 * Finds the commands that a body embeds, in order and without running any, so that a caller can show them first.
 * Includes every command that the expander recognises, unless a token of another expander covers the command. See
 * docs/reference/expansion.md, "Embedded commands".
 */
export function findEmbeddedCommands(
  body: string,
  { shell = 'bash', ...given }: FindCommandsOptions = {},
): readonly EmbeddedCommand[] {
  // Most bodies have none, and are not searched for code.
  if (!/!`|`!/.test(body)) return []
  const { fences = usualRules.fences, inline = usualRules.inline, escapes = usualRules.escapes } = given
  const code = findCode(body)
  const found: EmbeddedCommand[] = []
  for (let at = 0; at < body.length; at += 1) {
    if (!mayBeEmbedded(body, at)) continue
    const place = { command: { shell }, isFenced: code.isFenced(at), isCode: code.isCode(at) }
    const lexed = lexEmbeddedCommand(body, at, place, { fences, inline, escapes })
    if (lexed === undefined) continue
    const start = at
    at = lexed.end - 1
    const { inner } = lexed
    if (inner === undefined) continue
    const script = body.slice(inner.start, inner.end)
    found.push({
      script,
      start,
      end: lexed.end,
      scriptStart: inner.start,
      form: body.charAt(start) === '!' ? 'inline' : 'fenced',
    })
  }
  return found
}
