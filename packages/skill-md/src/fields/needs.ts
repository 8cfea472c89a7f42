import { asText, asTextList, isRecord } from './field-values.js'
import { splitNames } from './tool-list.js'

/** Requirements of a skill on the machine where it runs. The keys are those of agents that read `requires` as a map. */
export interface SkillNeeds {
  /** Programs, all of which are needed. */
  readonly bins: readonly string[]
  /** Programs, one of which is enough. */
  readonly anyBins: readonly string[]
  /** Variables of the environment. */
  readonly env: readonly string[]
  /** Settings of the program that the skill was written for. */
  readonly config: readonly string[]
  /** Names of MCP servers. */
  readonly mcp: readonly string[]
  /** Systems, one of which is enough, in Node's words: `darwin`, `linux`, `win32`. */
  readonly os: readonly string[]
}

/** Keys that are read. Any other key, such as `pip`, stays in the metadata without effect. */
export const needKeys = [
  'bins',
  'anyBins',
  'env',
  'config',
  'mcp',
  'os',
] as const satisfies readonly (keyof SkillNeeds)[]

/** Programs that have a map of their own below `metadata`. */
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

/** Most names of one kind that count; no skill written by hand needs more. */
const mostNames = 100

/**
 * Returns the needs under `requires`, and under `requires` and `os` of `openclaw` and `clawdbot`. Returns undefined if
 * there are none. Ignores a value that is neither text nor a list nor a map by names.
 * @param metadata metadata of a skill, as read
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
