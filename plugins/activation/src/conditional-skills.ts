import { pathOf, type Command, type Diagnostic, type GateRules, type Note, type PromptCommand } from '@skills/core'
import { IgnoreRules } from '@skills/files'
import { readPatterns, type PathPatterns } from './path-patterns.js'
import type { ActivationOptions } from './options.js'
import type { TouchedFiles } from './touched-files.js'

/** Patterns that one or more skills have. */
interface Condition {
  readonly patterns: PathPatterns
  /** Sentence that says why a skill with these patterns is not active. */
  readonly sentence: string
  matches: ((path: string) => boolean) | undefined
  /** Number of remembered files that were tested. */
  tested: number
}

const compile = IgnoreRules.patterns()

const compileInAnyCase: typeof compile = lines => {
  const matches = compile(lines.map(line => line.toLowerCase()))
  return path => matches(path.toLowerCase())
}

export interface ConditionalSkillsOptions {
  readonly touched: TouchedFiles
  readonly waiting?: ActivationOptions['waiting']
  readonly letters?: ActivationOptions['letters']
  readonly nestedIsActive?: ActivationOptions['nestedIsActive']
  readonly report: (diagnostic: Diagnostic) => void
}

/**
 * Decides which skills with `paths` are active. The result depends only on the touched files and the patterns, and not
 * on their order. No file is read. See docs/reference/folders.md, "Conditional skills".
 */
export class ConditionalSkills {
  readonly #touched: TouchedFiles
  readonly #report: (diagnostic: Diagnostic) => void
  readonly #compile: typeof compile
  /** Method of the gate that is asked about a waiting skill. */
  readonly #asked: 'dormant' | 'command'
  readonly #nestedIsActive: boolean
  #rules: GateRules
  /** Conditions of inactive skills of the last catalog, by skill. */
  readonly #waiting = new Map<string, Condition>()
  /** Files that activated skills, by skill. An active skill stays active even if its patterns change. */
  readonly #active = new Map<string, string>()
  /** Conditions of the last catalog, by the text of the patterns. */
  #conditions: ReadonlyMap<string, Condition> = new Map()
  #nextConditions = new Map<string, Condition>()
  #reported: ReadonlySet<string> = new Set()
  #nextReported = new Set<string>()
  #isCatalogBegun = true

  constructor({ touched, waiting, letters, nestedIsActive = false, report }: ConditionalSkillsOptions) {
    this.#touched = touched
    this.#report = report
    this.#compile = letters === 'any' ? compileInAnyCase : compile
    this.#asked = waiting === 'absent' ? 'command' : 'dormant'
    this.#nestedIsActive = nestedIsActive
    this.#rules = this.#newRules()
  }

  /** Returns the rules of the load that begins. It is a new object if a skill became active. */
  rules(): GateRules {
    this.#wake([])
    this.#isCatalogBegun = false
    return this.#rules
  }

  /** Records touched files. Returns true if the rules have to be asked for again. */
  touch(paths: readonly string[]): boolean {
    const fresh = this.#touched.add(paths)
    if (fresh.length === 0 || this.#waiting.size === 0) return false
    return this.#wake(this.#touched.isFull ? fresh : [])
  }

  explain(command: Command | undefined): readonly Note[] {
    const file = command === undefined ? undefined : this.#active.get(keyOf(command))
    return file === undefined ? [] : [{ text: `The skill became active when "${inOneLine(file)}" was touched.` }]
  }

  #newRules(): GateRules {
    return {
      [this.#asked]: (command: Command) =>
        command.type === 'prompt' && command.paths.length > 0 && !(this.#nestedIsActive && command.isScoped === true)
          ? this.#dormancyOf(command)
          : undefined,
    }
  }

  #dormancyOf(command: PromptCommand): string | undefined {
    if (!this.#isCatalogBegun) this.#beginCatalog()
    const condition = this.#conditionOf(command)
    const key = keyOf(command)
    if (!condition.patterns.isConditional || this.#active.has(key)) return undefined
    const file = this.#firstMatch(condition, [])
    if (file === undefined) {
      this.#waiting.set(key, condition)
      return condition.sentence
    }
    this.#active.set(key, file)
    return undefined
  }

  #beginCatalog(): void {
    this.#isCatalogBegun = true
    this.#waiting.clear()
    this.#conditions = this.#nextConditions
    this.#nextConditions = new Map()
    this.#reported = this.#nextReported
    this.#nextReported = new Set()
  }

  #conditionOf(command: PromptCommand): Condition {
    const text = command.paths.join('\0')
    let condition = this.#nextConditions.get(text) ?? this.#conditions.get(text)
    if (condition === undefined) {
      const patterns = readPatterns(command.paths)
      condition = { patterns, sentence: sentenceOf(command.paths, patterns), matches: undefined, tested: 0 }
    }
    this.#nextConditions.set(text, condition)
    for (const { pattern, type, why } of condition.patterns.problems) {
      const key = `${keyOf(command)}\0${pattern}`
      // A problem that stays from catalog to catalog is reported once.
      if (!this.#reported.has(key) && !this.#nextReported.has(key)) {
        this.#report({
          severity: 'warning',
          type,
          code: 'paths-pattern',
          field: 'paths',
          name: command.name,
          ...pathOf(command),
          message: `The pattern "${shown(pattern)}" of "${command.name}" ${why}, so it never matches.`,
          hint: 'Write it as in a .gitignore in the working folder, such as src/**/*.ts.',
        })
      }
      this.#nextReported.add(key)
    }
    return condition
  }

  /** @param also files to test besides the remembered ones */
  #wake(also: readonly string[]): boolean {
    let hasWoken = false
    for (const [key, condition] of this.#waiting) {
      const file = this.#firstMatch(condition, also)
      if (file === undefined) continue
      this.#waiting.delete(key)
      this.#active.set(key, file)
      hasWoken = true
    }
    if (hasWoken) this.#rules = this.#newRules()
    return hasWoken
  }

  #firstMatch(condition: Condition, also: readonly string[]): string | undefined {
    const { lines } = condition.patterns
    const { paths } = this.#touched
    if (lines.length === 0) return undefined
    const matches = (condition.matches ??= this.#compile(lines))
    // The index stays at a file that matches: other skills may have the same patterns.
    for (; condition.tested < paths.length; condition.tested++) {
      const file = paths[condition.tested]
      if (file !== undefined && matches(file)) return file
    }
    return also.find(matches)
  }
}

/** Returns the identity of a skill, which stays the same when its file is read again. */
function keyOf(command: Command): string {
  return (
    pathOf(command).path ??
    [command.source, command.type === 'prompt' ? command.pluginName : '', command.name].join('\0')
  )
}

/** Most patterns in a sentence and, below, most characters of each. */
const mostShown = 5
const mostShownCharacters = 80

function sentenceOf(paths: readonly string[], { lines }: PathPatterns): string {
  const named =
    paths.slice(0, mostShown).map(shown).join(', ') +
    (paths.length > mostShown ? ` and ${paths.length - mostShown} more` : '')
  if (lines.length === 0)
    return `The skill never becomes active, because none of its paths can match a file of the working folder: ${named}.`
  return `It is not active until a file is touched that matches its paths: ${named}.`
}

/** Shortens a pattern for a model, and removes control characters and line breaks. */
function shown(pattern: string): string {
  const characters = [...inOneLine(pattern)]
  return characters.length > mostShownCharacters
    ? `${characters.slice(0, mostShownCharacters).join('')}…`
    : characters.join('')
}

function inOneLine(text: string): string {
  return text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
}
