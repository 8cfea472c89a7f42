import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { TextPlaces } from './text-places.js'
import type { Diagnostic } from '@skills/core'

/** Link of Markdown, with the position of its target. */
const link = /!?\[[^\]\n]*\]\(\s*(<[^>\n]*>|[^\s)]+)/dg
/** Fences and spans of code, in which nothing counts as a link. */
const code = /^(`{3,}|~{3,}).*?^\1|(`+)(?!`)[^\n]*?(?<!`)\2(?!`)/gms

/**
 * Returns warnings for links of a text that lead to no file beside it. Ignores links with a scheme, to a place in the
 * page, or with a variable.
 * @param folder absolute folder that relative targets start from
 */
export function checkLinks(text: string, folder: string): readonly Diagnostic[] {
  if (!text.includes('](')) return []
  const plain = text.replace(code, span => span.replace(/[^\n]/g, ' '))
  let places: TextPlaces | undefined
  return [...plain.matchAll(link)].flatMap(({ 1: written = '', indices }) => {
    const target = pathIn(written.replace(/^<(.*)>$/, '$1'))
    if (target === undefined || existsSync(resolve(folder, target))) return []
    places ??= new TextPlaces(text)
    return [
      {
        severity: 'warning',
        type: 'validation',
        code: 'dead-link',
        ...places.at(indices?.[1]?.[0] ?? 0),
        message: `The skill links to ${target}, but that file does not exist.`,
        hint: 'Add the file, or correct the path. Paths are relative to the folder of the skill.',
      },
    ]
  })
}

function pathIn(target: string): string | undefined {
  if (/^(?:[a-z][a-z\d+.-]*:|[/#?])|[$]/i.test(target)) return undefined
  const path = target.replace(/[?#].*$/s, '')
  try {
    return decodeURIComponent(path)
  } catch (error) {
    if (error instanceof URIError) return path
    throw error
  }
}
