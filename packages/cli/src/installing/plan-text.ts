import { auditLevels } from '@skills/inspect'
import type { AuditFinding, AuditLevel } from '@skills/inspect/internal'
import type { Plan } from '@skills/install'
import type { PlannedSkill } from '@skills/install/internal'
import { firstNames } from '../output/first-names.js'
import { printable, printableLine } from '../output/printable.js'
import { shownPath } from '../output/shown-path.js'
import type { Io } from '../io.js'
import type { Style } from '../output/style.js'

/** Most findings that are listed; the others are counted. */
const mostFindings = 12

/** Most skills whose names one line has. */
export const mostNamed = 12

/** Returns a line for each skill that is left out, with the reason. */
export function refusedLines({ refused }: Pick<Plan, 'refused'>): string {
  return refused
    .map(
      // The message ends with its hint.
      ({ name, error: { message } }) => `skills: ${printableLine(name)} is left out: ${printableLine(message)}\n`,
    )
    .join('')
}

/** Returns how many skills there are, and the names of those that can do most. */
export function sumLines({ skills }: Plan, style: Style): readonly string[] {
  const sources = [...new Set(skills.map(({ locked }) => locked.source))]
  const fresh = skills.filter(({ before }) => before === undefined).length
  const count = [
    ...(fresh > 0 ? [`${fresh} new`] : []),
    ...(skills.length > fresh ? [`${skills.length - fresh} changed`] : []),
  ]
  const levels = [...auditLevels].reverse().flatMap((level): readonly string[] => {
    const own = skills.filter(({ powers }) => powers.level === level)
    if (own.length === 0) return []
    const names = level === 'high' || level === 'medium' ? `  ${firstNames(own.map(labelOf), mostNamed)}` : ''
    return [`  ${paintedLevel(level, style)}  ${own.length}${names}`]
  })
  const plain = skills.filter(({ powers }) => powers.level === undefined).length
  return [
    `${style.bold(`${skills.length} skills`)}  ${count.join(', ')}  ${firstNames(sources, 3)}`,
    ...levels,
    ...(plain > 0 ? [`  text alone  ${plain}`] : []),
    '  Each skill with its files and powers: --details',
  ]
}

/** Returns a skill's name with the codes of its worst findings. */
function labelOf({ name, powers: { level, findings } }: PlannedSkill): string {
  const codes = [...new Set(findings.filter(one => one.level === level).map(({ code }) => code))]
  return `${name} (${codes.join(', ')})`
}

/** Returns what a person agrees to besides the skills: the agents that get them, and the digest of all of it. */
export function agreedLines({ agents, found, digest }: Plan, { cwd, home }: Io, style: Style): readonly string[] {
  const traces = new Map(found.map(({ name, trace }) => [name as string, trace]))
  const lines = Object.entries(agents).map(([agent, how]) => {
    const trace = traces.get(agent)
    const why = trace === undefined ? '' : `, because ${shownPath(trace, cwd).replace(`${home}/`, '~/')} is here`
    const what = how === 'same' ? 'reads .agents/skills' : `gets a ${how.replace(' ', ' in ')}`
    return `  ${printableLine(`${agent} ${what}${why}`)}`
  })
  return [...(lines.length > 0 ? ['agents', ...lines] : []), style.dim(`consent  ${digest}`)]
}

export function skillLines(
  { name, locked, before, files, lines, powers, difference, compat }: PlannedSkill,
  style: Style,
): readonly string[] {
  const count = Object.keys(locked.files).length
  const { added, changed, removed } = files
  const what =
    before === undefined
      ? `new, ${locked.digest === '' ? 'linked' : `${count} ${count === 1 ? 'file' : 'files'}`}`
      : 'changed'
  const marked: readonly (readonly [string, readonly string[]])[] =
    before === undefined
      ? []
      : [
          ['+', added],
          ['~', changed],
          ['-', removed],
        ]
  return [
    `${style.bold(printableLine(name))}  ${what}  ${printableLine(locked.source)}`,
    `  ${pinLabel(locked)}  ${printableLine(pinText(locked.resolved, locked.digest === ''))}`,
    ...marked.flatMap(([mark, paths]) => paths.map(path => `  ${mark} ${printableLine(path)}`)),
    ...lines.map(line => `    ${paintedLine(printable(line), style)}`),
    ...findingLines(before === undefined ? 'it can' : 'it gains', difference.gained, style),
    ...findingLines('it loses', difference.lost, style),
    ...(difference.gained.length + difference.lost.length === 0
      ? [`  powers     ${before === undefined ? 'none: it is text alone' : `as before (${powers.level ?? 'none'})`}`]
      : []),
    ...compat.map(line => `  ${printableLine(line)}`),
  ]
}

function paintedLine(line: string, style: Style): string {
  if (/^[+](?![+]{2} )/.test(line)) return style.green(line)
  return /^-(?!-- )/.test(line) ? style.red(line) : line
}

function paintedLevel(level: AuditLevel, style: Style): string {
  return level === 'high' ? style.red(level) : level === 'medium' ? style.yellow(level) : level
}

function findingLines(title: string, findings: readonly AuditFinding[], style: Style): readonly string[] {
  if (findings.length === 0) return []
  const shown = findings.slice(0, mostFindings)
  return [
    `  ${title}`,
    ...shown.map(({ level, message }) => `    ${paintedLevel(level, style)}  ${printableLine(message)}`),
    ...(findings.length > shown.length ? [`    and ${findings.length - shown.length} more: --json has all`] : []),
  ]
}

type Locked = Pick<PlannedSkill['locked'], 'resolved' | 'digest'>

/** Returns the label of {@link pinText}. Nothing pins a folder or a site: only the digest of the files holds. */
export function pinLabel({ resolved: { type }, digest }: Locked): string {
  return digest === '' ? 'linked to ' : type === 'folder' || type === 'site' ? 'copied from' : 'pinned to '
}

/** Returns the version that a source resolved to, on one line. */
export function pinText(resolved: Locked['resolved'], isLinked = false): string {
  switch (resolved.type) {
    case 'git':
      return `commit ${resolved.commit}`
    case 'npm':
      return `${resolved.name}@${resolved.version} ${resolved.integrity}`
    case 'archive':
      return resolved.digest
    case 'site':
      return resolved.url
    case 'folder':
      return isLinked ? `${resolved.path}, where every later change counts` : resolved.path
  }
}
