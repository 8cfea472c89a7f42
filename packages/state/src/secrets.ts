// Patterns cannot recognise every secret. In a URL, everything not known to be harmless counts as a secret. In other
// text only known forms do, because any word of a sentence could be a password.

/** Tokens that their form gives away. */
const tokens = new RegExp(
  [
    String.raw`-----BEGIN [A-Z ]*PRIVATE KEY-----[^]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)`,
    String.raw`\beyJ[\w-]{5,}\.[\w-]{5,}(?:\.[\w-]*)?`,
    String.raw`\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z\d]{12,}`,
    String.raw`\bAIza[\w-]{20,}`,
    String.raw`\bya29\.[\w-]{10,}`,
    String.raw`\bSG\.[\w-]{10,}\.[\w-]{10,}`,
    String.raw`\b(?:gh[a-z]_|github_pat_|gl[a-z]{2,6}-|npm_|hf_|pypi-|dop_v1_|shp[a-z]{2}_|[rs]k_(?:live|test)_|sk-|xox[a-z]-|xapp-|whsec_|dckr_pat_|atlasv1\.|ATATT|key-)[\w.=-]{10,}`,
  ].join('|'),
  'g',
)
/** Names whose value is always a secret. */
const secretName =
  /token|secret|pass(?:w|phrase|$)|pwd|auth(?!or)|credential|signature|session|cookie|jwt|bearer|(?:^|[-_.])(?:sig|key|sas|code|sid|pat|otp|access)(?:$|[-_.])|(?:api|access|private|secret|client)-?_?key/i
/** Names whose value is a place or a format, unless it looks like a token. */
const placeName = /^(?:ref|path|version|v|branch|tag|sha|file|filename|name|format|archive_format|download|service)$/i
/** Numbers, versions and plain words. */
const plainValue = /^(?:v?\d{1,8}|[a-z]{1,12})?(?:[-_./](?:v?\d{1,8}|[a-z]{1,12}))*$/i
const mask = '***'

/** Returns true if the value after `name=` in a URL counts as a secret. */
function isSecret(name: string, value: string): boolean {
  const [key, text] = [decoded(name), decoded(value)]
  if (text === '' || text === mask) return false
  if (secretName.test(key) || hasToken(text)) return true
  return !placeName.test(key) && !plainValue.test(text)
}

function hasToken(text: string): boolean {
  tokens.lastIndex = 0
  return tokens.test(text)
}

/** Decodes a part of a URL. Returns text with invalid encoding unchanged. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

/** Splits a query and a fragment into parts. Each has its name, which can be empty, and is marked if it is a secret. */
function partsOf(
  after: string,
): readonly { readonly text: string; readonly name: string; readonly isSecret: boolean }[] {
  // The separators stay in the list, so that joining it gives the same text.
  return after.split(/([?#&;])/).map((text, at, all) => {
    const end = text.indexOf('=')
    if (end >= 0) return { text, name: text.slice(0, end), isSecret: isSecret(text.slice(0, end), text.slice(end + 1)) }
    // A fragment without `=` is the name of a branch, or nothing that the server sees.
    const isPlain = all[at - 1] === '#' || /^[?#&;]?$/.test(text) || plainValue.test(decoded(text))
    return { text, name: '', isSecret: !isPlain && text !== mask }
  })
}

/** Returns the position of the user or host. Also finds it if the URL was treated as a path, which leaves one slash. */
function authorityAt(url: string): number {
  return /^[a-z][a-z\d+.-]{1,19}:\/\/?/i.exec(url)?.[0].length ?? 0
}

/** Returns the text before the host, with its `@`. Also finds it if a slash in the password makes the URL invalid. */
function userOf(url: string): string {
  const start = authorityAt(url)
  if (start === 0) return ''
  const length = url.slice(start).search(/[/?#]/)
  const authority = length < 0 ? url.slice(start) : url.slice(start, start + length)
  const at = authority.lastIndexOf('@')
  if (at >= 0) return authority.slice(0, at + 1)
  const [, port = ''] = /^[^[:]*:(.*)$/.exec(authority) ?? []
  return /\D/.test(port) ? url.slice(start, url.lastIndexOf('@') + 1) : ''
}

/**
 * Says which part of a URL or a name is a secret, so that the caller does not write it where others can read it.
 * Returns undefined if no part looks secret. In an `ssh` URL, a user without a password is not a secret. A parameter
 * with an unknown name counts as a secret unless its value is plain.
 * @returns for example `a user or a password`, or `the parameter "private_token"`
 */
export function secretIn(url: string): string | undefined {
  const user = userOf(url)
  if (user !== '' && (!/^(?:git\+)?ssh:/i.test(url) || user.includes(':'))) return 'a user or a password'
  const from = url.search(/[?#]/)
  const found = from < 0 ? undefined : partsOf(url.slice(from)).find(part => part.isSecret)
  if (found !== undefined) return found.name === '' ? 'a query' : `the parameter ${JSON.stringify(decoded(found.name))}`
  return hasToken(decoded(url)) ? 'a token' : undefined
}

/** Returns a URL without its user, and with the secrets that {@link secretIn} finds masked. */
function maskedUrl(given: string): string {
  const user = userOf(given)
  const start = authorityAt(given)
  const url = `${given.slice(0, start)}${given.slice(start + user.length)}`
  const from = url.search(/[?#]/)
  if (from < 0) return url
  const shown = partsOf(url.slice(from)).map(part => {
    if (!part.isSecret) return part.text
    return part.name === '' ? mask : `${part.name}=${mask}`
  })
  return `${url.slice(0, from)}${shown.join('')}`
}

const urls = /\b[a-z][a-z\d+.-]{1,19}:\/\/?[^\s"'<>`]+/gi
const headers =
  /\b((?:proxy-)?authorization|(?:set-)?cookie|[\w-]{0,40}(?:api[-_]?key|[-_]token|_authToken|_auth|_password|[-_]secret)|[A-Z][A-Z\d_]{0,60}(?:TOKEN|SECRET|PASSWORD|KEY))(["']?\s*[:=]\s*["']?)((?:bearer|basic|token|digest)\s+)?([^\s"',;]+)/gi
const schemes = /\b(bearer|basic)\s+(?=[^\s"',;]*\d)[\w+/=.~-]{8,}/gi

/**
 * Masks secrets in a text that is printed, logged or written. Secrets are users, passwords and parameters in URLs,
 * headers that authenticate, tokens of a known form, private keys, and the values in `known`.
 * @param known secret values, which are also masked in the forms that they have in URLs, JSON and base64. Values
 *   shorter than 6 characters are ignored, because they would mask ordinary words.
 */
export function maskSecrets(text: string, known: readonly string[] = []): string {
  let shown = text
  for (const form of formsOf(known)) shown = shown.replaceAll(form, mask)
  return shown
    .replace(urls, maskedUrl)
    .replace(tokens, mask)
    .replace(
      headers,
      (_all, name: string, between: string, scheme: string | undefined) => `${name}${between}${scheme ?? ''}${mask}`,
    )
    .replace(schemes, `$1 ${mask}`)
}

function formsOf(known: readonly string[]): readonly string[] {
  const forms = known
    .filter(value => value.length >= 6)
    .flatMap(value => {
      const bytes = Buffer.from(value)
      return [
        value,
        encodeURIComponent(value),
        JSON.stringify(value).slice(1, -1),
        bytes.toString('base64').replace(/=+$/, ''),
        bytes.toString('base64url'),
      ]
    })
  // Longest first, because one form may be part of another.
  return [...new Set(forms)].toSorted((a, b) => b.length - a.length)
}

/** Names of variables that hold a secret. */
const secretVariable =
  /token|secret|passw|passphrase|credential|(?:^|_)(?:key|pat|pwd|auth|cookie|authorization)$|(?:api|access|private)_?key/i

/** Returns the values of environment variables or headers whose names show that they are secret. */
export function secretsOf(named: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.entries(named).flatMap(([name, value = '']) =>
    // The path of a file that holds a secret is not a secret.
    secretVariable.test(name.replaceAll('-', '_')) && !/^[/~.]/.test(value) ? [value] : [],
  )
}
