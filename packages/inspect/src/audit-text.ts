import { hiddenCharacters, spelledByTags, type HiddenCharacters } from './hidden-characters.js'
import { TextPlaces } from './text-places.js'
import type { AuditLevel, Unplaced } from './audit-finding.js'

/** Recommended limit of a body in characters, the same as for lint. */
const longestBody = 15_000
/** Most runs of invisible characters that have a finding each. */
const mostOfKind = 1000

// Ends at the first character that can continue a sentence in any script.
const address = /\b(?:https?|ftp|wss?):\/\/(?:(?!\p{ASCII})[\p{L}\p{N}\p{M}]|[\w.~:/?#@!$&*+,;=%-]){1,4096}/giu

/**
 * Returns findings about the invisible characters and addresses in a skill's text, and its length.
 * @param text the whole file, or only the body for a command without a file
 * @param bodyStart start of the body, in UTF-16 code units
 */
export function auditText(text: string, bodyStart: number): readonly Unplaced[] {
  const places = new TextPlaces(text)
  const body = text.slice(bodyStart)
  const found: Unplaced[] = []
  let runs = 0
  for (const hidden of hiddenCharacters(text)) {
    const { kind, start, count, first } = hidden
    if (++runs > mostOfKind) {
      const message = `The text has invisible characters in more than ${mostOfKind} places; the places from here on are not listed.`
      found.push({ level: 'high', code: 'hidden-character', message, ...places.at(start) })
      break
    }
    const spelled = kind === 'tag' ? spelledByTags(text.slice(start, start + 2 * Math.min(count, mostOfKind))) : ''
    const many = count === 1 ? first : `${first} and ${count - 1} more`
    const message = `${words[kind]} (${many})${spelled === '' ? '.' : `, which spell: ${spelled}`}`
    found.push({ level: levelOf(hidden), code: 'hidden-character', message, ...places.at(start) })
  }
  found.push(...addresses(body).map(({ index, ...finding }) => ({ ...finding, ...places.at(bodyStart + index) })))
  if (body.length > longestBody) {
    found.push({
      level: 'low',
      code: 'size',
      message: `The body has ${body.length} characters, and all of them go into the conversation.`,
      ...places.at(bodyStart),
    })
  }
  return found
}

/** Removes the punctuation of the surrounding sentence. */
function withoutEnd(written: string): string {
  let end = written.length
  while (end > 0 && '.,;:!?)]*_'.includes(written.charAt(end - 1))) end -= 1
  return written.slice(0, end)
}

const words: Readonly<Record<HiddenCharacters['kind'], string>> = {
  control: 'Control characters for a terminal',
  bidirectional: 'Characters that change the order in which text is shown',
  tag: 'Invisible text that a model reads',
  invisible: 'Characters without width',
}

function levelOf({ kind }: HiddenCharacters): AuditLevel {
  return kind === 'invisible' ? 'medium' : 'high'
}

interface Address extends Unplaced {
  readonly index: number
}

/** Returns one finding for each host, at its first mention, and one for each address that hides its owner. */
function addresses(body: string): readonly Address[] {
  // Looking for letters of any script takes long, and most bodies contain no address.
  if (!body.includes('://')) return []
  const hosts = new Map<string, { readonly index: number; count: number }>()
  const unusual: Address[] = []
  for (const { 0: written, index } of body.matchAll(address)) {
    const text = withoutEnd(written)
    const url = URL.canParse(text) ? new URL(text) : undefined
    // A text such as `https://$HOST/` names no host.
    if (url === undefined || url.hostname === '' || /[$*%]/.test(url.hostname)) continue
    const why = oddity(text, url)
    if (why !== undefined)
      unusual.push({
        level: 'medium',
        code: 'unusual-url',
        message: `Its text names an address ${why}: ${text}`,
        text,
        index,
      })
    const host = hosts.get(url.hostname)
    if (host === undefined) hosts.set(url.hostname, { index, count: 1 })
    else host.count++
  }
  return [
    ...unusual,
    ...Array.from(hosts, ([host, { index, count }]): Address => ({
      level: 'info',
      code: 'url',
      message: `Its text names ${host}${count === 1 ? '' : `, ${count} times`}.`,
      text: host,
      index,
    })),
  ]
}

const privateHost = /^(?:0\.0\.0\.0$|127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|169\.254\.169\.254$|\[)/

// Scripts with letters that look like Latin ones.
const lookalikes = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\uff01-\uff5e]|xn--/u

/**
 * Returns why an address may not be what it looks like, or undefined.
 * @param text address as written, which the parsed URL no longer shows
 */
function oddity(text: string, { hostname, username }: URL): string | undefined {
  if (username.includes('.')) return 'whose user name looks like a host'
  if (lookalikes.test(/^[^/]*\/\/[^/?#]*/.exec(text)?.[0] ?? ''))
    return 'whose host has letters that look like other letters'
  return /^\d+(?:\.\d+){3}$/.test(hostname) && !privateHost.test(hostname)
    ? 'that has a number instead of a host name'
    : undefined
}
