import { fitsWildcard } from './wildcard.js'
import { isShell, parseRule, type RuleContent } from './rule.js'
import { strictProbe } from './probe.js'

/**
 * True if two rules of `only` lists are valid and the other one allows every call that the first allows. False if this
 * is not certain. A caller can drop a covered rule, and the same calls stay allowed.
 */
export function covers(rule: string, other: string): boolean {
  const [wide, narrow] = [parseRule(rule, 'allow'), parseRule(other, 'allow')]
  if ('problem' in wide || 'problem' in narrow) return false
  // A wildcard of the wide rule covers a wildcard of the narrow one.
  const isAbout = wide.tool === narrow.tool || (wide.tool.includes('*') && fitsWildcard(narrow.tool, wide.tool))
  return isAbout && coversContent(narrow.tool, wide.content, narrow.content)
}

function coversContent(tool: string, wide: RuleContent, narrow: RuleContent): boolean {
  if (wide.kind === 'any') return true
  if (narrow.kind === 'any') return false
  const [outer, inner] = [wide.text.normalize('NFC'), narrow.text.normalize('NFC')]
  if (wide.kind === narrow.kind && outer === inner) return true
  // It is unclear which of two patterns matches more.
  if (['path', 'pieces'].includes(wide.kind) || ['path', 'pieces'].includes(narrow.kind)) return false
  if (narrow.kind !== 'exact') return isOpenFor(wide, outer, inner)
  // An exact rule for a script may be any script. An open rule allows simple commands only, compared letter by letter.
  if (isShell(tool) && /[^ -~]/.test(inner)) return false
  return strictProbe({ tool, content: inner }, 'limit').open.some(({ text }) =>
    text === outer ? wide.kind !== 'exact' : isOpenFor(wide, outer, text),
  )
}

/** True if a rule that is open after `outer` matches everything that begins with `inner`. */
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
