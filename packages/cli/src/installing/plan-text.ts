import { resolve } from 'node:path'
import { auditLevels, reachesLevel } from '@skills/inspect'
import type { AuditFinding, AuditLevel } from '@skills/inspect/internal'
import { applyPlan, type Plan } from '@skills/install'
import { seenBy, type InstallContext, type PlannedSkill, type Sight } from '@skills/install/internal'
import { again, quoted } from '../engine/again.js'
import { exitCodes, type Io } from '../io.js'
import { firstNames } from '../output/first-names.js'
import { folded } from '../output/folded.js'
import { printable, printableLine } from '../output/printable.js'
import { shownPath, withShownPaths } from '../output/shown-path.js'
import { styleOf, type Style } from '../output/style.js'
import { UsageError } from '../arguments/usage-error.js'
import { writeJson } from '../output/write-json.js'
import type { Invocation } from '../arguments/invocation.js'
import type { planned } from '../arguments/shared-options.js'

type PlannedInvocation = Invocation<keyof typeof planned>

/** Most findings that are listed; the others are counted. */
const mostFindings = 12

/** Most skills of which a plan shows the details without `--details`. */
const mostDetailed = 3

/** Most skills of one level that the sum of a plan names. */
const mostNamed = 12

/** Prints what a plan would change, asks, and applies it after a yes. Returns the exit code. */
export async function askAndApply(
  plan: Plan,
  invocation: PlannedInvocation,
  io: Io,
  context: InstallContext,
): Promise<number> {
  const { has, json } = invocation
  const limit = riskOf(invocation)
  try {
    io.stderr.write(refusedLines(plan))
    for (const { name, error } of plan.unwired)
      io.stderr.write(`skills: ${name} gets no skill: ${printableLine(error.message)}\n`)
    const style = styleOf(io.stdout, io.env, invocation.isColorless)
    const isSummed = plan.skills.length > mostDetailed && !has('--details')
    const show = (lines: readonly string[]): void => io.stdout.write(folded(`${lines.join('\n')}\n`, io.stdout, io))
    const details = (): readonly string[] => plan.skills.flatMap(one => skillLines(one, style))
    if (!json) show([...(isSummed ? sumLines(plan, style) : details()), ...agreedLines(plan, io, style)])
    const answer = await answerOf(plan, limit, invocation, io, isSummed ? () => show(details()) : undefined)
    if (answer !== 'yes' && json) writeJson(planJson(plan, false), io.stdout)
    if (answer === undefined) return exitCodes.interrupted
    if (answer !== 'yes') {
      io.stderr.write(`skills: ${answer}\n`)
      return exitCodes.failed
    }
    await applyPlan(plan, { agreed: plan.digest, replace: has('--force') }, context)
    // Only an installation asks for every agent that it could be for.
    const isFor = Object.keys(plan.agents).length > 0 || invocation.command === 'add'
    const sights = isFor ? await seenBy(plan, context) : []
    if (json) writeJson({ ...planJson(plan, true), seenBy: sights }, io.stdout)
    else io.stdout.write(folded(installedText(plan, sights, context, invocation, io), io.stdout, io))
    return plan.refused.length === 0 && areSeen(plan, sights) ? exitCodes.ok : exitCodes.failed
  } finally {
    plan.discard()
  }
}

/** Returns a line for each skill that is left out, with the reason. */
export function refusedLines({ refused }: Pick<Plan, 'refused'>): string {
  return refused
    .map(
      ({ name, error: { message, hint = '' } }) =>
        `skills: ${printableLine(name)} is left out: ${printableLine(`${message} ${hint}`)}\n`,
    )
    .join('')
}

/**
 * Returns true if some agent finds each skill, and each agent does that is wanted. An agent that is used here and cannot
 * read a skill is not wanted, because no one named it.
 */
function areSeen({ agents, unwired }: Plan, sights: readonly Sight[]): boolean {
  const isWhole = ({ misses }: Sight): boolean => misses.length === 0
  const isWanted = ({ agent }: Sight): boolean =>
    Object.hasOwn(agents, agent) || unwired.some(({ name, error }) => name === agent && error.code === 'E_WRITE')
  return sights.filter(isWanted).every(isWhole) && (sights.length === 0 || sights.some(isWhole))
}

/** Returns where the skills are now, which agents find them, and the next command. */
function installedText(
  plan: Plan,
  sights: readonly Sight[],
  context: InstallContext,
  invocation: PlannedInvocation,
  io: Io,
): string {
  const { skills, agents, unwired } = plan
  const { place } = context
  const names = skills.map(({ name }) => name)
  const [first = ''] = names
  const folder = shownPath(place.folder, io.cwd)
  const isWanted = Object.keys(agents).length + unwired.length > 0
  const sees = sights.filter(({ misses }) => misses.length === 0).map(({ agent }) => agent)
  const missing = sights.flatMap(({ agent, misses: [miss, ...more] }) => {
    if (miss === undefined) return []
    const which = more.length === 0 ? '' : `${printableLine(miss.name)} and ${more.length} more: `
    const because = printableLine(withShownPaths(miss.because, io.cwd))
    return [`  ○ ${agent}  ${which}${because}. ${remedyFor(agent, miss, plan, context, invocation, io)}`]
  })
  return [
    `Installed: ${firstNames(names, mostNamed)}`,
    `  in  ${printableLine(names.length === 1 ? `${folder}/${first}` : folder)}`,
    ...(isWanted || sees.length === 0 ? [] : ['No agent was found here. These agents would look there:']),
    ...(sees.length === 0 ? [] : [`  ${sees.map(agent => `● ${agent}`).join('  ')}`]),
    ...missing,
    ...(sights.length > 0 && sees.length === 0 ? [] : [`Next: ${again(`explain ${quoted(first)}`, invocation, io)}`]),
    '',
  ].join('\n')
}

/** Returns a sentence that says how an agent would find a skill, with a command. */
function remedyFor(
  agent: string,
  { name, isElsewhere }: Sight['misses'][number],
  { skills, agents, unwired }: Plan,
  { place }: InstallContext,
  invocation: PlannedInvocation,
  io: Io,
): string {
  const scope = place.scope === 'user' ? ' --user' : ''
  const sync = again(`sync --agent ${agent}${scope}`, invocation, io)
  const closed = unwired.find(one => one.name === agent && one.error.code === 'E_WRITE')
  if (closed !== undefined) return `${printableLine(closed.error.hint ?? '')} Then give it the skills: ${sync}`
  if (isElsewhere && !Object.hasOwn(agents, agent)) return `Give it the skills: ${sync}`
  const source = skills.find(one => one.name === name && one.locked.digest === '')?.locked.source
  return source === undefined
    ? `See more: ${again(`explain ${quoted(name)} --distribution ${agent}`, invocation, io)}`
    : `Copy it instead: ${again(`add ${quoted(sourceFrom(source, place, io))} --skill ${quoted(name)}${scope}`, invocation, io)}`
}

/** Returns a folder of `skills.json` as it is typed in the working folder. */
function sourceFrom(source: string, { root }: InstallContext['place'], { cwd }: Io): string {
  return root === cwd ? source : resolve(root, source)
}

/** Returns a plan as JSON. `refused`, `drifted` and `others` are present only if they have entries. */
export function planJson(
  { digest, skills, agents, found, unwired, refused, drifted, others }: Plan,
  installed: boolean,
): object {
  return {
    installed,
    consent: digest,
    agents,
    found,
    unwired: unwired.map(({ name, trace, error: { code, message } }) => ({ name, trace, code, message })),
    skills: skills.map(skillJson),
    ...(drifted.length > 0 && { drifted }),
    ...(others.length > 0 && { others: others.map(({ name, path }) => ({ name, path })) }),
    ...(refused.length > 0 && {
      refused: refused.map(({ name, path, error: { code, message } }) => ({ name, path, code, message })),
    }),
  }
}

/**
 * Returns `yes`, a sentence that says why not, or undefined if the person cancelled.
 * @param showDetails shows the details of all skills; undefined if they are shown already
 */
async function answerOf(
  plan: Plan,
  limit: AuditLevel | undefined,
  invocation: PlannedInvocation,
  io: Io,
  showDetails: (() => void) | undefined,
): Promise<string | undefined> {
  const { has, json } = invocation
  const { prompter, signal } = io
  if (limit !== undefined) {
    const beyond = plan.skills.find(({ powers }) => powers.level !== limit && reachesLevel(powers.level, limit))
    return beyond === undefined
      ? 'yes'
      : `Nothing is installed: ${printableLine(beyond.name)} reaches the level ${beyond.powers.level ?? ''}, and --max-risk allows ${limit}.`
  }
  if (has('--yes')) return 'yes'
  // With --json the plan was not shown, so a person has nothing to decide by.
  if (prompter === undefined || json)
    return 'Nothing is installed, because you cannot be asked here. Run this at a terminal, or answer with --yes or --max-risk.'
  const chosen = await prompter.choose(
    'Install it?',
    [
      { value: 'no', label: 'No' },
      { value: 'yes', label: 'Yes' },
      ...(showDetails === undefined ? [] : [{ value: 'details', label: 'Show each skill first' }]),
    ],
    signal,
  )
  if (chosen === 'details') {
    showDetails?.()
    return answerOf(plan, limit, invocation, io, undefined)
  }
  return chosen === undefined ? undefined : chosen === 'yes' ? 'yes' : 'Nothing is installed.'
}

function riskOf({ text }: PlannedInvocation): AuditLevel | undefined {
  const given = text('--max-risk')
  if (given === undefined) return undefined
  const level = auditLevels.find(one => one === given)
  if (level === undefined)
    throw new UsageError(
      `The option --max-risk needs one of ${auditLevels.join(', ')}, but was given "${printableLine(given)}".`,
    )
  return level
}

/** Returns how many skills there are, and the names of those that can do most. */
function sumLines({ skills }: Plan, style: Style): readonly string[] {
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
function agreedLines({ agents, found, digest }: Plan, { cwd, home }: Io, style: Style): readonly string[] {
  const traces = new Map(found.map(({ name, trace }) => [name as string, trace]))
  const lines = Object.entries(agents).map(([agent, how]) => {
    const trace = traces.get(agent)
    const why = trace === undefined ? '' : `, because ${shownPath(trace, cwd).replace(`${home}/`, '~/')} is here`
    const what = how === 'same' ? 'reads .agents/skills' : `gets a ${how.replace(' ', ' in ')}`
    return `  ${printableLine(`${agent} ${what}${why}`)}`
  })
  return [...(lines.length > 0 ? ['agents', ...lines] : []), style.dim(`consent  ${digest}`)]
}

function skillLines(
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

function skillJson({ name, locked, files, lines, powers, difference, compat }: PlannedSkill): Record<string, unknown> {
  return { name, ...locked, changes: files, lines, level: powers.level ?? null, ...difference, compat }
}
