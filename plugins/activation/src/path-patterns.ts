import { expandBraces } from './expand-braces.js'
import { withoutBrackets } from './without-brackets.js'

/** Problem of a pattern that cannot match any file of the working folder. */
export interface PatternProblem {
  readonly pattern: string
  /** `traversal`: the pattern leads out of the working folder. */
  readonly type: 'validation' | 'traversal'
  /** Rest of a sentence that begins with the pattern: `leads out of the working folder`. */
  readonly why: string
}

/** Patterns in the `paths` of a skill. */
export interface PathPatterns {
  /** Lines of a `.gitignore`. Without any, nothing matches. */
  readonly lines: readonly string[]
  readonly problems: readonly PatternProblem[]
  /** True if the skill waits for a file. `**` alone counts as no paths. */
  readonly isConditional: boolean
}

/** Limits for one skill, since its patterns are tested against every touched file. */
const mostPatterns = 100
const mostCharacters = 1024
/** Most `**` in a pattern: more are a mistake. */
const mostGlobstars = 3

/** Reads the `paths` of a skill. See docs/reference/folders.md, "Conditional skills". */
export function readPatterns(paths: readonly string[]): PathPatterns {
  const lines: string[] = []
  const problems: PatternProblem[] = []
  for (const pattern of paths) {
    const read = readPattern(pattern)
    // The rest is reported as one problem, since a block of them could be very long.
    if (problems.length + lines.length + (Array.isArray(read) ? read.length : 1) > mostPatterns) {
      problems.push({
        pattern,
        type: 'validation',
        why: `comes after the first ${mostPatterns} patterns, which is the limit for a skill`,
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
        { pattern: last, type: 'validation', why: 'only excludes files, and no pattern before it includes any' },
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
    // People write `./` for the working folder; git would match nothing with it.
    const body = written.replace(/^\.\//, '/')
    const flaw = not === '' && body.startsWith('#') ? invalid('is a comment in this syntax') : flawOf(body)
    if (flaw !== undefined) return flaw
    lines.push(not + body)
  }
  return lines
}

function flawOf(body: string): Flaw | undefined {
  if (body.includes('\0')) return invalid('holds a NUL')
  if (/^(?:[a-z]:[/\\]|~\/)/i.test(body)) return { type: 'traversal', why: 'starts outside the working folder' }
  if ((/\\*$/.exec(body)?.[0].length ?? 0) % 2 === 1) return invalid('ends in a backslash that quotes nothing')
  const plain = withoutBrackets(body)
  if (plain === undefined) return invalid('has a bracket that is not closed, or a character class that does not exist')
  const inner = plain.replace(/ +$/, '').replace(/^\//, '').replace(/\/$/, '')
  if (inner === '') return invalid('names nothing')
  const parts = inner.split('/').map(part => part.replaceAll(/\\(.)/gs, '$1'))
  if (parts.includes('..')) return { type: 'traversal', why: 'leads out of the working folder' }
  if (parts.includes('.') || parts.includes('')) return invalid('has a part without a name')
  if (parts.filter(part => /^\*{2,}$/.test(part)).length > mostGlobstars)
    return invalid(`has ** more than ${mostGlobstars} times`)
  return undefined
}

function invalid(why: string): Flaw {
  return { type: 'validation', why }
}
