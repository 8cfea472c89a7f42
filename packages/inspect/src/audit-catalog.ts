import * as s from '@skills/core/schema'
import { abortError, type Catalog, type CatalogEntry, type PromptCommand } from '@skills/core'
import { auditHooks } from './plugin-hooks.js'
import { auditSkill, type AuditOptions } from './audit-skill.js'
import { highestLevel, type AuditCode, type AuditedSkill, type AuditFinding } from './audit-finding.js'

export interface CatalogAudit {
  /** In order of precedence. */
  readonly skills: readonly AuditedSkill[]
  /** Number of findings by code, for the codes that occur. */
  readonly counts: Readonly<Partial<Record<AuditCode, number>>>
}

const catalogAuditOptions = s.options('auditCatalog()', {
  /** Called after each skill with the number done and the total. */
  onProgress: s.fn<(done: number, total: number) => void>(),
  /** Hooks of plugins, from `pluginHooksOf`, which are audited too. Default: none. */
  hooks: s.list(s.typed<PromptCommand>('a prompt command')).default([]),
  signal: s.typed<AbortSignal>('an AbortSignal', 'aborted'),
  /** Returns the agents that get the skills, in place of `embedded`; see `AuditOptions`. */
  agents: s.fn<NonNullable<AuditOptions['agents']>>(),
  /**
   * Rules for embedded commands, as in `@skills/expansion/shell`; `false`: no command is embedded, for a host without
   * such an expander. Default: its own rules.
   */
  embedded: s.either(s.oneOf(false), s.typed<Exclude<AuditOptions['embedded'], false | undefined>>('an object')),
})

export interface CatalogAuditOptions extends s.OptionsOf<typeof catalogAuditOptions> {}

/** Number of files that are read at the same time. */
const atOnce = 8

/**
 * Audits every invocable skill of a catalog. Skips those that lost their name, are switched off or did not load,
 * because they can do nothing. See docs/reference/lint.md, "Audit".
 * @throws AbortError if the signal aborts
 */
export async function auditCatalog(
  catalog: Pick<Catalog, 'entries'>,
  given?: CatalogAuditOptions,
): Promise<CatalogAudit> {
  const { onProgress, hooks, ...ofEach } = catalogAuditOptions.read(given)
  const { signal } = ofEach
  const prompts = catalog.entries.flatMap(entry =>
    entry.command.type === 'prompt' ? [{ entry, command: entry.command }] : [],
  )
  const skills: AuditedSkill[] = []
  let [next, done] = [0, 0]
  const work = async (): Promise<void> => {
    for (let at = next++; at < prompts.length; at = next++) {
      if (signal?.aborted === true) throw abortError(signal)
      const prompt = prompts[at]
      if (prompt !== undefined) skills[at] = await auditEntry(prompt.entry, prompt.command, ofEach)
      onProgress?.(++done, prompts.length)
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, prompts.length) }, work))
  const all = [...skills, ...auditHooks(hooks)]
  return { skills: all, counts: countsOf(all) }
}

/** Joins two audits. A file of both is reported once. */
export function joinAudits(first: CatalogAudit, second: CatalogAudit): CatalogAudit {
  const known = new Set(first.skills.map(({ path }) => path))
  const skills = [...first.skills, ...second.skills.filter(({ path }) => path === undefined || !known.has(path))]
  return { skills, counts: countsOf(skills) }
}

async function auditEntry(
  { name, doubt }: CatalogEntry,
  command: PromptCommand,
  options: AuditOptions,
): Promise<AuditedSkill> {
  const found = await auditSkill(command, options)
  const findings: readonly AuditFinding[] =
    doubt === undefined
      ? found
      : [{ level: 'high', code: 'misleading-name', message: doubt, path: command.filePath, text: name }, ...found]
  return { name, source: command.source, path: command.filePath, level: highestLevel(findings), findings }
}

function countsOf(skills: readonly AuditedSkill[]): Partial<Record<AuditCode, number>> {
  const counts: Partial<Record<AuditCode, number>> = {}
  for (const { code } of skills.flatMap(({ findings }) => findings)) counts[code] = (counts[code] ?? 0) + 1
  return counts
}
