import { asText, asTextList, isRecord } from './field-values.js'
import { splitNames } from './tool-list.js'

/** What a skill says that it needs of where it runs, in the words of agents that have `requires` as a map. */
export interface SkillNeeds {
  /** Programs, all of them. */
  readonly bins: readonly string[]
  /** Programs, one of which is enough. */
  readonly anyBins: readonly string[]
  /** Variables of the environment. */
  readonly env: readonly string[]
  /** Settings of the program that the skill was written for. */
  readonly config: readonly string[]
  /** Names of MCP servers. */
  readonly mcp: readonly string[]
  /** Systems, one of which is enough, as Node names them: `darwin`, `linux`, `win32`. */
  readonly os: readonly string[]
}

/** The keys that are read; any other, such as `pip`, stays in the metadata and says nothing here. */
export const needKeys = [
  'bins',
  'anyBins',
  'env',
  'config',
  'mcp',
  'os',
] as const satisfies readonly (keyof SkillNeeds)[]

/** Programs that keep what is theirs in a map of their own below `metadata`. */
const dialects = ['openclaw', 'clawdbot'] as const

const systems: Readonly<Record<string, string>> = {
  macos: 'darwin',
  mac: 'darwin',
  osx: 'darwin',
  windows: 'win32',
  win: 'win32',
}

function systemOf(name: string): string {
  return (Object.hasOwn(systems, name) ? systems[name] : undefined) ?? name
}

/** Names of one kind that count: no skill that was written by hand needs more. */
const mostNames = 100

/**
 * What stands under `requires`, and under `requires` and `os` of `openclaw` and `clawdbot`. Undefined when a skill
 * needs nothing of the kind. A value that is neither text nor a list, nor a map by names, says nothing.
 * @param metadata of a skill, as it was read
 */
export function needsOf(metadata: Readonly<Record<string, unknown>>): SkillNeeds | undefined {
  const found: Record<keyof SkillNeeds, Set<string>> = {
    bins: new Set(),
    anyBins: new Set(),
    env: new Set(),
    config: new Set(),
    mcp: new Set(),
    os: new Set(),
  }
  const take = (map: unknown, keys: readonly (keyof SkillNeeds)[]): void => {
    if (!isRecord(map)) return
    for (const key of keys)
      for (const name of namesIn(map[key]))
        if (found[key].size < mostNames) found[key].add(key === 'os' ? systemOf(name.toLowerCase()) : name)
  }
  take(metadata['requires'], needKeys)
  for (const dialect of dialects) {
    const own = metadata[dialect]
    if (!isRecord(own)) continue
    take(own['requires'], needKeys)
    take(own, ['os'])
  }
  const entries = needKeys.map(key => [key, [...found[key]]] as const)
  return entries.every(([, names]) => names.length === 0)
    ? undefined
    : (Object.fromEntries(entries) as Record<keyof SkillNeeds, readonly string[]>)
}

function namesIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) {
    const names = asTextList(value)
    return typeof names === 'number' ? [] : names
  }
  return isRecord(value) ? Object.keys(value) : splitNames(asText(value) ?? '')
}
