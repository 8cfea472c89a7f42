import { auditLevels, reachesLevel } from '@skills/inspect'
import type { AuditFinding, AuditLevel } from '@skills/inspect/internal'
import { applyPlan, type Plan } from '@skills/install'
import type { InstallContext, PlannedSkill } from '@skills/install/internal'
import { exitCodes, type Io } from '../io.js'
import { firstNames } from '../output/first-names.js'
import { folded } from '../output/folded.js'
import { printable, printableLine } from '../output/printable.js'
import { styleOf, type Style } from '../output/style.js'
import { UsageError } from '../arguments/usage-error.js'
import { writeJson } from '../output/write-json.js'
import type { Invocation } from '../arguments/invocation.js'
import type { planned } from '../arguments/shared-options.js'

type PlannedInvocation = Invocation<keyof typeof planned>

/** Most findings that are listed; the others are counted. */
const mostFindings = 12

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
    const { digest, skills } = plan
    const names = skills.map(({ name }) => name)
    for (const { name, error } of plan.refused)
      io.stderr.write(`skills: ${printableLine(name)} is left out: ${printableLine(error.message)}\n`)
    if (!json)
      io.stdout.write(folded(planText(plan, styleOf(io.stdout, io.env, invocation.isColorless)), io.stdout, io))
    const answer = await answerOf(plan, limit, invocation, io)
    if (answer !== 'yes' && json)
      writeJson({ installed: false, digest, skills: skills.map(skillJson), ...refusedJson(plan) }, io.stdout)
    if (answer === undefined) return exitCodes.interrupted
    if (answer !== 'yes') {
      io.stderr.write(`skills: ${answer}\n`)
      return exitCodes.failed
    }
    await applyPlan(plan, { agreed: digest, replace: has('--force') }, context)
    if (json) writeJson({ installed: true, digest, skills: skills.map(skillJson), ...refusedJson(plan) }, io.stdout)
    else io.stdout.write(`Installed: ${firstNames(names, 12)}\n`)
    return plan.refused.length === 0 ? exitCodes.ok : exitCodes.failed
  } finally {
    plan.discard()
  }
}

/** Returns the keys for skills that are left out, and for others of the source; none if there are none. */
function refusedJson({ refused, others }: Plan): object {
  const each = ({ name, path, error }: Plan['refused'][number]): object => ({
    name,
    path,
    code: error.code,
    message: error.message,
  })
  return {
    ...(refused.length === 0 ? {} : { refused: refused.map(each) }),
    ...(others.length === 0 ? {} : { others: others.map(({ name, path }) => ({ name, path })) }),
  }
}

/** Returns `yes`, a sentence that says why not, or undefined if the person cancelled. */
async function answerOf(
  { skills }: Plan,
  limit: AuditLevel | undefined,
  { has, json }: PlannedInvocation,
  { prompter, signal }: Io,
): Promise<string | undefined> {
  if (limit !== undefined) {
    const beyond = skills.find(({ powers }) => powers.level !== limit && reachesLevel(powers.level, limit))
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
    ],
    signal,
  )
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

function planText({ skills, digest }: Plan, style: Style): string {
  return [...skills.flatMap(one => skillLines(one, style)), style.dim(`digest  ${digest}`), ''].join('\n')
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
    `  pinned to  ${printableLine(pinText(locked.resolved))}`,
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

function findingLines(title: string, findings: readonly AuditFinding[], style: Style): readonly string[] {
  if (findings.length === 0) return []
  const shown = findings.slice(0, mostFindings)
  return [
    `  ${title}`,
    ...shown.map(({ level, message }) => {
      const painted = level === 'high' ? style.red(level) : level === 'medium' ? style.yellow(level) : level
      return `    ${painted}  ${printableLine(message)}`
    }),
    ...(findings.length > shown.length ? [`    and ${findings.length - shown.length} more: skills audit`] : []),
  ]
}

/** Returns the version that a source resolved to, on one line. */
export function pinText(resolved: PlannedSkill['locked']['resolved']): string {
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
      return resolved.path
  }
}

function skillJson({ name, locked, files, lines, powers, difference, compat }: PlannedSkill): Record<string, unknown> {
  return { name, ...locked, changes: files, lines, level: powers.level ?? null, ...difference, compat }
}
