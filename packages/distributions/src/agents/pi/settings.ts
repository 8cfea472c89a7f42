import { dirname, resolve } from 'node:path'
import { IgnoreRules } from '@skills/files'
import { plainFolder, slashes } from '@skills/files/internal'
import { settingsIn, unused, type Setting, type Settings } from '../../program-settings.js'
import type { Host } from '@skills/core'

// `skills` of pi's settings is recorded for paths and for `!`. From its public documentation is that `+` and `-` name
// one path each, that they and `!` count for the folders that are searched anyway too, and that named folders come
// first.

/** `skills` of the user's settings and of those in the working folder. */
function piSettings(host: Host): Settings {
  return settingsIn(
    host,
    [
      ...(host.home === '' ? [] : [{ path: `${slashes(host.home)}/.pi/agent/settings.json`, isProject: false }]),
      { path: `${plainFolder(host.cwd)}/.pi/settings.json`, isProject: true },
    ],
    ['skills'],
  )
}

const isFilter = ({ text }: Setting): boolean => /^[!+-]/.test(text)
const isPattern = ({ text }: Setting): boolean => /[*?]/.test(text)

/** The folders and files that the settings name. Patterns among them are told of, and name nothing. */
export function piFolders(host: Host): Settings {
  const { entries, problems } = piSettings(host)
  const paths = entries.filter(entry => !isFilter(entry))
  return {
    entries: paths.filter(entry => !isPattern(entry)),
    problems: [
      ...problems,
      ...paths
        .filter(isPattern)
        .map(entry => unused(entry, `The pattern "${entry.text}" is not used.`, 'Name the folder.')),
    ],
  }
}

/** What a path of the settings is relative to: their own folder. */
export function piBase(_host: Host, { path }: Setting): string {
  return slashes(dirname(path))
}

/**
 * What is left out of a folder of skills, by files of patterns in it and by the settings: those of a project count for
 * its own skills alone.
 */
export function piIgnores(host: Host, isProject: boolean): (root: string) => (path: string) => boolean {
  return root => {
    const files = IgnoreRules.by(root, ['.gitignore', '.ignore', '.fdignore'])
    const filters = piSettings(host).entries.filter(entry => entry.isProject === isProject && isFilter(entry))
    const base = (entry: Setting): string => resolve(piBase(host, entry), entry.text.slice(1))
    const exact = (mark: string): ReadonlySet<string> =>
      new Set(filters.filter(({ text }) => text.startsWith(mark)).map(entry => plainFolder(base(entry))))
    const [kept, dropped] = [exact('+'), exact('-')]
    const isLeftOut = IgnoreRules.patterns()(
      filters.filter(({ text }) => text.startsWith('!')).map(({ text }) => text.slice(1).replace(/^\.\//, '')),
    )
    return path => {
      const plain = path.replace(/\/$/, '')
      if (dropped.has(plain)) return true
      if (kept.has(plain)) return false
      const below = plain.replace(/^\/+/, '')
      return files.ignores(path) || isLeftOut(below) || (path !== plain && isLeftOut(`${below}/SKILL.md`))
    }
  }
}
