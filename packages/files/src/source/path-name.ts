import { stemOf } from '../node.js'
import type { SkillRoot } from './layout.js'

/**
 * Returns the name of a command that is named by its path: the plugin's name, followed by the path below the root, with
 * `:` between the parts.
 */
export function pathName({ path: root, name, plugin, hasWordNames }: SkillRoot, filePath: string): string {
  const below = filePath.slice(root.length + 1, stemEnd(filePath))
  const local =
    below === ''
      ? (name ?? stemOf(root.slice(root.lastIndexOf('/') + 1)))
      : below.includes('/')
        ? below.replaceAll('/', ':')
        : below
  if (plugin === undefined) return local
  return `${plugin.name}:${hasWordNames === true ? local.replace(/[^A-Za-z0-9_-]/g, '-') : local}`
}

/**
 * Returns the index at which the part of a path ends that gives a name: before `.md` and before `/SKILL.md`, ignoring
 * case.
 */
function stemEnd(path: string): number {
  if (path.endsWith('/SKILL.md')) return path.length - '/SKILL.md'.length
  if (!/\.md$/i.test(path)) return path.length
  const end = path.length - 3
  return path.slice(end - 6, end).toLowerCase() === '/skill' ? end - 6 : end
}
