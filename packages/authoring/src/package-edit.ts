import { findNodeAtLocation, parseTree, type JSONPath } from 'jsonc-parser'
import { hasManifest, type PackageFile } from '@skills/inspect/internal'
import type { PackageFields } from './new-package.js'

export interface PackageEdit {
  readonly text: string
  /** Keys that were added or extended. */
  readonly changed: readonly string[]
}

/**
 * Adds the fields that a package file needs for a plugin and lacks. Every other byte stays: existing fields, order,
 * indentation, line ends. Does not add a list of `files`, because without such a list npm publishes everything.
 */
export function addPackageFields(
  { text, data }: Pick<PackageFile, 'text' | 'data'>,
  { published, ...fields }: PackageFields,
): PackageEdit {
  const mark = text.startsWith('\ufeff') ? '\ufeff' : ''
  const files = data['files']
  const unpublished = Array.isArray(files) ? published.filter(one => !files.some(pattern => covers(pattern, one))) : []
  const missing = Object.entries({ ...fields, ...(hasManifest(data) ? {} : { skillsPaths: ['./skills'] }) }).filter(
    ([key]) => data[key] === undefined,
  )
  let edited = text.slice(mark.length)
  if (unpublished.length > 0)
    edited = append(
      edited,
      ['files'],
      unpublished.map(one => JSON.stringify(one)),
    )
  if (missing.length > 0)
    edited = append(
      edited,
      [],
      missing.map(([key, value]) => `${JSON.stringify(key)}: ${valueText(value)}`),
    )
  return {
    text: `${mark}${edited}`,
    changed: [...(unpublished.length > 0 ? ['files'] : []), ...missing.map(([key]) => key)],
  }
}

function valueText(value: string | readonly string[]): string {
  return typeof value === 'string' ? JSON.stringify(value) : `[${value.map(one => JSON.stringify(one)).join(', ')}]`
}

/**
 * Appends members to an object or a list, in the layout of those before them. A formatter would change the layout of
 * the others.
 */
function append(text: string, path: JSONPath, members: readonly string[]): string {
  const tree = parseTree(text)
  const node = tree === undefined ? undefined : findNodeAtLocation(tree, path)
  if (node === undefined) throw new TypeError('What was read as JSON has a tree.')
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const last = node.children?.at(-1)
  if (last === undefined) {
    const lines = members.map(member => `${eol}  ${member}`).join(',')
    return `${text.slice(0, node.offset + 1)}${lines}${eol}${text.slice(node.offset + node.length - 1)}`
  }
  const end = last.offset + last.length
  // White space before the last member, if it begins a line.
  const indent = /\r?\n[ \t]*$/.exec(text.slice(0, last.offset))?.[0] ?? ' '
  return `${text.slice(0, end)}${members.map(member => `,${indent}${member}`).join('')}${text.slice(end)}`
}

/**
 * Returns true if an entry of `files` is plainly the same folder. If a pattern that includes it is missed, there is
 * just one entry too many.
 */
function covers(pattern: unknown, folder: string): boolean {
  return (
    typeof pattern === 'string' &&
    ['', '*', '**', folder].includes(
      pattern
        .replace(/^(?:\.?\/)+/, '')
        .replace(/\/+(?:\*\*?\/?\*?)?$/, '')
        .replace(/^\.$/, ''),
    )
  )
}
