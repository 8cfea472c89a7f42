import { expandBraces } from './expand-braces.js'
import { withoutBrackets } from './without-brackets.js'

/** A pattern that can match no file of the working folder. */
export interface PatternProblem {
  readonly pattern: string
  /** `traversal` for one that leads out of the working folder. */
  readonly type: 'validation' | 'traversal'
  /** Goes on after the pattern: `leads out of the working folder`. */
  readonly why: string
}

/** What the `paths` of a skill say. */
export interface PathPatterns {
  /** As lines of a `.gitignore`. Without any nothing ever matches. */
  readonly lines: readonly string[]
  readonly problems: readonly PatternProblem[]
  /** Whether the skill waits for a file at all: `**` alone counts as no paths. */
  readonly isConditional: boolean
}

/** Bounds of what one skill may have tested against every file that is touched. */
const mostPatterns = 100
const mostCharacters = 1024
/** More are a mistake. */
const mostGlobstars = 3

/** Reads the `paths` of a skill. See docs/reference/folders.md, "Conditional skills". */
export function readPatterns(paths: readonly string[]): PathPatterns {
  const lines: string[] = []
  const problems: PatternProblem[] = []
  for (const pattern of paths) {
    const read = readPattern(pattern)
    // With a problem for each of the rest, a block would make as many as it has room for.
    if (problems.length + lines.length + (Array.isArray(read) ? read.length : 1) > mostPatterns) {
      problems.push({
        pattern,
        type: 'validation',
        why: `is one too many (a skill may have ${mostPatterns}), as are those after it`,
      })
      break
    }
    if (Array.isArray(read)) lines.push(...read)
    else problems.push({ pattern, ...read })
  }
  const last = lines.at(-1)
  if (last !== undefined && lines.every(line => line.startsWith('!'))) {
    return {
      lines: [],
      isConditional: true,
      problems: [
        ...problems,
        { pattern: last, type: 'validation', why: 'only takes back, and there is nothing to take back from' },
      ],
    }
  }
  return { lines, problems, isConditional: lines.length === 0 || lines.some(line => line !== '**') }
}

type Flaw = Omit<PatternProblem, 'pattern'>

function readPattern(pattern: string): string[] | Flaw {
  if (pattern.length > mostCharacters)
    return invalid(`is longer than ${mostCharacters.toLocaleString('en')} characters`)
  const expanded = expandBraces(pattern, mostPatterns)
  if (expanded.length > mostPatterns) return invalid(`stands for more than ${mostPatterns} patterns`)
  const lines: string[] = []
  for (const one of expanded) {
    const [not, written] = one.startsWith('!') ? ['!', one.slice(1)] : ['', one]
    // People write that a path begins in the working folder; git would match nothing with it.
    const body = written.replace(/^\.\//, '/')
    const flaw = not === '' && body.startsWith('#') ? invalid('is a comment in this syntax') : flawOf(body)
    if (flaw !== undefined) return flaw
    lines.push(not + body)
  }
  return lines
}

function flawOf(body: string): Flaw | undefined {
  if (body.includes('\0')) return invalid('holds a NUL')
  if (/^(?:[a-z]:[/\\]|~\/)/i.test(body))
    return { type: 'traversal', why: 'starts elsewhere than in the working folder' }
  if ((/\\*$/.exec(body)?.[0].length ?? 0) % 2 === 1) return invalid('ends in a backslash that quotes nothing')
  const plain = withoutBrackets(body)
  if (plain === undefined) return invalid('has a bracket that never ends or a class that there is not')
  const inner = plain.replace(/ +$/, '').replace(/^\//, '').replace(/\/$/, '')
  if (inner === '') return invalid('names nothing')
  const parts = inner.split('/').map(part => part.replaceAll(/\\(.)/gs, '$1'))
  if (parts.includes('..')) return { type: 'traversal', why: 'leads out of the working folder' }
  if (parts.includes('.') || parts.includes('')) return invalid('has a part without a name')
  if (parts.filter(part => /^\*{2,}$/.test(part)).length > mostGlobstars)
    return invalid(`has more than ${mostGlobstars} times **`)
  return undefined
}

function invalid(why: string): Flaw {
  return { type: 'validation', why }
}
