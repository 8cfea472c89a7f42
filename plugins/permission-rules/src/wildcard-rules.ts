import { nameKey } from '@skills/core'
import { broadForm, findEach, RuleSet, type Probe, type Rule } from '@skills/rules/internal'
import type { Behavior, RuleContent, PermissionRequest } from '@skills/rules'
import { strictProbeOf, type FileGround } from './probe.js'
import { isInside } from '@skills/files/internal'
import { isBehavior } from './settings.js'

/**
 * Behaviour by tool, or by tool and pattern, with `*` and `?` in both: `{ "*": "ask", "skill": { "internal-*": "deny" }
 * }`.
 */
export type WildcardMap = Readonly<Record<string, Behavior | Readonly<Record<string, Behavior>>>>

export interface WildcardSource {
  /** A word for where the map stands. */
  readonly source: string
  readonly map: WildcardMap
}

/** The last of the rules that match decides. See docs/reference/permissions.md, "Permissions". */
export class WildcardRules {
  readonly rules: readonly Rule[]
  readonly #allowing: RuleSet
  readonly #forbidding: RuleSet

  constructor(sources: readonly WildcardSource[]) {
    this.rules = sources.flatMap(rulesOf)
    // Each set has all the rules, so that places compare; those of the other sort match nothing in it.
    const only = (keep: (rule: Rule) => boolean, form: (text: string) => string): RuleSet =>
      new RuleSet(
        this.rules.map(rule => (keep(rule) ? rule : nothing)),
        { prefix: 'segment', wins: 'last', form: text => form(text).replaceAll('\\', '/') },
      )
    this.#allowing = only(({ behavior }) => behavior === 'allow', nameKey)
    this.#forbidding = only(({ behavior }) => behavior !== 'allow', broadForm)
  }

  /** @param broad the request as it may be forbidden */
  find(request: PermissionRequest, broad: Probe, ground: FileGround): Rule | undefined {
    if (this.rules.length === 0) return undefined
    const each = findEach(eachFile(strictProbeOf(request, ground)), probe =>
      this.#allowing.find(forMap(probe, request)),
    )
    // Of several commands the one that is allowed by the earliest entry is the first that a later one forbids.
    const [allowed] = 'found' in each ? each.found.toSorted((a, b) => a.at - b.at) : []
    const forbidden = this.#forbidding.find(forMap(broad, request))
    return (allowed?.at ?? -1) > (forbidden?.at ?? -1) ? allowed?.rule : forbidden?.rule
  }

  /** A rule that forbids some of a tool, but not all of it. */
  partial(request: PermissionRequest, broad: Probe): Rule | undefined {
    return this.#forbidding.partial(forMap(broad, request))?.rule
  }
}

const nothing: Rule = { behavior: 'ask', text: '', source: '', tool: '', content: { kind: 'any' } }

/** A probe as a map sees it, which knows no sources: `user*` must not be every skill of the user. */
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

/** A path as maps have it: from the working folder, where it lies there, and from the root. */
function textsOf(path: string, cwd: string | undefined): readonly string[] {
  return cwd !== undefined && isInside(path, cwd) ? [path.slice(cwd.length + 1), path] : [path]
}

/** Of a tool for files each path that leads to one has to be allowed by itself. */
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

function rulesOf({ source, map }: WildcardSource): readonly Rule[] {
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

/** What begins in a plain way is found without trying every pattern. */
function contentOf(pattern: string): RuleContent {
  if (pattern === '*') return { kind: 'any' }
  if (!/[*?]/.test(pattern)) return { kind: 'exact', text: pattern }
  const start = pattern.slice(0, -1)
  if (!pattern.endsWith('*') || /[*?]/.test(start)) return { kind: 'pattern', text: pattern }
  return start.endsWith(' ') ? { kind: 'words', text: start.slice(0, -1) } : { kind: 'start', text: start }
}
