import { again, quoted } from '../../engine/again.js'
import { bar } from '../../output/folded.js'
import { counted } from '../../output/problems.js'
import { printable, printableLine } from '../../output/printable.js'
import { shownPath, withShownPaths } from '../../output/shown-path.js'
import { styleOf, type Style } from '../../output/style.js'
import type { TrustQuestion } from '@skills/distributions/internal'
import type { Invocation } from '../../arguments/invocation.js'
import type { Io } from '../../io.js'
import type { JudgedItem } from '@skills/distributions/configuration'

/** How far plugins that a project names count, by the rules of `standard`. */
const ofPlugins =
  'its skills are listed and read; its hooks and embedded commands do not run unless you name it yourself'

/** Explanations of kinds whose names do not explain themselves. */
const kinds: Readonly<Record<string, string>> = {
  module: 'module: code, run by every command that uses it',
  rule: 'rule: allows without asking',
  server: 'server: started or contacted',
  folder: "folder: its skills count as the project's",
  links: 'links: links of the project may lead there',
  override: 'override of a command',
  precedence: 'precedence: which skill gets a name',
  distribution: 'distribution: whose rules apply',
  files: 'files: what a skill names is read into its text',
  plugin: `plugin: ${ofPlugins}`,
  package: `package with a plugin: ${ofPlugins}`,
  marketplace: `marketplace of plugins: ${ofPlugins}`,
  agent: 'agent: what a forked skill that names it runs as, with its prompt, model and effort',
  skill: 'skill: may do this when you type its name, when a rule allows it, or when you say yes',
}

/** Returns the text that says what trusting a folder means, with every item that is not agreed to, in full. */
export function trustText(
  { folder, real, distribution, isTrusted, isUnlisted, items, problems, skipped }: TrustQuestion,
  invocation: Invocation,
  io: Io,
): string {
  const style = styleOf(io.stderr, io.env, invocation.isColorless)
  const asked = items.filter(({ state }) => state !== 'agreed')
  const agreed = items.length - asked.length
  const lines = [
    style.bold(printableLine(folder === real ? folder : `${folder} → ${real}`)),
    ...skipped.map(path =>
      style.yellow(
        `${printableLine(path)} belongs to another user, or all users can write to it: nothing in it is used, and it is not trusted.`,
      ),
    ),
    ...(isUnlisted ? ['The folder was trusted before agreements were recorded, so everything is shown again.'] : []),
    ...(isTrusted && agreed > 0
      ? [
          `${counted(agreed, 'item')} ${agreed === 1 ? 'was' : 'were'} agreed to and did not change; only what is new or changed is shown.`,
        ]
      : []),
    asked.length === 0
      ? 'Nothing in the folder needs your agreement.'
      : `Trusting the folder switches on ${counted(asked.length, 'item')}, as shown:`,
    ...asked.flatMap(item => itemLines(item, io.cwd, style)),
    ...problems.map(({ path, message }) =>
      style.yellow(
        `  not read: ${path === undefined ? '' : `${shownPath(path, io.cwd)}: `}${printableLine(withShownPaths(message, io.cwd))}`,
      ),
    ),
    'You are asked separately about what is changed or added later. Folders below that were not searched are not part of your agreement.',
    ...(distribution === 'standard'
      ? []
      : [
          `Trust counts for every agent, and others may search more folders than ${printableLine(distribution)}: see also "${printableLine(underStandard(invocation, io))}".`,
        ]),
    '',
  ]
  return lines.join('\n')
}

/** Returns an item with its whole text: people can only agree to what they see. */
function itemLines({ kind, label, path, line, state, text }: JudgedItem, cwd: string, style: Style): readonly string[] {
  const place = `${shownPath(path, cwd)}${line === undefined ? '' : `:${line}`}`
  const head = `  ${style.bold(printableLine(label))} (${kinds[kind] ?? kind}; ${state}) ${style.dim(place)}`
  return [head, ...(text === printableLine(label) ? [] : text.split('\n').map(one => `${bar}${printable(one)}`))]
}

/**
 * Returns the command that trusts the folder under `standard`. Other distributions read more fields and find more
 * folders and commands, and trust in a folder holds for all of them.
 */
function underStandard(invocation: Invocation, io: Io): string {
  return again(
    ['trust', ...invocation.args.map(word => quoted(word))].join(' '),
    { ...invocation, distribution: 'standard' },
    io,
  )
}
