import { isAbsolute } from 'node:path'
import { again, quoted } from '../../engine/again.js'
import { folded } from '../../output/folded.js'
import { printableLine } from '../../output/printable.js'
import { refText } from '../../output/ref-text.js'
import { shownPath } from '../../output/shown-path.js'
import { nextLines } from '../../output/step-lines.js'
import { styleOf } from '../../output/style.js'
import { pathOf, type Collision, type CommandRef } from '@skills/core'
import type { Standing } from '@skills/authoring'
import type { Readers } from './readers.js'
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
  /** Undefined if they are not asked for. */
  readonly readers?: Readers | undefined
}

/** Prints the paths of the new files, and what to do next. */
export function printNew(
  { name, isPlugin, folder, files, standing, readers }: NewSkill,
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
  const edit = isPlugin
    ? 'Edit the manifest, give the first skill and its folder their name, and say in its description when to use it.'
    : 'Edit the file: its description says what the skill does and when to use it, and its body says how.'
  const written = files.map(path => style.cyan(shownPath(path, cwd)))
  const [missing] = readers?.missing ?? []
  const lines = [
    ...written,
    ...(readers === undefined
      ? []
      : [
          [...readers.finding.map(agent => `● ${agent}`), ...readers.missing.map(agent => `○ ${agent}`)].join('  '),
          ...(missing === undefined
            ? []
            : [
                `Agents with ○ do not read that folder. For one of them, once it is written: ${again(`add ${quoted(typedPath(folder, cwd))} --agent ${missing}`, fromHere, io)}`,
              ]),
        ]),
  ]
  stdout.write([folded(lines.join('\n'), stdout, io), ...nextLines(name, edit, steps, style, io)].join('\n'))
}

/** Returns a path as a source of `skills add`, relative to the working folder. */
function typedPath(folder: string, cwd: string): string {
  const shown = shownPath(folder, cwd)
  return isAbsolute(shown) ? shown : `./${shown}`
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
export function newJson({ name, isPlugin, folder, files, standing }: NewSkill): Record<string, unknown> {
  return {
    name,
    type: isPlugin ? 'plugin' : 'skill',
    folder,
    files,
    goesBy: standing?.goesBy ?? null,
    shadowedBy: standing?.lostTo === undefined ? null : refTo(standing.lostTo.winner),
    shadows: standing?.wonOver.map(({ loser }) => refTo(loser)) ?? [],
  }
}

function refTo({ command, provider }: Collision['loser']): CommandRef {
  return { name: command.name, source: command.source, provider, ...pathOf(command) }
}
