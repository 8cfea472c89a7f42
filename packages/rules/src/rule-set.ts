import * as s from '@skills/core/schema'
import { fitsPieces, fitsWildcard, type Candidate } from './wildcard.js'
import { PathPattern, pathsUnder } from '@skills/files/internal'
import { isShell, type Rule } from './rule.js'
import type { FileProbe } from './file-tools.js'

/** What is asked about, in the forms that rules are held against. */
export interface Probe {
  /** The tool; and a name that belongs to a server, which its rules speak of as they do of its tools. */
  readonly tools: readonly string[]
  /** Held against rules that name a text in full. */
  readonly whole: readonly Candidate[]
  /** Held against rules that leave something open. */
  readonly open: readonly Candidate[]
  /** Of a script of several commands each by itself: where none matches the whole, each of them has to be allowed. */
  readonly parts?: readonly Probe[] | undefined
  /** Of a part what it is, as it is written. */
  readonly text?: string | undefined
  /** What runs something that the text does not show, and so may be anything that is forbidden. */
  readonly unseen?: string | undefined
  /** Of a tool for files which files these are. */
  readonly files?: FileProbe | undefined
}

const ruleSetOptions = s.options('new RuleSet()', {
  /**
   * `segment`: `x:*` is `x` and `x:…`; `text`: any text that begins with `x`; `text-or-words`: and so does `x *` where it
   * forbids or asks, but for scripts.
   */
  prefix: s.oneOf('segment', 'text', 'text-or-words').required(),
  /** Which of several rules that match is named. */
  wins: s.oneOf('first', 'last').required(),
  /** Brings what a rule says into the form that probes have. */
  form: s.fn<(text: string) => string>().required(),
})

export interface RuleSetOptions extends s.OptionsOf<typeof ruleSetOptions> {}

export interface Found {
  readonly rule: Rule
  /** Its place among the rules. */
  readonly at: number
}

/** Rules by tool and text, so that a question costs the same whether there are ten or ten thousand. */
export class RuleSet {
  readonly #options: RuleSetOptions
  readonly #byTool = new Map<string, Shelf>()
  /** Lengths of what stands before the asterisk in tools that end with one, such as all of a server. */
  readonly #starts = new Set<number>()
  /** Tools that rules leave open in another way; there are few. */
  readonly #patterns: string[] = []
  /** Whether a rule is about files. */
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

  /** A rule about files that are named. */
  findFiles(files: FileProbe): Found | undefined {
    return this.#best(files.tools, shelf => shelf.findFiles(files))
  }

  /** A rule about some uses of a tool, but not about all of them. */
  partial({ tools }: Pick<Probe, 'tools'>): Found | undefined {
    return this.#best(tools, shelf => shelf.some)
  }

  /** A rule that forbids some files, where it cannot be told which ones a call is about. */
  partialFiles({ tools }: Pick<FileProbe, 'tools'>): Found | undefined {
    return this.#best(tools, shelf => shelf.someFiles)
  }

  /** A rule that forbids a file that lies in a folder which is searched, with the path of that file. */
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
 * What a probe falls under as a whole, or else what each of its parts does.
 * @returns one for each part; or the first part that falls under nothing
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

/** Files in a folder that are looked at before what is searched there counts as unseen. */
const mostSearched = 5000
/** What stands for any name. */
const anyName = '/\uE000'

interface FoundPattern extends Found {
  readonly pattern: PathPattern
}

function placed(place: FileProbe['place'], { top = place.cwd }: Rule): FileProbe['place'] & { readonly top: string } {
  return { ...place, top }
}

/** The rules about one tool. */
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

  /** What allows covers every file, and what forbids is about one of them, or about all that is in it. */
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

/** Texts that others begin with. */
class Starts {
  readonly #byText = new Map<string, Found>()
  readonly #lengths = new Set<number>()

  add(text: string, found: Found, wins: 'first' | 'last'): void {
    this.#byText.set(text, better(this.#byText.get(text), found, wins) ?? found)
    this.#lengths.add(text.length)
  }

  /** @param mark what has to follow, unless the text ends there; undefined: nothing */
  find({ text, from }: Candidate, mark: string | undefined, wins: 'first' | 'last'): Found | undefined {
    let best: Found | undefined
    // As many look-ups as there are different lengths, and not as there are rules.
    for (const length of this.#lengths) {
      if (length > text.length || length < from) continue
      if (mark !== undefined && length < text.length && text[length] !== mark) continue
      best = better(best, this.#byText.get(text.slice(0, length)), wins)
    }
    return best
  }
}
