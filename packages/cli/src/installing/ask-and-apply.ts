import { auditLevels } from '@skills/inspect'
import type { AuditLevel } from '@skills/inspect/internal'
import { applyPlan, type Plan } from '@skills/install'
import { isBeyond, isSeen, seenBy, type InstallContext } from '@skills/install/internal'
import { agreedLines, refusedLines, skillLines, sumLines } from './plan-text.js'
import { exitCodes, type Io } from '../io.js'
import { folded } from '../output/folded.js'
import { installedText } from './installed-text.js'
import { planJson } from './plan-json.js'
import { printableLine } from '../output/printable.js'
import { styleOf } from '../output/style.js'
import { UsageError } from '../arguments/usage-error.js'
import { writeJson } from '../output/write-json.js'
import type { Invocation } from '../arguments/invocation.js'
import type { planned } from '../arguments/shared-options.js'

type PlannedInvocation = Invocation<keyof typeof planned>

/** Most skills of which a plan shows the details without `--details`. */
const mostDetailed = 3

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
    return plan.refused.length === 0 && isSeen(plan, sights) ? exitCodes.ok : exitCodes.failed
  } finally {
    plan.discard()
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
    const beyond = plan.skills.find(({ powers }) => isBeyond(powers, limit))
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
