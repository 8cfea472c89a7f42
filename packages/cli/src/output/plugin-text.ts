import { shownName } from '@skills/core'
import type { InitializedPlugin, PluginCheck } from '@skills/authoring'
import { again, quoted } from '../engine/again.js'
import { counted, skillsAndCommands } from './problems.js'
import { printableLine, printable } from './printable.js'
import { printLint } from '../commands/lint/text.js'
import { shownPath } from './shown-path.js'
import { sizeText } from './size-text.js'
import { nextLines } from './step-lines.js'
import { styleOf } from './style.js'
import { pad, widthOf } from './width.js'
import type { Invocation } from '../arguments/invocation.js'
import type { Io } from '../io.js'
import type { PackedPlugin } from '@skills/authoring'

/** Prints the new files, what was added to the package file, and what to do next. */
export function printInitialized(
  { folder, name, files, added }: InitializedPlugin,
  invocation: Invocation,
  io: Io,
): void {
  const { stdout, env, cwd } = io
  const style = styleOf(stdout, env, invocation.isColorless)
  const where = shownPath(folder, cwd)
  const dir = where === cwd ? '' : ` ${quoted(where)}`
  // The path is relative to the shell's folder, not to `--cwd`.
  const fromHere = { ...invocation, cwd: undefined }
  const lines = [
    ...files.map(path => style.cyan(shownPath(path, cwd))),
    ...(added.length === 0
      ? []
      : [`${style.cyan(shownPath(`${folder}/package.json`, cwd))}  ${style.dim(`added: ${added.join(', ')}`)}`]),
  ]
  const steps = [
    [again(`plugin check --npm${dir}`, fromHere, io), 'see what a host would load, and what is wrong'],
    [again(`plugin pack${dir}`, fromHere, io), 'make the tarball that npm publish sends'],
  ] as const
  if (lines.length === 0) lines.push(`${printable(where)} has everything that a plugin needs; nothing was written.`)
  const edit = 'Give the skills and their folders their names, and say in each description when to use it.'
  stdout.write([...lines, ...nextLines(name, edit, steps, style, io)].join('\n'))
}

/** Prints the skills that a host would load, then findings as lint prints them. */
export function printCheck(check: PluginCheck, invocation: Invocation, io: Io): void {
  const { stdout, env } = io
  const style = styleOf(stdout, env, invocation.isColorless)
  const title = [
    check.name ?? (check.skills.length === 0 ? 'No plugin that loads' : 'Several plugins'),
    ...(check.version === undefined ? [] : [check.version]),
  ]
    .map(printable)
    .join(' ')
  const width = Math.max(0, ...check.skills.map(({ name }) => widthOf(shownName(name))))
  const rows = check.skills.map(
    ({ name, path }) => `  ${pad(shownName(name), width)}  ${style.dim(printable(path ?? 'in the manifest'))}`,
  )
  const skills = check.skills.filter(({ isSkill }) => isSkill).length
  const many = skillsAndCommands(skills, check.skills.length - skills)
  stdout.write(`${[`${style.bold(title)}  ${many}`, ...rows].join('\n')}\n\n`)
  printLint(check, undefined, invocation, io)
}

/** Prints the path of the tarball and its content. */
export function printPacked(
  { tarball, bytes, files, skills }: PackedPlugin,
  { others }: PluginCheck,
  { isColorless }: Invocation,
  { stdout, env, cwd }: Io,
): void {
  const style = styleOf(stdout, env, isColorless)
  stdout.write(
    [
      style.cyan(shownPath(tarball, cwd)),
      '',
      `${style.bold(`${counted(files.length, 'file')}, ${sizeText(bytes)}`)}`,
      ...files.map(path => `  ${printable(path)}`),
      '',
      `${style.bold(`${counted(skills.length, 'skill')}, each loaded from the tarball`)}`,
      ...skills.map(({ name }) => `  ${shownName(name)}`),
      ...others
        .filter(({ code }) => code === 'plugin-hook')
        .map(({ message }) => `  ${style.yellow('hook')}  ${printableLine(message)}`),
      '',
    ].join('\n'),
  )
}

/** Returns a check as JSON. Every key is present. See docs/reference/plugins.md, "Publishing a plugin". */
export function checkJson({ name, version, skills, files, others, counts }: PluginCheck): Record<string, unknown> {
  return {
    name: name ?? null,
    version: version ?? null,
    skills: skills.map(one => ({ name: one.name, path: one.path ?? null })),
    files,
    others,
    counts,
  }
}
