import { PathPattern } from '@skills/files/internal'
import { fileUseOf, knownFileTools, type FileTools } from './file-tools.js'

/** Effect of a rule that matches. */
export type Behavior = 'allow' | 'deny' | 'ask'

/**
 * Content that a rule matches.
 *
 * - `any`: everything
 * - `exact`: this text
 * - `prefix`: this text, alone or as a namespace (`text:`)
 * - `words`: this text, alone or followed by further words
 * - `start`: any text that begins with it
 * - `pattern`: a pattern with `*` and `?`
 * - `pieces`: any command that consists of these pieces with anything between them
 * - `path`: the files of a {@link PathPattern}
 */
export type RuleContent =
  | { readonly kind: 'any' }
  | { readonly kind: 'exact' | 'prefix' | 'words' | 'start'; readonly text: string }
  | { readonly kind: 'pattern' | 'path'; readonly text: string }
  | { readonly kind: 'pieces'; readonly text: string; readonly pieces: readonly string[] }

/** Rule with its origin. */
export interface Rule {
  readonly behavior: Behavior
  /** Rule as it is written. */
  readonly text: string
  /** Word for its origin, such as `userSettings`. */
  readonly source: string
  /** Absolute path of the file that it stands in. */
  readonly path?: string | undefined
  /** Absolute folder that `/x` of a rule about files is relative to. Default: the working folder. */
  readonly top?: string | undefined
  /** Name of a tool. It may contain `*` if the rule denies or asks, and after the name of a server. */
  readonly tool: string
  readonly content: RuleContent
  /** Clause that says why it replaces an invalid rule or file; undefined for a valid rule. */
  readonly broken?: string | undefined
}

export interface RuleParts extends Pick<Rule, 'tool' | 'content'> {
  /** Clause about a valid rule that probably does not mean what its author intended. */
  readonly doubt?: string | undefined
}

export interface RuleProblem {
  /** Clause that says what is wrong. */
  readonly problem: string
  /** Character of the rule, counted from 1. */
  readonly at: number
  /** Tool that the rule was probably about; `*` for any. */
  readonly scope: string
}

const shells: readonly string[] = ['bash', 'powershell']

/** True if a tool takes a script. Ignores letter case, because rules that forbid match in any letter case. */
export function isShell(tool: string): boolean {
  return shells.includes(tool.toLowerCase())
}

export interface RuleOptions {
  /** Tools whose rules are about files. Default: {@link knownFileTools}. */
  readonly fileTools?: FileTools | undefined
  /**
   * Meaning of `*` in an allow rule for a shell. `end` (default): only `:*` and ` *` at the end are open; `anywhere`:
   * each `*` is any text.
   */
  readonly asterisks?: 'anywhere' | 'end' | undefined
}

/**
 * Parses `Tool`, `Tool(content)`, `Tool(prefix:*)`, `Tool(words *)`, `mcp__server__*` or, for file tools,
 * `Tool(pattern)`. In the content, `\(`, `\)`, `\*` and `\\` are the characters themselves. See
 * docs/reference/permissions.md, "Permissions".
 */
export function parseRule(
  text: string,
  behavior: Behavior,
  { fileTools = knownFileTools, asterisks }: RuleOptions = {},
): RuleParts | RuleProblem {
  const tool = /^[A-Za-z0-9_*-]*/.exec(text)?.[0] ?? ''
  const scope = /^[A-Za-z][A-Za-z0-9_-]*$/.test(tool) ? tool : '*'
  const refuse = (problem: string, at: number, about = scope): RuleProblem => ({ problem, at: at + 1, scope: about })
  if (tool === '') return refuse('does not begin with the name of a tool', 0)
  const wrongTool = toolProblem(tool, behavior)
  if (wrongTool !== undefined) return refuse(wrongTool, 0, tool.startsWith('mcp__') ? 'mcp__*' : scope)
  if (tool.length === text.length)
    return { tool: tool.includes('*') ? tool : wholeServer(tool), content: { kind: 'any' } }
  if (text[tool.length] !== '(')
    return refuse(`has ${JSON.stringify(text[tool.length])} where a parenthesis is expected`, tool.length)
  const inner = contentOf(text, tool.length + 1)
  if ('problem' in inner) return refuse(inner.problem, inner.at)
  if (inner.text === '') return refuse('has nothing between its parentheses', tool.length + 1)
  const written = text.slice(tool.length + 1, -1)
  // Programs that take the white space for part of the text would allow nothing.
  if (behavior === 'allow' && written.trim() !== written)
    return refuse('begins or ends with white space inside its parentheses, so the rule allows nothing', tool.length + 1)
  if (behavior === 'allow' && /\s:\*$/.test(written))
    return refuse('has white space before its :*, so the rule allows nothing', tool.length + 1)
  const parts =
    fileUseOf(tool, fileTools) === undefined || written.trim() === '*'
      ? patternOf(tool, inner, { behavior, asterisks })
      : filesOf(written.trim())
  return 'problem' in parts ? refuse(parts.problem, tool.length + 1) : { tool, ...parts }
}

/** Escapes a text for the parentheses of a rule, so that the rule matches exactly this text. */
export function escapeContent(text: string): string {
  return text.replace(/[\\()*]/g, String.raw`\$&`)
}

/** Escapes an absolute path for a rule about this file alone; undefined if no rule can name it. */
export function escapePath(path: string): string | undefined {
  const text = `/${path.replace(/[\\()*?[\]{}!#$%,]/g, String.raw`\$&`)}`
  return 'problem' in PathPattern.of(text) ? undefined : text
}

/** Writes the rule of a suggestion. */
export function formatRule({
  toolName,
  ruleContent,
}: {
  readonly toolName: string
  readonly ruleContent?: string | undefined
}): string {
  return ruleContent === undefined ? toolName : `${toolName}(${ruleContent})`
}

function toolProblem(tool: string, behavior: Behavior): string | undefined {
  if (!tool.includes('*')) return /^[A-Za-z]/.test(tool) ? undefined : 'does not begin with the name of a tool'
  if (!tool.startsWith('mcp__') || tool.startsWith('mcp__*')) {
    // A rule that forbids may be broad; one that allows must name a server.
    return behavior === 'allow'
      ? 'would allow tools of any origin: only the part after the name of a server may be an asterisk'
      : undefined
  }
  return serverProblem(tool)
}

/** Returns what is wrong with a server's name. With a further `__` it is unclear where the name ends. */
function serverProblem(name: string): string | undefined {
  const [, server = '', ...rest] = name.split('__')
  if (server === '' || server.includes('*')) return 'does not name a server'
  return rest.length > 1 ? 'has a second "__", so it is unclear where the name of the server ends' : undefined
}

/** Turns the name of a server into a rule for all its tools. */
function wholeServer(tool: string): string {
  return /^mcp__(?:(?!__).)+$/.test(tool) ? `${tool}__*` : tool
}

interface Inner {
  /** Text without escaping backslashes. */
  readonly text: string
  /** Offsets of asterisks that are wildcards. */
  readonly stars: readonly number[]
}

function contentOf(rule: string, from: number): Inner | { readonly problem: string; readonly at: number } {
  let text = ''
  let depth = 1
  const stars: number[] = []
  for (let at = from; at < rule.length; at++) {
    const next = rule[at + 1] ?? ''
    let char = rule[at] ?? ''
    if (char === '\\' && next !== '' && '()*\\'.includes(next)) {
      char = next
      at++
    } else if (char === '*') stars.push(text.length)
    else if (char === '(') depth++
    else if (char === ')' && --depth === 0) {
      return at === rule.length - 1
        ? trimmed(text, stars)
        : { problem: 'continues after its closing parenthesis', at: at + 1 }
    }
    text += char
  }
  return { problem: 'has no closing parenthesis', at: rule.length }
}

function trimmed(text: string, stars: readonly number[]): Inner {
  const start = text.length - text.trimStart().length
  return { text: text.trim(), stars: stars.map(star => star - start) }
}

function patternOf(
  tool: string,
  { text, stars }: Inner,
  { behavior, asterisks }: { readonly behavior: Behavior } & Pick<RuleOptions, 'asterisks'>,
): Pick<RuleParts, 'content' | 'doubt'> | { readonly problem: string } {
  const [star] = stars
  if (star === undefined) return { content: { kind: 'exact', text: plain(tool, text) } }
  if (text === '*') return { content: { kind: 'any' } }
  const isLast = stars.length === 1 && star === text.length - 1
  const before = plain(tool, text.slice(0, -1))
  if (isLast && before.startsWith('mcp__')) {
    const problem = serverProblem(before)
    return problem === undefined ? { content: { kind: 'start', text: before } } : { problem }
  }
  if (isLast && /.[: ]$/s.test(before)) {
    const prefix = before.slice(0, -1).trimEnd()
    // For a command line both spellings mean the same.
    const kind = before.endsWith(' ') || isShell(tool) ? 'words' : 'prefix'
    return { content: { kind, text: prefix } }
  }
  // A script can be written in many ways, so rules that forbid are read broadly.
  if (isShell(tool) && behavior !== 'allow') return { content: { kind: 'pattern', text } }
  if (isShell(tool) && asterisks === 'anywhere' && !text.endsWith(':*')) {
    const ends = [-1, ...stars, text.length]
    const pieces = ends.slice(1).map((end, at) => text.slice((ends[at] ?? -1) + 1, end))
    return { content: { kind: 'pieces', text, pieces } }
  }
  // With the name of the parameter, a rule that forbids is a pattern: Skill(skill:*-docs).
  const named = plain(tool, text)
  if (tool.toLowerCase() === 'skill' && behavior !== 'allow' && named.startsWith('skill:'))
    return { content: { kind: 'pattern', text: named } }
  const doubt = isShell(tool)
    ? 'has an asterisk that is taken literally: only ":*" or " *" at the end of the rule matches the rest of a command'
    : 'has an asterisk that is taken literally: only ":*" at the end of a namespace matches every name in it'
  return { content: { kind: 'exact', text: named }, doubt }
}

function filesOf(text: string): Pick<RuleParts, 'content'> | { readonly problem: string } {
  const pattern = PathPattern.of(text)
  return 'problem' in pattern ? pattern : { content: { kind: 'path', text } }
}

/** Removes slashes before the name of a skill: people write it with and without. */
function plain(tool: string, text: string): string {
  return tool.toLowerCase() === 'skill' ? text.replace(/^\/+/, '').replace(/^skill:\s+/, 'skill:') : text
}
