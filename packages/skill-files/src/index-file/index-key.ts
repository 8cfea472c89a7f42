import { readerVersion } from '@skills/skill-md'
import type { Layout, SkillRoot } from '../layout.js'

/** Raised when what is kept of a skill, what reading its file gives beyond the frontmatter, or which files a layout finds is another than before. */
const version = 3

/**
 * Says all that decides what reading the files of a root gives; undefined for a root that takes more than data to say so.
 */
export function indexKey(root: SkillRoot, layout: Layout): string | undefined {
  const { path, within, hasSidecars, mayBeSkill, name, plugin, adapt } = root
  // Nobody can tell whether a function is the one it was.
  if (adapt !== undefined) return undefined
  // What is kept of a name rests on the folder's.
  if (layout.names === 'field') return undefined
  // Which characters count as invisible is the runtime's to say.
  return JSON.stringify([version, readerVersion, process.versions['unicode'], { path, within, hasSidecars, mayBeSkill, name, plugin: plugin?.name, layout: sorted(layout) }])
}

/** The same options in the same order. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => a < b ? -1 : 1).map(([key, inner]) => [key, sorted(inner)]))
}

/** The name of the file for a key. Two keys may share one: each then finds the other's and takes it for foreign. */
export function indexName(key: string): string {
  let [a, b] = [0xdeadbeef, 0x41c6ce57]
  for (let at = 0; at < key.length; at++) {
    a = Math.imul(a ^ key.charCodeAt(at), 2654435761)
    b = Math.imul(b ^ key.charCodeAt(at), 1597334677)
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909)
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909)
  return `${[a, b].map(half => (half >>> 0).toString(16).padStart(8, '0')).join('')}.index`
}
