import {
  pathOf,
  type Catalog,
  type CatalogEntry,
  type Collision,
  type Command,
  type CommandRef,
  type Status,
} from '@skills/core'

/** Row of a list: a command that can be invoked, or a command that cannot, with the reason. */
export interface Listed {
  readonly state: Status
  readonly name: string
  readonly source: string | undefined
  readonly provider: string | undefined
  readonly path: string | undefined
  /** Undefined if it failed to load. */
  readonly command: Command | undefined
  readonly shadowedBy?: CommandRef | undefined
  /** Reason why its name could be mistaken for another one. */
  readonly doubt?: string | undefined
  /** Reason why it cannot be invoked by its plain name. */
  readonly reason?: string | undefined
}

/** Returns the commands with a plain name, highest precedence first. */
export function activeOnes({ entries }: Catalog): Listed[] {
  const active: Listed[] = []
  for (const entry of entries) if (!entry.isQualified) active.push(listedAs('active', entry.name, entry))
  return active
}

/**
 * Returns the active commands, then those that have a qualified name, lost their name, are switched off or failed to
 * load.
 */
export function allOnes(catalog: Catalog): Listed[] {
  const lost = new Map<Command, Collision>(catalog.collisions.map(collision => [collision.loser.command, collision]))
  const rest: Listed[] = []
  for (const entry of catalog.entries) {
    if (entry.isQualified) rest.push({ ...listedAs('qualified', entry.name, entry), ...fate(lost.get(entry.command)) })
  }
  for (const collision of catalog.collisions) {
    const { loser, name, rule, reachableAs } = collision
    if (reachableAs === undefined)
      rest.push({ ...listedAs(rule === 'precedence' ? 'shadowed' : 'duplicate', name, loser), ...fate(collision) })
  }
  for (const { name, command, provider, override, barred } of catalog.disabled) {
    const reason =
      barred ??
      (override === 'off'
        ? 'The configuration switches the skill off.'
        : 'The skill is not enabled: the skill itself or its source says so.')
    rest.push({ ...listedAs('disabled', name, { command, provider }), reason })
  }
  return [...activeOnes(catalog), ...rest, ...failedOnes(catalog)]
}

/** Returns skills that failed to load, one row for each file. */
function failedOnes({ errors, entries }: Catalog): Listed[] {
  const loaded = new Set(entries.map(({ command }) => pathOf(command).path))
  const failed = new Map<string, Listed>()
  for (const { name, path, provider, message } of errors) {
    if (name === undefined || loaded.has(path)) continue
    const key = path ?? `${provider ?? ''}:${name}`
    // The source is not known for a skill that failed to load, so the provider stands for it.
    if (!failed.has(key))
      failed.set(key, { state: 'failed', name, source: provider, provider, path, command: undefined, reason: message })
  }
  return [...failed.values()]
}

function listedAs(
  state: Status,
  name: string,
  { command, provider, doubt }: Collision['loser'] & Pick<CatalogEntry, 'doubt'>,
): Listed {
  const path = command.type === 'prompt' ? command.filePath : undefined
  return { state, name, source: command.source, provider, path, command, doubt }
}

function fate(collision: Collision | undefined): Pick<Listed, 'shadowedBy' | 'reason'> {
  if (collision === undefined) return {}
  const {
    winner: { name, command, provider },
    reason,
  } = collision
  return { shadowedBy: { name, source: command.source, provider, ...pathOf(command) }, reason }
}
