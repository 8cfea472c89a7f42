import { nameKey } from '@skills/core'
import { broadForm, findEach, RuleSet, type Probe, type Rule } from '@skills/rules/internal'
import type { Behavior, RuleContent, PermissionRequest } from '@skills/rules'
import { strictProbeOf, type FileGround } from './rule-book.js'
import { isInside } from '@skills/files/internal'
import { isBehavior } from './settings.js'

/**
 * Behaviour by tool, or by tool and pattern, with `*` and `?` in both: `{ "*": "ask", "skill": { "internal-*": "deny" }
 * }`.
 */
export type WildcardMap = Readonly<Record<string, Behavior | Readonly<Record<string, Behavior>>>>

/** Map of wildcards that a host gives. */
export interface WildcardMapSource {
  /** Word for the place of the map. */
  readonly source: string
  readonly map: WildcardMap
}

/**
 * Maps of settings that only restrict: an entry that allows lifts an earlier one of the same source, and allows nothing
 * by itself. They are read when the first decision is made.
 */
export interface NarrowingSource {
  readonly source: string
  readonly narrowing: () => readonly WildcardMap[]
}

export type WildcardSource = WildcardMapSource | NarrowingSource

/**
 * Rules that are given as {@link WildcardMap}. The last rule that matches decides, and each source that narrows decides
 * by itself: the strictest decision holds. See docs/reference/permissions.md, "Permissions".
 */
export class WildcardRules {
  readonly rules: readonly Rule[]
  readonly #own: Chain
  readonly #narrowing: readonly Chain[]

  constructor(sources: readonly WildcardSource[]) {
    this.#own = new Chain(sources.flatMap(one => ('map' in one ? rulesOf(one) : [])))
    this.#narrowing = sources.flatMap(one => {
      if ('map' in one) return []
      const rules = one.narrowing().flatMap(map => rulesOf({ source: one.source, map }))
      return rules.length === 0 ? [] : [new Chain(rules)]
    })
    this.rules = [this.#own, ...this.#narrowing].flatMap(({ rules }) => rules)
  }

  /** @param broad probe of the request that may be forbidden */
  find(request: PermissionRequest, broad: Probe, ground: FileGround): Rule | undefined {
    const own = this.#own.find(request, broad, ground)
    const found = this.#narrowing.map(chain => chain.find(request, broad, ground))
    return [own, ...found].find(is('deny')) ?? [own, ...found].find(is('ask')) ?? own
  }

  /** Finds a rule that forbids some uses of a tool, but not all. */
  partial(request: PermissionRequest, broad: Probe): Rule | undefined {
    return [this.#own, ...this.#narrowing].map(chain => chain.partial(request, broad)).find(one => one !== undefined)
  }
}

const is = (behavior: Behavior) => (rule: Rule | undefined) => rule?.behavior === behavior

/** Rules of which the last one that matches decides. */
class Chain {
  readonly rules: readonly Rule[]
  readonly #allowing: RuleSet
  readonly #forbidding: RuleSet

  constructor(rules: readonly Rule[]) {
    this.rules = rules
    // Each set has all the rules, so that their indexes compare. Rules of the other kind match nothing in it.
    const only = (keep: (rule: Rule) => boolean, form: (text: string) => string): RuleSet =>
      new RuleSet(
        rules.map(rule => (keep(rule) ? rule : nothing)),
        { prefix: 'segment', wins: 'last', form: text => form(text).replaceAll('\\', '/') },
      )
    this.#allowing = only(({ behavior }) => behavior === 'allow', nameKey)
    this.#forbidding = only(({ behavior }) => behavior !== 'allow', broadForm)
  }

  find(request: PermissionRequest, broad: Probe, ground: FileGround): Rule | undefined {
    if (this.rules.length === 0) return undefined
    const each = findEach(eachFile(strictProbeOf(request, ground)), probe =>
      this.#allowing.find(forMap(probe, request)),
    )
    // If several commands are allowed, a later entry forbids first the one whose allowing entry comes first.
    const [allowed] = 'found' in each ? each.found.toSorted((a, b) => a.at - b.at) : []
    const forbidden = this.#forbidding.find(forMap(broad, request))
    return (allowed?.at ?? -1) > (forbidden?.at ?? -1) ? allowed?.rule : forbidden?.rule
  }

  partial(request: PermissionRequest, broad: Probe): Rule | undefined {
    return this.#forbidding.partial(forMap(broad, request))?.rule
  }
}

const nothing: Rule = { behavior: 'ask', text: '', source: '', tool: '', content: { kind: 'any' } }

/** Converts a probe for a map, which has no sources: `user*` must not match every skill of the user. */
function forMap({ tools, whole, open, files }: Probe, { tool }: PermissionRequest): Probe {
  const forms = (files?.files ?? []).flatMap(file => file.forms).flatMap(form => textsOf(form, files?.place.cwd))
  const turned = (all: Probe['whole']): Probe['whole'] =>
    all
      .filter(({ from }) => tool !== 'Skill' || from === 0)
      .map(one => ({ ...one, text: one.text.replaceAll('\\', '/') }))
  const more = forms.map(form => ({ text: broadForm(form), from: 0 }))
  return {
    tools: tools.map(one => one.toLowerCase()),
    whole: turned([...whole, ...more]),
    open: turned([...open, ...more]),
  }
}

/** Returns a path as maps write it: from the root and, if it is there, from the working folder. */
function textsOf(path: string, cwd: string | undefined): readonly string[] {
  return cwd !== undefined && isInside(path, cwd) ? [path.slice(cwd.length + 1), path] : [path]
}

/** Splits the probe of a file tool by path, since each path to a file has to be allowed by itself. */
function eachFile(probe: Probe): Probe {
  const { files, ...rest } = probe
  if (files === undefined) return probe
  if (files.unseen !== undefined) return { ...rest, whole: [], open: [] }
  const parts = files.files.flatMap(({ certain }) =>
    certain.map((path): Probe => {
      const texts = textsOf(path, files.place.cwd).map(text => ({ text: nameKey(text), from: 0 }))
      return { tools: probe.tools, whole: texts, open: texts }
    }),
  )
  return { tools: probe.tools, whole: [], open: [], parts }
}

function rulesOf({ source, map }: WildcardMapSource): readonly Rule[] {
  return Object.entries(map).flatMap(([tool, value]) =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).map(([pattern, behavior]) => ruleOf(source, tool, pattern, behavior))
      : ruleOf(source, tool, '*', value),
  )
}

function ruleOf(source: string, tool: string, pattern: string, behavior: unknown): Rule {
  const text = `${tool}: { ${JSON.stringify(pattern)}: ${JSON.stringify(behavior) ?? 'nothing'} }`
  return {
    behavior: isBehavior(behavior) ? behavior : 'ask',
    source,
    tool: tool.toLowerCase(),
    content: contentOf(pattern),
    text,
    ...(isBehavior(behavior) ? {} : { broken: `the entry ${text} of ${source} says neither allow nor deny nor ask` }),
  }
}

/** Reads a pattern. Those with a plain beginning are found without trying every pattern. */
function contentOf(pattern: string): RuleContent {
  if (pattern === '*') return { kind: 'any' }
  if (!/[*?]/.test(pattern)) return { kind: 'exact', text: pattern }
  const start = pattern.slice(0, -1)
  if (!pattern.endsWith('*') || /[*?]/.test(start)) return { kind: 'pattern', text: pattern }
  return start.endsWith(' ') ? { kind: 'words', text: start.slice(0, -1) } : { kind: 'start', text: start }
}
