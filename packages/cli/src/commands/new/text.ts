import { dirname, isAbsolute } from 'node:path'
import { again, quoted } from '../../engine/again.js'
import { againInstalling } from '../../engine/elsewhere.js'
import { agentLine, agentsJson } from '../explain/agents.js'
import { folded } from '../../output/folded.js'
import { printableLine } from '../../output/printable.js'
import { refText } from '../../output/ref-text.js'
import { shownPath } from '../../output/shown-path.js'
import { nextLines } from '../../output/step-lines.js'
import { styleOf } from '../../output/style.js'
import { pathOf, type Collision, type CommandRef } from '@skills/core'
import type { AgentTold } from '@skills/inspect/internal'
import type { Standing } from '@skills/authoring'
import type { Invocation } from '../../arguments/invocation.js'
import type { Io } from '../../io.js'

/** New skill or plugin. */
export interface NewSkill {
  readonly name: string
  readonly isPlugin: boolean
  /** New folder. All paths here are absolute, with forward slashes. */
  readonly folder: string
  readonly files: readonly string[]
  /** Place among other skills; undefined for a plugin, or if no source searches the folder. */
  readonly standing?: Standing | undefined
  /** Answers of the agents that are used here: what each tells its model of the skill. */
  readonly agents?: readonly AgentTold[] | undefined
  /** True if it is among the user's own skills. */
  readonly isUser?: boolean | undefined
}

/** Prints the paths of the new files, and what to do next. */
export function printNew(
  { name, isPlugin, folder, files, standing, agents = [], isUser = false }: NewSkill,
  invocation: Invocation,
  io: Io,
): void {
  const { stdout, env, cwd } = io
  const style = styleOf(stdout, env, invocation.isColorless)
  const shown = quoted(shownPath(folder, cwd))
  const callable = standing?.goesBy
  // Command lines with a path need no other options. The path is shown relative to the working folder.
  const fromHere = {
    distribution: undefined,
    cwd: undefined,
    home: undefined,
    addDirs: [],
    pluginDirs: [],
    marketplaces: [],
  }
  const steps: (readonly [string, string])[] = [
    [again(`lint --standard ${shown}`, fromHere, io), 'check what you have written'],
    ...(callable === undefined
      ? []
      : [[again(`show ${quoted(callable)}`, invocation, io), 'see it as it is loaded'] as const]),
    ...(isPlugin
      ? [
          [again('list', { ...invocation, pluginDirs: [shownPath(folder, cwd)] }, io), 'see it loaded'] as const,
          [again(`new NAME --dir ${shown}/skills`, invocation, io), 'add another skill to it'] as const,
        ]
      : []),
  ]
  const blind = agents.filter(({ found }) => found === 'elsewhere')
  if (blind.length > 0) {
    const around = shownPath(dirname(folder), cwd)
    const from = isAbsolute(around) || /^\.{1,2}(?:\/|$)/.test(around) ? around : `./${around}`
    const wanted = blind.map(({ agent }) => ` --agent ${agent}`).join('')
    steps.push([
      againInstalling(`add ${quoted(from)} --skill ${name}${isUser ? ' --user' : ''}${wanted}`, invocation, io),
      `have it in ${blind.map(({ program }) => program).join(', ')} too`,
    ])
  }
  const edit = isPlugin
    ? 'Edit the manifest, give the first skill and its folder their name, and say in its description when to use it.'
    : 'Edit the file: its description says what the skill does and when to use it, and its body says how.'
  const written = files.map(path => style.cyan(shownPath(path, cwd)))
  const seen = agents.length === 0 ? [] : [folded(agentLine(agents), stdout, io)]
  stdout.write([...written, ...seen, ...nextLines(name, edit, steps, style, io)].join('\n'))
}

/** Prints a line to standard error for each name that the new skill takes from another or loses to one. */
export function printStanding(standing: Standing | undefined, name: string, { stderr, cwd }: Io): void {
  const warn = (sentence: string): void => stderr.write(`skills: ${printableLine(sentence)}\n`)
  if (standing === undefined) return warn('No source searches that folder, so the new skill is not in any list here.')
  const { goesBy, lostTo, wonOver, alsoNamed } = standing
  if (lostTo !== undefined) {
    const call = goesBy === undefined ? 'it has no name of its own' : `call the new one ${goesBy}`
    warn(`The new skill is shadowed by ${refText(refTo(lostTo.winner), cwd)}; ${call}. ${lostTo.reason}`)
  }
  for (const { loser, reachableAs, reason } of wonOver) {
    warn(
      `The new skill shadows ${refText(refTo(loser), cwd)}${reachableAs === undefined ? '' : `, which goes by ${reachableAs} now`}. ${reason}`,
    )
  }
  for (const other of alsoNamed)
    warn(`"${name}" also meant ${refText(refTo(other), cwd)}. That skill is now reached only by its own name.`)
}

/** Returns the new skill as JSON. See docs/reference/new-skills.md. */
export function newJson({ name, isPlugin, folder, files, standing, agents = [] }: NewSkill): Record<string, unknown> {
  return {
    name,
    type: isPlugin ? 'plugin' : 'skill',
    folder,
    files,
    goesBy: standing?.goesBy ?? null,
    shadowedBy: standing?.lostTo === undefined ? null : refTo(standing.lostTo.winner),
    shadows: standing?.wonOver.map(({ loser }) => refTo(loser)) ?? [],
    agents: agentsJson(agents),
  }
}

function refTo({ command, provider }: Collision['loser']): CommandRef {
  return { name: command.name, source: command.source, provider, ...pathOf(command) }
}
