import { dirname, resolve } from 'node:path'
import { IgnoreRules } from '@skills/files'
import { plainFolder, slashes } from '@skills/files/internal'
import { settingsIn, unused, type Setting, type Settings } from '../../program-settings.js'
import type { Host } from '@skills/core'

// `skills` of pi's settings is recorded for paths and for `!`. The rest is from its public documentation: `+` and `-`
// name one path each, they and `!` also apply to the folders that are searched by default, and named folders come
// first.

/** Reads `skills` of the user's settings and of those in the working folder. */
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

/** Returns the folders and files that the settings name. Patterns are reported and have no effect. */
export function piFolders(host: Host): Settings {
  const { entries, problems } = piSettings(host)
  const paths = entries.filter(entry => !isFilter(entry))
  return {
    entries: paths.filter(entry => !isPattern(entry)),
    problems: [
      ...problems,
      ...paths
        .filter(isPattern)
        .map(entry =>
          unused(
            entry,
            `The pattern "${entry.text}" is ignored, because patterns are not supported.`,
            'Name the folder itself.',
          ),
        ),
    ],
  }
}

/** Returns the folder to which a path of the settings is relative: the folder of the settings file. */
export function piBase(_host: Host, { path }: Setting): string {
  return slashes(dirname(path))
}

/**
 * Returns the function that leaves paths out of a folder of skills, by ignore files in it and by the settings. Settings
 * of a project apply to its own skills only.
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
