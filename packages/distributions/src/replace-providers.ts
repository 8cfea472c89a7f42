import { gateKind, rendererKind, sourceKind, type KindDefinition, type Plugin, type Provider } from '@skills/core'
import { invocationKinds } from '@skills/invocation'
import { formatterKind, strategyKind } from '@skills/invocation/skill-tool'
import { runsKind } from '@skills/runs/kind'
import { stateKind } from '@skills/state'
import { expanderKind, shellKind } from '@skills/expansion'

/** Kinds that a distribution knows, in addition to the engine's own. */
export const distributionKinds: readonly KindDefinition[] = [
  ...invocationKinds,
  stateKind,
  runsKind,
  expanderKind,
  shellKind,
  formatterKind,
  strategyKind,
]

const known: readonly KindDefinition[] = [sourceKind, gateKind, rendererKind, ...distributionKinds]

/** Kinds of which an engine has at most one provider. */
const single: ReadonlySet<string> = new Set(known.filter(({ arity }) => arity === 'one').map(({ kind }) => kind))

export const knownKinds: readonly string[] = known.map(({ kind }) => kind)

/** Plugin that is a single provider. */
export type Single = Exclude<Plugin, readonly unknown[]>

/** True if one provider replaces another: their kind takes only one, or they have the same id. */
export function replaces(one: Pick<Provider, 'kind' | 'id'>, other: Pick<Provider, 'kind' | 'id'>): boolean {
  return one.kind === other.kind && (single.has(one.kind) || one.id === other.id)
}

/** Returns the plugins, with the given ones in place of those that they replace. */
export function withReplacements(plugins: readonly Plugin[], given: readonly Plugin[]): readonly Plugin[] {
  const providers = given.flat() as readonly Single[]
  return [
    ...(plugins.flat() as readonly Single[]).filter(one => !providers.some(other => replaces(other, one))),
    ...given,
  ]
}
