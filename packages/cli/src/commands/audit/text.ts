import { shownName } from '@skills/core'
import { auditLevels } from '@skills/inspect'
import type { AuditFinding, AuditLevel, AuditedSkill, CatalogAudit } from '@skills/inspect/internal'
import { printableLine, printable } from '../../output/printable.js'
import { folded } from '../../output/folded.js'
import { shownPath, withShownPaths } from '../../output/shown-path.js'
import { styleOf, type Style } from '../../output/style.js'
import { columnOf, cut, nameColumn, pad, widthOf } from '../../output/width.js'
import type { Invocation } from '../../arguments/invocation.js'
import type { Io } from '../../io.js'

/** Shown as the level of a skill without findings. */
const noLevel = 'none'

/** Sorts skills by level, highest first. Skills of one level keep their order of precedence. */
function byLevel(skills: readonly AuditedSkill[]): readonly AuditedSkill[] {
  const rank = ({ level }: AuditedSkill): number => (level === undefined ? -1 : auditLevels.indexOf(level))
  return skills.toSorted((a, b) => rank(b) - rank(a))
}

/** Prints every skill with its highest level: a table for people, lines for programs. */
export function printAudit({ skills }: CatalogAudit, { isColorless }: Invocation, { stdout, stderr, env }: Io): void {
  const rows = byLevel(skills).map(one => ({
    one,
    name: shownName(one.name),
    source: printable(one.source),
    level: one.level ?? noLevel,
    what: whatText(one.findings),
  }))
  if (!stdout.isTerminal)
    stdout.write(rows.map(({ name, source, level, what }) => `${[name, source, level, what].join('\t')}\n`).join(''))
  else if (rows.length > 0) {
    const style = styleOf(stdout, env, isColorless)
    const { title, names } = nameColumn(
      rows.map(({ name }) => name),
      stdout.columns,
    )
    const sourceCells = columnOf(['SOURCE', ...rows.map(({ source }) => source)])
    const levelCells = columnOf(['LEVEL', ...auditLevels])
    const lines = [style.dim([title, pad('SOURCE', sourceCells), pad('LEVEL', levelCells), 'FINDINGS'].join('  '))]
    for (const [at, { one, source, level, what }] of rows.entries()) {
      const name = names[at] ?? ''
      const left = [
        style.bold(name),
        pad(source, sourceCells),
        paint(one.level, style)(what === '' ? level : pad(level, levelCells)),
      ]
      const cells = widthOf(name) + sourceCells + levelCells + 6
      lines.push([...left, ...(what === '' ? [] : [cut(what, stdout.columns - cells)])].join('  '))
    }
    stdout.write(`${lines.join('\n')}\n`)
  }
  const counts = [...auditLevels]
    .reverse()
    .map(level => [skills.filter(one => one.level === level).length, level] as const)
    .filter(([count]) => count > 0)
  stderr.write(
    `${skills.length} ${skills.length === 1 ? 'skill' : 'skills'} checked${counts.length === 0 ? '' : `: ${counts.map(([count, level]) => `${count} ${level}`).join(', ')}`}.\n`,
  )
}

/** Prints each finding of one skill on a line: `file:line:column  level  message  code`. */
export function printAudited({ skills }: CatalogAudit, { isColorless }: Invocation, io: Io): void {
  const { stdout, env, cwd } = io
  const style = styleOf(stdout, env, isColorless)
  for (const { name, source, level, findings } of skills) {
    const title = [style.bold(shownName(name)), paint(level, style)(level ?? noLevel), printable(source)].join('  ')
    stdout.write(`${folded([title, ...findings.map(one => findingText(one, cwd, style))].join('\n'), stdout, io)}\n`)
  }
}

function findingText({ path, line, column, level, message, code }: AuditFinding, cwd: string, style: Style): string {
  const position = line === undefined ? '' : `:${line}:${column ?? 1}`
  const place = path === undefined ? [] : [style.cyan(`${shownPath(path, cwd)}${position}`)]
  return [...place, paint(level, style)(level), printableLine(withShownPaths(message, cwd)), style.dim(code)].join('  ')
}

/** Returns how often each code occurs, worst first: `hook, 3 allowed-tool`. */
function whatText(findings: readonly AuditFinding[]): string {
  const counts = new Map<string, number>()
  for (const { code } of findings) counts.set(code, (counts.get(code) ?? 0) + 1)
  return Array.from(counts, ([code, count]) => (count === 1 ? code : `${count} ${code}`)).join(', ')
}

function paint(level: AuditLevel | undefined, style: Style): (text: string) => string {
  if (level === 'high') return style.red
  return level === 'medium' ? style.yellow : style.dim
}

/** Returns the audit as JSON. Every key is present. See docs/reference/lint.md, "Audit". */
export function auditJson({ skills, counts }: CatalogAudit): Record<string, unknown> {
  return {
    skills: byLevel(skills).map(({ name, source, path, level, findings }) => ({
      name,
      source,
      path: path ?? null,
      level: level ?? null,
      findings: findings.map(({ level: own, code, message, path: file, line, column, text, agents }) => ({
        level: own,
        code,
        message,
        path: file ?? null,
        line: line ?? null,
        column: column ?? null,
        text: text ?? null,
        agents: agents ?? null,
      })),
    })),
    counts,
  }
}
