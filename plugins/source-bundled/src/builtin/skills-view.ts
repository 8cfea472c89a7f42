import type { CatalogView, Command, Status, View } from '@skills/core'

/** Most problems that are shown. The others are counted. */
const mostProblems = 5

/**
 * Makes the view of `/skills`: all problems and every prompt, including prompts that lost their name or are switched
 * off.
 */
export function skillsView(catalog: CatalogView): View {
  const found = [
    ...catalog.entries.map(({ name, command, isQualified }) =>
      rowOf(name, command, isQualified ? 'qualified' : 'active'),
    ),
    ...catalog.collisions
      .filter(({ reachableAs }) => reachableAs === undefined)
      .map(({ name, loser, rule }) => rowOf(name, loser.command, rule === 'precedence' ? 'shadowed' : 'duplicate')),
    ...catalog.disabled.map(({ name, command, barred }) => rowOf(name, command, 'disabled', barred)),
  ].flat()
  const problems = [...catalog.errors, ...catalog.warnings]
  return {
    title: 'Skills',
    ...(found.length === 0
      ? { text: ['There are no skills.'] }
      : { table: { columns: ['Name', 'Source', 'Description', 'State'], rows: found.map(({ cells }) => cells) } }),
    notes: [
      ...(found.length === 0 ? [] : [countsOf(found.map(({ status }) => status))]),
      ...problems
        .slice(0, mostProblems)
        .map(({ severity, message, hint }) => `${severity}: ${message}${hint === undefined ? '' : ` ${hint}`}`),
      ...(problems.length > mostProblems ? [`and ${problems.length - mostProblems} more errors and warnings`] : []),
    ],
  }
}

interface Row {
  readonly status: Status
  readonly cells: readonly string[]
}

/** Makes the row of a skill. Commands that run in the host have none. */
function rowOf(name: string, command: Command, status: Status, why?: string): Row | [] {
  if (command.type !== 'prompt') return []
  return {
    status,
    cells: [name, command.source, command.description, why === undefined ? words[status] : `${words[status]}: ${why}`],
  }
}

const words: Readonly<Record<Status, string>> = {
  active: 'active',
  qualified: 'active under this name',
  duplicate: 'the same as another',
  shadowed: 'shadowed',
  disabled: 'disabled',
  failed: 'failed to load',
  gone: 'gone',
}

/** Formats counts, such as `3 skills: 2 active, 1 disabled`. */
function countsOf(statuses: readonly Status[]): string {
  const counts = new Map<Status, number>()
  for (const status of statuses) counts.set(status, (counts.get(status) ?? 0) + 1)
  return `${statuses.length} skill${statuses.length === 1 ? '' : 's'}: ${[...counts].map(([status, count]) => `${count} ${words[status]}`).join(', ')}`
}
