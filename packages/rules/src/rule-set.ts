import * as s from '@skills/core/schema'
import { fitsPieces, fitsWildcard, type Candidate } from './wildcard.js'
import { PathPattern, pathsUnder } from '@skills/files/internal'
import { isShell, type Rule } from './rule.js'
import type { FileProbe } from './file-tools.js'

/** Forms of a call that rules are compared with. */
export interface Probe {
  /** Names of the tool, and of its server, which rules name like a tool. */
  readonly tools: readonly string[]
  /** Texts for rules that write a text in full. */
  readonly whole: readonly Candidate[]
  /** Texts for open rules. */
  readonly open: readonly Candidate[]
  /** Single commands of a script of several. If no rule matches the whole, each of them has to be allowed. */
  readonly parts?: readonly Probe[] | undefined
  /** For a part: its text as it is written. */
  readonly text?: string | undefined
  /**
   * Part that runs something which the text does not show, and that may be anything forbidden; undefined if there is
   * none.
   */
  readonly unseen?: string | undefined
  /** For a file tool: its files. */
  readonly files?: FileProbe | undefined
}

const ruleSetOptions = s.options('new RuleSet()', {
  /**
   * Meaning of `x:*`. `segment`: `x` and `x:…`; `text`: any text that begins with `x`; `text-or-words`: the same, also
   * for `x *` in rules that deny or ask, except for scripts.
   */
  prefix: s.oneOf('segment', 'text', 'text-or-words').required(),
  /** Rule that is named if several match. */
  wins: s.oneOf('first', 'last').required(),
  /** Converts the content of a rule to the form of probes. */
  form: s.fn<(text: string) => string>().required(),
})

export interface RuleSetOptions extends s.OptionsOf<typeof ruleSetOptions> {}

export interface Found {
  readonly rule: Rule
  /** Index among the rules. */
  readonly at: number
}

/** Rules by tool and text. A look-up costs the same for ten rules and for ten thousand. */
export class RuleSet {
  readonly #options: RuleSetOptions
  readonly #byTool = new Map<string, Shelf>()
  /** Lengths of tool names before a final asterisk, such as all tools of a server. */
  readonly #starts = new Set<number>()
  /** Tool names with wildcards elsewhere; there are few. */
  readonly #patterns: string[] = []
  /** True if a rule is about files. */
  readonly hasFiles: boolean

  constructor(rules: readonly Rule[], given: RuleSetOptions) {
    const options = ruleSetOptions.read(given)
    this.#options = options
    const { form, wins } = options
    for (const [at, rule] of rules.entries()) {
      const tool = form(rule.tool)
      let shelf = this.#byTool.get(tool)
      if (shelf === undefined) {
        shelf = new Shelf(wins)
        this.#byTool.set(tool, shelf)
        if (/^[^*?]*\*$/.test(tool)) this.#starts.add(tool.length - 1)
        else if (/[*?]/.test(tool)) this.#patterns.push(tool)
      }
      shelf.add({ rule, at }, options)
    }
    this.hasFiles = [...this.#byTool.values()].some(({ files }) => files.length > 0)
  }

  find({ tools, whole, open, files }: Probe): Found | undefined {
    const found = this.#best(tools, shelf => shelf.find(whole, open))
    return files === undefined ? found : better(found, this.findFiles(files), this.#options.wins)
  }

  /** Finds a rule about named files. */
  findFiles(files: FileProbe): Found | undefined {
    return this.#best(files.tools, shelf => shelf.findFiles(files))
  }

  /** Finds a rule about some uses of a tool, but not about all. */
  partial({ tools }: Pick<Probe, 'tools'>): Found | undefined {
    return this.#best(tools, shelf => shelf.some)
  }

  /** Finds a rule that forbids some files, for a call whose files are unknown. */
  partialFiles({ tools }: Pick<FileProbe, 'tools'>): Found | undefined {
    return this.#best(tools, shelf => shelf.someFiles)
  }

  /** Finds a rule that forbids a file in a folder that is searched, and returns it with the path of that file. */
  findWithin(probe: FileProbe): { readonly rule: Rule; readonly path: string } | undefined {
    const { tools, place } = probe
    const rules = tools.flatMap(tool => this.#byTool.get(tool)?.files ?? [])
    if (rules.length === 0) return undefined
    const bound = rules.map(({ rule, pattern }) => ({ rule, touches: pattern.touching(placed(place, rule)) }))
    for (const { forms, isFolder } of probe.files) {
      const [folder] = forms.slice(-1)
      if (!isFolder || folder === undefined) continue
      for (const inner of pathsUnder(folder, mostSearched)) {
        const found = bound.find(({ touches }) => inner === undefined || touches(forms.map(form => `${form}/${inner}`)))
        if (found !== undefined) return { rule: found.rule, path: inner ?? folder }
      }
    }
    return undefined
  }

  #best(tools: readonly string[], of: (shelf: Shelf) => Found | undefined): Found | undefined {
    let best: Found | undefined
    const look = (tool: string): void => {
      const shelf = this.#byTool.get(tool)
      if (shelf !== undefined) best = better(best, of(shelf), this.#options.wins)
    }
    for (const tool of tools) {
      look(tool)
      for (const length of this.#starts) if (length <= tool.length) look(`${tool.slice(0, length)}*`)
      for (const pattern of this.#patterns) if (fitsWildcard(tool, pattern)) look(pattern)
    }
    return best
  }
}

/**
 * Finds the match of a probe as a whole, or else a match for each of its parts.
 * @returns one match for each part, or the first part without one
 */
export function findEach<T>(
  probe: Probe,
  find: (probe: Probe) => T | undefined,
): { readonly found: readonly T[] } | { readonly lacking: Probe } {
  const found = find(probe)
  if (found !== undefined) return { found: [found] }
  const all: T[] = []
  for (const part of probe.parts ?? []) {
    const one = find(part)
    if (one === undefined) return { lacking: part }
    all.push(one)
  }
  return all.length === 0 ? { lacking: probe } : { found: all }
}

function better(one: Found | undefined, other: Found | undefined, wins: 'first' | 'last'): Found | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return one.at < other.at === (wins === 'first') ? one : other
}

/** Most files of a searched folder that are compared. Beyond that, the folder counts as unseen. */
const mostSearched = 5000
/** Stands for any name. */
const anyName = '/\uE000'

interface FoundPattern extends Found {
  readonly pattern: PathPattern
}

function placed(place: FileProbe['place'], { top = place.cwd }: Rule): FileProbe['place'] & { readonly top: string } {
  return { ...place, top }
}

/** Rules about one tool. */
class Shelf {
  /** A rule that names a content. */
  some: Found | undefined
  /** A rule that names files. */
  someFiles: Found | undefined
  readonly files: FoundPattern[] = []
  #any: Found | undefined
  readonly #exact = new Map<string, Found>()
  readonly #segments = new Starts()
  readonly #words = new Starts()
  readonly #starts = new Starts()
  readonly #patterns: Found[] = []
  readonly #pieces: (Found & { readonly pieces: readonly string[] })[] = []

  constructor(private readonly wins: 'first' | 'last') {}

  add(found: Found, { prefix, form }: RuleSetOptions): void {
    const { content, behavior, tool } = found.rule
    if (content.kind === 'any') {
      this.#any = better(this.#any, found, this.wins)
      return
    }
    this.some = better(this.some, found, this.wins)
    if (content.kind === 'path') {
      const pattern = PathPattern.of(content.text)
      if ('problem' in pattern) return
      this.someFiles = better(this.someFiles, found, this.wins)
      this.files.push({ ...found, pattern })
      return
    }
    const text = form(content.text)
    switch (content.kind) {
      case 'exact':
        this.#exact.set(text, better(this.#exact.get(text), found, this.wins) ?? found)
        break
      case 'prefix':
        ;(prefix === 'segment' ? this.#segments : this.#starts).add(text, found, this.wins)
        break
      case 'words':
        ;(prefix === 'text-or-words' && behavior !== 'allow' && !isShell(tool) ? this.#starts : this.#words).add(
          text,
          found,
          this.wins,
        )
        break
      case 'start':
        this.#starts.add(text, found, this.wins)
        break
      case 'pieces':
        this.#pieces.push({ ...found, pieces: content.pieces.map(form) })
        break
      case 'pattern':
        this.#patterns.push({ ...found, rule: { ...found.rule, content: { kind: 'pattern', text } } })
    }
  }

  /**
   * Finds a rule about files. An allow rule has to cover every file; a rule that forbids has to touch one, or
   * everything in one.
   */
  findFiles(probe: FileProbe): Found | undefined {
    const { place, isSearch } = probe
    let best: Found | undefined
    for (const found of this.files) {
      const { rule, pattern } = found
      const where = placed(place, rule)
      if (rule.behavior === 'allow') {
        if (probe.unseen === undefined && probe.files.every(file => pattern.covers(file, where)))
          best = better(best, found, this.wins)
        continue
      }
      const touches = pattern.touching(where)
      if (
        probe.files.some(({ forms }) => touches(forms) || (isSearch && touches(forms.map(form => `${form}${anyName}`))))
      )
        best = better(best, found, this.wins)
    }
    return best
  }

  find(whole: readonly Candidate[], open: readonly Candidate[]): Found | undefined {
    const wins = this.wins
    let best = this.#any
    for (const { text } of whole) best = better(best, this.#exact.get(text), wins)
    for (const candidate of open) {
      best = better(best, this.#segments.find(candidate, ':', wins), wins)
      best = better(best, this.#words.find(candidate, ' ', wins), wins)
      best = better(best, this.#starts.find(candidate, undefined, wins), wins)
      for (const found of this.#pieces) if (fitsPieces(candidate, found.pieces)) best = better(best, found, wins)
      for (const found of this.#patterns) {
        const { content } = found.rule
        if (
          content.kind === 'pattern' &&
          content.text.search(/[*?]|$/) >= candidate.from &&
          fitsWildcard(candidate.text, content.text)
        )
          best = better(best, found, wins)
      }
    }
    return best
  }
}

/** Texts by which others begin. */
class Starts {
  readonly #byText = new Map<string, Found>()
  readonly #lengths = new Set<number>()

  add(text: string, found: Found, wins: 'first' | 'last'): void {
    this.#byText.set(text, better(this.#byText.get(text), found, wins) ?? found)
    this.#lengths.add(text.length)
  }

  /** @param mark character that has to follow unless the text ends there; undefined for any */
  find({ text, from }: Candidate, mark: string | undefined, wins: 'first' | 'last'): Found | undefined {
    let best: Found | undefined
    // One look-up for each distinct length, and not for each rule.
    for (const length of this.#lengths) {
      if (length > text.length || length < from) continue
      if (mark !== undefined && length < text.length && text[length] !== mark) continue
      best = better(best, this.#byText.get(text.slice(0, length)), wins)
    }
    return best
  }
}
