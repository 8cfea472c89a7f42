import { shareText, type SkillOutcome, type SkillTriggers } from '@skills/evals/internal'
import type { EvalReport } from '@skills/evals'
import { counted } from '../../output/problems.js'
import { folded } from '../../output/folded.js'
import { shownLine } from './text.js'
import { printableLine } from '../../output/printable.js'
import { shownPath } from '../../output/shown-path.js'
import { styleOf } from '../../output/style.js'
import type { EvalOptions } from './options.js'
import type { Invocation } from '../../arguments/invocation.js'
import type { Io } from '../../io.js'

type Paint = (text: string) => string
type Write = (text: string, paint?: Paint) => void

/** Prints the results of an evaluation with a model for a person, and what to do if they show nothing. */
export function printReport(report: EvalReport, options: EvalOptions, invocation: Invocation, io: Io): void {
  const { stdout, stderr } = io
  const style = styleOf(stdout, io.env, invocation.isColorless)
  const write: Write = (text, paint = String) => stdout.write(`${paint(folded(shownLine(text), stdout, io))}\n`)
  const { triggers, outcomes, against, comparison, stale, cost } = report
  const names = [...new Set([...(triggers?.skills ?? []), ...(outcomes?.skills ?? [])].map(({ name }) => name))]
  for (const [at, name] of names.entries()) {
    if (at > 0) stdout.write('\n')
    write(name, style.bold)
    const picked = triggers?.skills.find(one => one.name === name)
    const helped = outcomes?.skills.find(one => one.name === name)
    if (picked !== undefined) printTriggers(picked, write, style)
    if (helped !== undefined) printOutcome(helped, write, style)
  }
  if (against !== undefined) {
    const { own, other, verdict, trials } = against
    write(against.name, style.bold)
    write(`  its own: ${shareText(own)}`)
    write(`  the other: ${shareText(other)}`)
    const what = verdict === 'same' ? 'no certain difference' : `the other is ${verdict}`
    write(`  ${what}, after ${trials.made} of ${trials.planned} trials of each query`, style.bold)
  }
  for (const { skill, level, verdict, isBelow, now, before } of comparison?.changes ?? [])
    if (verdict === 'worse' || verdict === 'better' || isBelow) {
      const than = before === undefined ? '' : `, ${before.successes} of ${before.trials} in the baseline`
      const what = verdict === 'same' || verdict === 'new' ? 'below the threshold' : verdict
      write(
        `${skill}: ${level} is ${what}: ${now.successes} of ${now.trials}${than}`,
        verdict === 'better' ? style.green : style.red,
      )
    }
  const left = (triggers?.left ?? 0) + (outcomes?.left ?? 0) + (against?.left ?? 0)
  if (left > 0)
    stderr.write(
      `skills: ${counted(left, 'trial')} not begun or not finished, because --max-cost leaves too little for them.\n`,
    )
  if (cost !== undefined) stderr.write(`Cost: $${cost.toFixed(4)}\n`)
  if (stale.length > 0) {
    stderr.write(`skills: Recordings that are missing or out of date, in ${shownPath(options.recordings, io.cwd)}:\n`)
    for (const { skill, id, changed } of stale.slice(0, 20))
      stderr.write(
        `  ${printableLine(`${skill}, ${id}`)}: ${changed === 'none' ? 'never recorded' : `its ${changed} changed`}\n`,
      )
    if (stale.length > 20) stderr.write(`  and ${stale.length - 20} more\n`)
    stderr.write('To record them with the model, add --record.\n')
  }
}

function printTriggers(
  { right, recall, precision, queries }: SkillTriggers,
  write: Write,
  style: Record<'red' | 'dim', Paint>,
): void {
  write(`  right: ${shareText(right)}`)
  write(`  recall: ${shareText(recall)}`)
  write(`  precision: ${shareText(precision)}`)
  for (const { query, shouldTrigger, triggered, passed, moreTrials, invoked, trials } of queries) {
    const wanted = shouldTrigger ? '' : ', and should not be'
    const more =
      moreTrials === undefined || moreTrials === 0 ? '' : `; ${counted(moreTrials, 'more trial')} would decide`
    const text = `  ${passed ? 'ok  ' : 'NOT '} "${query}": picked in ${shareText(triggered)}${wanted}${more}`
    write(text, passed ? undefined : style.red)
    const others = Object.entries(invoked).filter(([name]) => name !== '' && shouldTrigger && !passed)
    if (others.length > 0) write(`       instead: ${others.map(([name, count]) => `${name} ${count}`).join(', ')}`)
    const problem = trials.find(one => one.problem !== undefined)?.problem
    if (problem !== undefined) write(`       ${problem}`, style.dim)
  }
}

function printOutcome(one: SkillOutcome, write: Write, style: Record<'red' | 'dim', Paint>): void {
  const { difference, low, high } = one.difference
  const [points, from, to] = [difference, low, high].map(share => Math.round(share * 100))
  if (one.with.trials + one.without.trials > 0) {
    write(`  with it: ${shareText(one.with)} of the assertions hold; invoked in ${shareText(one.invoked)}`)
    write(`  without: ${shareText(one.without)}`)
    write(`  helps by: ${points} points (${from} to ${to})`)
  }
  for (const { id, assertions, notAllowed, trials } of one.tasks) {
    if (notAllowed.length > 0) {
      write(`  NOT  ${id}: left out, because it may not run ${notAllowed.join(', ')}`, style.red)
      continue
    }
    for (const { what, with: used, without } of assertions) {
      const isHeld = used.successes * 2 > used.trials
      const text = `  ${isHeld ? 'ok  ' : 'NOT '} ${id}, ${what}: ${used.successes} of ${used.trials}, without ${without.successes} of ${without.trials}`
      write(text, isHeld ? undefined : style.red)
    }
    const problem = trials.find(trial => trial.problem !== undefined)?.problem
    if (problem !== undefined) write(`       ${problem}`, style.dim)
  }
}
