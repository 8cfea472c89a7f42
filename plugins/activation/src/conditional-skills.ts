import { pathOf, type Command, type Diagnostic, type GateRules, type Note, type PromptCommand } from '@skills/core'
import { IgnoreRules } from '@skills/files'
import { readPatterns, type PathPatterns } from './path-patterns.js'
import type { ActivationOptions } from './options.js'
import type { TouchedFiles } from './touched-files.js'

/** Patterns as one or more skills have them. */
interface Condition {
  readonly patterns: PathPatterns
  /** Why a skill with them is not active. */
  readonly sentence: string
  matches: ((path: string) => boolean) | undefined
  /** How many of the remembered files were tested. */
  tested: number
}

const compile = IgnoreRules.patterns()

export interface ConditionalSkillsOptions {
  readonly touched: TouchedFiles
  readonly waiting?: ActivationOptions['waiting']
  readonly report: (diagnostic: Diagnostic) => void
}

/**
 * Which skills with `paths` are active. It follows from the files that were touched and the patterns, in any order they
 * came; nothing is read for it. See docs/reference/folders.md, "Conditional skills".
 */
export class ConditionalSkills {
  readonly #touched: TouchedFiles
  readonly #report: (diagnostic: Diagnostic) => void
  /** What the gate does with a skill that waits. */
  readonly #asked: 'dormant' | 'command'
  #rules: GateRules
  /** Those of the last catalog that are not active, by skill. */
  readonly #waiting = new Map<string, Condition>()
  /** By skill the file that activated it, which keeps it active also when its patterns change. */
  readonly #active = new Map<string, string>()
  /** By the text of the patterns, those of the last catalog. */
  #conditions: ReadonlyMap<string, Condition> = new Map()
  #nextConditions = new Map<string, Condition>()
  #reported: ReadonlySet<string> = new Set()
  #nextReported = new Set<string>()
  #isCatalogBegun = true

  constructor({ touched, waiting, report }: ConditionalSkillsOptions) {
    this.#touched = touched
    this.#report = report
    this.#asked = waiting === 'absent' ? 'command' : 'dormant'
    this.#rules = this.#newRules()
  }

  /** What the load that begins is bound by: another object when a skill became active. */
  rules(): GateRules {
    this.#wake([])
    this.#isCatalogBegun = false
    return this.#rules
  }

  /** Takes note of touched files; tells whether the rules have to be asked for again. */
  touch(paths: readonly string[]): boolean {
    const fresh = this.#touched.add(paths)
    if (fresh.length === 0 || this.#waiting.size === 0) return false
    return this.#wake(this.#touched.isFull ? fresh : [])
  }

  explain(command: Command | undefined): readonly Note[] {
    const file = command === undefined ? undefined : this.#active.get(keyOf(command))
    return file === undefined ? [] : [{ text: `It is active since "${inOneLine(file)}" was touched.` }]
  }

  #newRules(): GateRules {
    return {
      [this.#asked]: (command: Command) =>
        command.type === 'prompt' && command.paths.length > 0 ? this.#dormancyOf(command) : undefined,
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
      // One that stays from catalog to catalog is reported once.
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

  /** @param also files besides those that are remembered */
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
    const matches = (condition.matches ??= compile(lines))
    // Stays at a file that matches: others may have the same patterns.
    for (; condition.tested < paths.length; condition.tested++) {
      const file = paths[condition.tested]
      if (file !== undefined && matches(file)) return file
    }
    return also.find(matches)
  }
}

/** A skill is the same one when its file is read anew. */
function keyOf(command: Command): string {
  return (
    pathOf(command).path ??
    [command.source, command.type === 'prompt' ? command.pluginName : '', command.name].join('\0')
  )
}

/** Patterns that a sentence names, and characters of each. */
const mostShown = 5
const mostShownCharacters = 80

function sentenceOf(paths: readonly string[], { lines }: PathPatterns): string {
  const named =
    paths.slice(0, mostShown).map(shown).join(', ') +
    (paths.length > mostShown ? ` and ${paths.length - mostShown} more` : '')
  if (lines.length === 0)
    return `It never becomes active, for none of its paths can match a file of the working folder: ${named}.`
  return `It is not active until a file is touched that matches its paths: ${named}.`
}

/** A model is told of it, so it is cut and holds nothing that a line of text would not. */
function shown(pattern: string): string {
  const characters = [...inOneLine(pattern)]
  return characters.length > mostShownCharacters
    ? `${characters.slice(0, mostShownCharacters).join('')}…`
    : characters.join('')
}

function inOneLine(text: string): string {
  return text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
}
