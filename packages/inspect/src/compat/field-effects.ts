import { existsSync } from 'node:fs'
import { Root } from '@skills/state/writer'
import { fieldOf } from '@skills/core/fields'
import { Invoker } from '@skills/invocation'
import { enginePort } from '@skills/invocation/skill-tool'
import { agentEngine, fileOf } from './agent-look.js'
import { bodyFeatures } from './body-features.js'
import { facetNames, facetsOf, requestRecorder, type Facet, type Facets } from './facets.js'
import { plainBody, sampleAgent, samplesOf } from './field-samples.js'
import type { CompatAgent } from './compat-types.js'

/** Effects of fields with an agent, and the features of bodies that it supports. */
export interface FieldEffects {
  /** Effects by key, with `fork:` before those in a fork. Empty if the field has none. */
  readonly fields: ReadonlyMap<string, ReadonlySet<Effect>>
  /** Features that the agent replaces before the text reaches the model. */
  readonly features: ReadonlySet<string>
}

export type Effect = Facet | `fork:${Facet}`

export interface EffectsCall {
  /** Real folder for samples. Agents that read them at the same place may share it. */
  readonly ground: string
  /** Agent's folder of skills below a project, such as `.agents/skills`. */
  readonly place: string
  /** Keys of frontmatter. */
  readonly keys: readonly string[]
  readonly features: readonly string[]
  readonly signal: AbortSignal
}

interface Probe {
  readonly name: string
  readonly frontmatter: Readonly<Record<string, unknown>>
  readonly body: string
  /** Property of the command that stores the tried field. */
  readonly kept: string | undefined
}

/**
 * Tries each field: gives the agent's distribution sample skills with and without the field, lists and invokes both,
 * and compares the results. The differences are the field's effect. Runs no command and asks no model.
 */
export async function effectsOf(agent: CompatAgent, call: EffectsCall): Promise<FieldEffects> {
  const probes = new Map<string, Probe>()
  const probe = (frontmatter: Probe['frontmatter'], body: string, kept?: string): Probe => {
    const key = JSON.stringify([frontmatter, body, kept])
    const known = probes.get(key) ?? { name: `probe-${probes.size}-z`, frontmatter, body, kept }
    probes.set(key, known)
    return known
  }
  const tried = call.keys.map(key => ({
    key,
    pairs: samplesOf(key).map(({ frontmatter, without, body, isFork }) => {
      const kept = keptOf(key)
      return { isFork, one: probe(frontmatter, body, kept), other: probe(without, body, kept) }
    }),
  }))
  const asked = bodyFeatures
    .filter(({ name }) => call.features.includes(name))
    .map(({ name, sample }) => ({ name, sample, probe: probe({}, sample) }))
  // Effects that any key has do not count, for example with an agent that gives its model the whole file.
  const [control, none] = [probe({ 'no-field': 'only-this' }, plainBody), probe({}, plainBody)]
  const seen = await facetsOfAll(agent, [...probes.values()], call)
  const noise = difference(seen.get(control), seen.get(none))
  const fields = new Map(
    tried.map(({ key, pairs }) => [
      key,
      new Set(
        pairs.flatMap(({ isFork, one, other }) =>
          difference(seen.get(one), seen.get(other))
            .filter(facet => !noise.includes(facet))
            .map((facet): Effect => (isFork ? `fork:${facet}` : facet)),
        ),
      ),
    ]),
  )
  const isFilled = (one: (typeof asked)[number]): boolean =>
    seen.get(one.probe)?.text.includes(JSON.stringify(one.sample).slice(1, -1)) === false
  return { fields, features: new Set(asked.filter(isFilled).map(({ name }) => name)) }
}

/** Returns the facets in which two skills differ, without those that follow from another one. */
function difference(one: Facets | undefined, other: Facets | undefined): readonly Facet[] {
  // A skill that is lost because of a field has no name.
  if (one === undefined || other === undefined) return one === other ? [] : ['name']
  const all = facetNames.filter(facet => one[facet] !== other[facet])
  const first = consequences.find(([cause]) => all.includes(cause))
  const own = first === undefined ? all : all.filter(facet => !first[1].includes(facet))
  return own.length > 1 ? own.filter(facet => facet !== 'kept') : own
}

/** Facets that change along with another one, and then mean nothing by themselves. */
const consequences: readonly (readonly [Facet, readonly Facet[]])[] = [
  ['active', facetNames.filter(facet => facet !== 'active')],
  ['runs', facetNames.filter(facet => facet !== 'runs')],
  ['name', ['title', 'told', 'text', 'kept']],
]

async function facetsOfAll(
  agent: CompatAgent,
  probes: readonly Probe[],
  { ground, place, signal }: EffectsCall,
): Promise<ReadonlyMap<Probe, Facets>> {
  const project = `${ground}/project`
  const paths = new Map(probes.map(one => [`${project}/${place}/${one.name}/SKILL.md`, one]))
  if (!existsSync(ground)) {
    const root = new Root(ground, { kind: 'temporary' })
    for (const folder of ['project/.git', 'home']) root.makeFolder(folder)
    root.create(`project/.claude/agents/${sampleAgent}.md`, `---\nname: ${sampleAgent}\n---\nPlan it.\n`)
    for (const [path, one] of paths) root.create(path.slice(ground.length + 1), textOf(one))
  }
  const recorder = requestRecorder()
  const { skills, distribution } = agentEngine(agent, {
    host: { cwd: project, home: `${ground}/home`, env: {} },
    plugins: [recorder.plugin],
  })
  try {
    const catalog = await skills.catalog({ signal })
    const { port, invoker } = distribution
    const listing = await enginePort(skills, { ...port, invoker: new Invoker(skills, invoker) }).listing(
      { contextWindow: 1_000_000, ...(port.leavesOutDenied === 'agents' && { agentId: 'main' }) },
      { signal },
    )
    const listed = new Map(listing.entries.map(({ name, text }) => [name, text]))
    const seen = new Map<Probe, Facets>()
    const alike = new Map<string, Facets>()
    for (const entry of [...catalog.entries, ...catalog.disabled]) {
      const one = paths.get(fileOf(entry) ?? '')
      if (one === undefined) continue
      const observed = { entry, listed: listed.get(entry.name), own: one.name, kept: one.kept }
      // A sample that differs from another only in its file is not invoked again: most agents ignore most fields.
      const has = [one.body, one.kept, observed.listed, entry.name, entry.dormant, entry.command]
      const key = JSON.stringify(has, (name, value: unknown) => (name === 'file' ? undefined : value))
      const same = key.replaceAll(one.name, '@')
      const facets = alike.get(same) ?? (await facetsOf(observed, catalog, skills, distribution, recorder))
      alike.set(same, facets)
      seen.set(one, facets)
    }
    return seen
  } finally {
    await skills.close()
  }
}

/** Returns the property of a command that stores a field, for a field that changes nothing else. */
function keptOf(key: string): string | undefined {
  const field = fieldOf(key)
  return field !== undefined && !field.asks && /listing|hosts|audit/.test(field.readers) ? field.property : undefined
}

function textOf({ name, frontmatter, body }: Probe): string {
  const all = { name, description: `What ${name} does`, ...frontmatter }
  return `---\n${Object.entries(all)
    .map(([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}\n`)
    .join('')}---\n${body}\n`
}
