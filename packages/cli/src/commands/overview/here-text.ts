import { again, quoted } from '../../engine/again.js'
import { counted, skillsAndCommands } from '../../output/problems.js'
import { printable, printableLine } from '../../output/printable.js'
import { problemLines } from '../../output/problem-lines.js'
import { shownPath } from '../../output/shown-path.js'
import { pad, widthOf } from '../../output/width.js'
import type { Here } from './load-here.js'
import type { Invocation } from '../../arguments/invocation.js'
import type { Io } from '../../io.js'
import type { Style } from '../../output/style.js'

const mostPlugins = 12

/** Returns lines that describe the folder: its kind, its plugins and skills, and its problems. */
export function hereLines(here: Here, invocation: Invocation, io: Io, style: Style): readonly string[] {
  const { plugins, skills, commands, unlisted, problems, kind } = here
  const cells = Math.max(0, ...plugins.map(({ name }) => widthOf(name)))
  const rows =
    kind === 'marketplace'
      ? plugins
          .slice(0, mostPlugins)
          .map(one => `  ${pad(printable(one.name), cells)}  ${skillsAndCommands(one.skills, one.commands)}`)
      : []
  return [
    style.bold(titleOf(here, io.cwd)),
    ...rows,
    ...(plugins.length > mostPlugins && kind === 'marketplace' ? [`  and ${plugins.length - mostPlugins} more`] : []),
    ...(unlisted === 0
      ? []
      : [
          `  ${unlisted} more SKILL.md below it, which ${kind === 'skills' ? 'lie elsewhere' : 'no plugin of it lists'}`,
        ]),
    ...here.notes.map(note => `  ${printableLine(note)}`),
    ...here.also.map(one => `  it is ${wordsOf[one.kind]} too`),
    ...(problems.length === 0
      ? [`  ${skills.length + commands.length === 0 ? 'nothing of it would load here' : 'no problems in it'}`]
      : problemLines(problems, lintLine(here, invocation, io), io.cwd, style).map(line => `  ${line}`)),
  ]
}

/** Returns the command lines that install, load and check the folder. */
export function hereSteps(here: Here, invocation: Invocation, io: Io): readonly (readonly [string, string])[] {
  const { kind, path } = here
  const dir = dirOf(path, io)
  const flags =
    kind === 'marketplace'
      ? { marketplaces: [...invocation.marketplaces, dir] }
      : { pluginDirs: [...invocation.pluginDirs, dir] }
  const line = (words: string): string => printableLine(again(words, { ...invocation, ...flags }, io))
  const plain = (words: string): string => printableLine(again(words, { ...nothing, home: invocation.home }, io))
  const [remote] = here.remote
  const adds: readonly (readonly [string, string])[] = [
    ...(here.skills.length === 0
      ? []
      : [
          [
            plain(`add ${quoted(dir === '.' ? './' : dir)} --user`),
            'install its skills for you, in every project',
          ] as const,
        ]),
    ...(remote === undefined
      ? []
      : [
          [
            plain(`add ${quoted(`plugin:${remote}@${dir === '.' ? './' : dir}`)} --user`),
            'fetch and install a plugin that lies elsewhere',
          ] as const,
        ]),
  ]
  if (here.skills.length === 0 && here.problems.length === 0 && adds.length > 0) return adds
  return [
    ...adds,
    [line('list'), 'load it for one command'],
    [lintLine(here, invocation, io), 'check every file completely; --fix repairs what can be'],
    ...(kind === 'plugin'
      ? [
          [
            plain(dir === '.' ? 'plugin check' : `plugin check ${quoted(dir)}`),
            'check it as what others will install',
          ] as const,
        ]
      : []),
    [line('audit'), 'what its skills may run'],
  ]
}

const nothing = { distribution: undefined, cwd: undefined, addDirs: [], pluginDirs: [], marketplaces: [] }

function lintLine({ path }: Here, { home }: Invocation, io: Io): string {
  return printableLine(again(`lint ${quoted(dirOf(path, io))}`, { ...nothing, home }, io))
}

/** Returns a folder as a person would type it in the working folder. */
function dirOf(path: string, { cwd }: Io): string {
  return path === cwd ? '.' : shownPath(path, cwd)
}

const wordsOf: Readonly<Record<Here['kind'], string>> = {
  marketplace: 'a marketplace',
  plugin: 'a plugin',
  skill: 'a skill',
  skills: 'a collection of skills',
}

function titleOf(here: Here, cwd: string): string {
  const { kind, path, plugins, skills, folders, loaded } = here
  const where = path === cwd ? 'This folder' : printable(path)
  const many = skillsAndCommands(skills.length, here.commands.length)
  switch (kind) {
    case 'marketplace':
      return `${where} is a marketplace of ${counted(loaded, 'plugin')} with ${many}`
    case 'plugin':
      return `${where} is ${plugins[0] === undefined ? 'a plugin' : `the plugin ${printable(plugins[0].name)}`} with ${many}`
    case 'skill':
      return `${where} is the skill ${printable(skills[0]?.split(':').at(-1) ?? '')}`
    case 'skills':
      return `${where} is a collection of ${many} in ${folders.map(folder => dirIn(folder, path)).join(', ')}`
  }
}

function dirIn(folder: string, path: string): string {
  return folder === path ? 'its own folders' : printable(folder.slice(path.length + 1))
}
