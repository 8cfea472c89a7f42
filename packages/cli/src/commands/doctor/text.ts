import { again } from '../../engine/again.js'
import { findingLines } from '../../output/findings.js'
import { folded } from '../../output/folded.js'
import { counted } from '../../output/problems.js'
import { printableLine } from '../../output/printable.js'
import { shownPath, withShownPaths } from '../../output/shown-path.js'
import { styleOf } from '../../output/style.js'
import { harms, type Finding, type Harm, type Mended } from '@skills/inspect/internal'
import type { Invocation } from '../../arguments/invocation.js'
import type { Io } from '../../io.js'

const titles: Readonly<Record<Harm, string>> = {
  skills: 'Skills that are not read',
  agents: 'Agents that do not see what is installed for them',
  places: 'Folders that are not searched here',
  untold: 'Skills that the model is not told of',
  settings: 'Settings that do not count',
  texts: 'Skills that are repaired each time they are read',
  machine: 'Programs',
}

/** Prints what was mended, then what is wrong by kind, then one line that says what to do. */
export function printDoctor(
  findings: readonly Finding[],
  mended: readonly Mended[],
  invocation: Invocation,
  io: Io,
): void {
  const { stdout, env, cwd } = io
  const style = styleOf(stdout, env, invocation.isColorless)
  const blocks: string[] = []
  const done = mended.filter(({ failure }) => failure === undefined)
  const failed = mended.filter(({ failure }) => failure !== undefined)
  if (done.length > 0)
    blocks.push([style.bold('Mended'), ...done.map(({ finding }) => `  ${repairText(finding, cwd)}`)].join('\n'))
  if (failed.length > 0)
    blocks.push(
      [
        style.bold('Not mended'),
        ...failed.map(({ failure = '' }) => `  ${printableLine(withShownPaths(failure, cwd))}`),
      ].join('\n'),
    )
  for (const harm of harms) {
    const own = findings.filter(one => one.harm === harm)
    if (own.length === 0) continue
    const lines = own.flatMap(({ diagnostic }) => findingLines(diagnostic, cwd, style)).map(line => `  ${line}`)
    blocks.push([style.bold(titles[harm]), ...lines].join('\n'))
  }
  const wrong = findings.filter(({ diagnostic }) => diagnostic.severity !== 'info')
  const repairable = mended.length > 0 ? 0 : wrong.filter(({ repair }) => repair !== undefined).length
  const sum =
    wrong.length === 0
      ? style.green('Nothing is wrong.')
      : `${style.red(`${counted(wrong.length, 'problem')}.`)}${repairable === 0 ? '' : ` ${repairable} can be mended: ${again('doctor --fix', invocation, io)}`}`
  stdout.write(`${[...blocks.map(block => folded(block, stdout, io)), sum].join('\n\n')}\n`)
}

function repairText({ repair, diagnostic }: Finding, cwd: string): string {
  if (repair === undefined) return ''
  if (repair.how === 'text') return `${shownPath(repair.path, cwd)}  ${diagnostic.code}`
  const [from, to] = [shownPath(repair.from, cwd), shownPath(repair.to, cwd)]
  return repair.how === 'move' ? `${from} is now ${to}` : `${to} is now a link to ${from}`
}

/** Returns the findings, and what was mended, as JSON. See docs/commands/doctor.md. */
export function doctorJson(findings: readonly Finding[], mended: readonly Mended[]): Record<string, unknown> {
  return {
    findings: findings.map(({ harm, diagnostic, repair }) => ({ harm, ...diagnostic, repair: repair ?? null })),
    mended: mended.map(({ finding, failure }) => ({
      code: finding.diagnostic.code,
      path: finding.diagnostic.path ?? null,
      repair: finding.repair ?? null,
      failure: failure ?? null,
    })),
  }
}
