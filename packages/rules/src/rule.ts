import { PathPattern } from '@skills/files/internal'
import { fileUseOf, knownFileTools, type FileTools } from './file-tools.js'

/** What a rule says when it matches. */
export type Behavior = 'allow' | 'deny' | 'ask'

/**
 * Which content a rule matches: all of it; this text; this text alone or as a namespace (`text:`) or a first part of
 * it; this text alone or followed by further words; any text that begins with it; a pattern with `*` and `?`; any
 * command that consists of these pieces with anything between them; or the files of a {@link PathPattern}.
 */
export type RuleContent =
  | { readonly kind: 'any' }
  | { readonly kind: 'exact' | 'prefix' | 'words' | 'start'; readonly text: string }
  | { readonly kind: 'pattern' | 'path'; readonly text: string }
  | { readonly kind: 'pieces'; readonly text: string; readonly pieces: readonly string[] }

/** One rule, with where it comes from. */
export interface Rule {
  readonly behavior: Behavior
  /** As it is written. */
  readonly text: string
  /** A word for where it stands, as `userSettings`. */
  readonly source: string
  /** The file it stands in, absolute. */
  readonly path?: string | undefined
  /** What `/x` of a rule about files is relative to, absolute. Default: the working folder. */
  readonly top?: string | undefined
  /** A tool's name; it may hold `*` where the rule forbids or asks, and after a server's name. */
  readonly tool: string
  readonly content: RuleContent
  /** Why it stands in place of a rule or a file that cannot be understood: a clause. */
  readonly broken?: string | undefined
}

export interface RuleParts extends Pick<Rule, 'tool' | 'content'> {
  /** A clause about a rule that parses, and probably does not say what was meant. */
  readonly doubt?: string | undefined
}

export interface RuleProblem {
  /** A clause: what is wrong. */
  readonly problem: string
  /** Character of the rule, from 1. */
  readonly at: number
  /** Whose use the rule was probably about: a tool, or `*` for any. */
  readonly scope: string
}

const shells: readonly string[] = ['bash', 'powershell']

/** Whether a tool takes a script. Ignores case, since rules that forbid are read broadly. */
export function isShell(tool: string): boolean {
  return shells.includes(tool.toLowerCase())
}

export interface RuleOptions {
  /** Tools whose rules are about files. Default: {@link knownFileTools}. */
  readonly fileTools?: FileTools | undefined
  /**
   * Whether a `*` anywhere in a rule for a shell that allows stands for any text (`anywhere`), or only `:*` and ` *` at
   * its end leave the rest open (`end`, the default).
   */
  readonly asterisks?: 'anywhere' | 'end' | undefined
}

/**
 * Reads `Tool`, `Tool(content)`, `Tool(prefix:*)`, `Tool(words *)`, `mcp__server__*` or, of tools for files,
 * `Tool(pattern)`. In the content `\(`, `\)`, `\*` and `\\` stand for the character itself. See
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
    return refuse(`has ${JSON.stringify(text[tool.length])} where only a parenthesis can follow`, tool.length)
  const inner = contentOf(text, tool.length + 1)
  if ('problem' in inner) return refuse(inner.problem, inner.at)
  if (inner.text === '') return refuse('has nothing between its parentheses', tool.length + 1)
  const written = text.slice(tool.length + 1, -1)
  // A program that takes it for part of the text would allow nothing by it.
  if (behavior === 'allow' && written.trim() !== written)
    return refuse('has white space inside its parentheses, with which it allows nothing', tool.length + 1)
  const parts =
    fileUseOf(tool, fileTools) === undefined || written.trim() === '*'
      ? patternOf(tool, inner, { behavior, asterisks })
      : filesOf(written.trim())
  return 'problem' in parts ? refuse(parts.problem, tool.length + 1) : { tool, ...parts }
}

/** A text as it stands between the parentheses of a rule that means it literally. */
export function escapeContent(text: string): string {
  return text.replace(/[\\()*]/g, String.raw`\$&`)
}

/** A path, absolute, as it stands in a rule that is about this file alone; undefined where no rule can name it. */
export function escapePath(path: string): string | undefined {
  const text = `/${path.replace(/[\\()*?[\]{}!#$%,]/g, String.raw`\$&`)}`
  return 'problem' in PathPattern.of(text) ? undefined : text
}

/** The rule of a suggestion, as it is written. */
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
    // What forbids may forbid much; what allows must say of whom.
    return behavior === 'allow'
      ? 'would allow the tools of anyone: only what follows the name of a server can be left open'
      : undefined
  }
  return serverProblem(tool)
}

/** Where a server's name ends cannot be told when it holds the mark that ends it. */
function serverProblem(name: string): string | undefined {
  const [, server = '', ...rest] = name.split('__')
  if (server === '' || server.includes('*')) return 'names no server'
  return rest.length > 1 ? 'names a server that cannot be told from its prompt, because of a further "__"' : undefined
}

/** The name of a server alone stands for all it has. */
function wholeServer(tool: string): string {
  return /^mcp__(?:(?!__).)+$/.test(tool) ? `${tool}__*` : tool
}

interface Inner {
  /** Without the marks of escapes. */
  readonly text: string
  /** Where an asterisk stands in it that is none of the text. */
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
        : { problem: 'goes on after its closing parenthesis', at: at + 1 }
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
    // Of a command line both ways of writing say the same.
    const kind = before.endsWith(' ') || isShell(tool) ? 'words' : 'prefix'
    return { content: { kind, text: prefix } }
  }
  // A script can be written in so many ways that what forbids one is read broadly.
  if (isShell(tool) && behavior !== 'allow') return { content: { kind: 'pattern', text } }
  if (isShell(tool) && asterisks === 'anywhere' && !text.endsWith(':*')) {
    const ends = [-1, ...stars, text.length]
    const pieces = ends.slice(1).map((end, at) => text.slice((ends[at] ?? -1) + 1, end))
    return { content: { kind: 'pieces', text, pieces } }
  }
  const doubt = isShell(tool)
    ? 'takes an asterisk literally: only ":*" or " *" at the end of what a command begins with leaves the rest open'
    : 'takes an asterisk literally: only ":*" at the end of a namespace leaves the rest open'
  return { content: { kind: 'exact', text: plain(tool, text) }, doubt }
}

function filesOf(text: string): Pick<RuleParts, 'content'> | { readonly problem: string } {
  const pattern = PathPattern.of(text)
  return 'problem' in pattern ? pattern : { content: { kind: 'path', text } }
}

/** Skills are written with a slash before them as often as without. */
function plain(tool: string, text: string): string {
  return tool.toLowerCase() === 'skill' ? text.replace(/^\/+/, '') : text
}
