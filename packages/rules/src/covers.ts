import { fitsWildcard } from './wildcard.js'
import { isShell, parseRule, type RuleContent } from './rule.js'
import { strictProbe } from './probe.js'

/**
 * Whether all that one rule of the only tools gives is given by another too, and neither is a rule that cannot be
 * understood. It says no where it is not sure, so that of two rules one that is covered can stand for what both give.
 */
export function covers(rule: string, other: string): boolean {
  const [wide, narrow] = [parseRule(rule, 'allow'), parseRule(other, 'allow')]
  if ('problem' in wide || 'problem' in narrow) return false
  // What stands for anything in the wide one takes up what does so in the narrow one.
  const isAbout = wide.tool === narrow.tool || (wide.tool.includes('*') && fitsWildcard(narrow.tool, wide.tool))
  return isAbout && coversContent(narrow.tool, wide.content, narrow.content)
}

function coversContent(tool: string, wide: RuleContent, narrow: RuleContent): boolean {
  if (wide.kind === 'any') return true
  if (narrow.kind === 'any') return false
  const [outer, inner] = [wide.text.normalize('NFC'), narrow.text.normalize('NFC')]
  if (wide.kind === narrow.kind && outer === inner) return true
  // Of two patterns it is not sure which holds more.
  if (['path', 'pieces'].includes(wide.kind) || ['path', 'pieces'].includes(narrow.kind)) return false
  if (narrow.kind !== 'exact') return isOpenFor(wide, outer, inner)
  // A script in full may be any script; what leaves something open gives simple commands alone, and those by their
  // letters.
  if (isShell(tool) && /[^ -~]/.test(inner)) return false
  return strictProbe({ tool, content: inner }, 'limit').open.some(({ text }) =>
    text === outer ? wide.kind !== 'exact' : isOpenFor(wide, outer, text),
  )
}

/** Whether a rule that leaves something open after `outer` has room for all that begins with `inner`. */
function isOpenFor({ kind }: RuleContent, outer: string, inner: string): boolean {
  switch (kind) {
    case 'start':
      return inner.startsWith(outer)
    case 'words':
      return inner.startsWith(`${outer} `)
    case 'prefix':
      return inner.startsWith(`${outer}:`)
    default:
      return false
  }
}
