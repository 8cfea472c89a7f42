import { resolve } from 'node:path'
import satisfies from 'semver/functions/satisfies.js'
import valid from 'semver/functions/valid.js'
import validRange from 'semver/ranges/valid.js'
import { gitSource, isPackageName, type PlainSource, type InstallSource } from './source.js'

/** Resolution of a source. */
export type Resolved =
  | { readonly type: 'git'; readonly url: string; readonly commit: string }
  | { readonly type: 'npm'; readonly name: string; readonly version: string; readonly integrity: string }
  /** `at` is a URL or a path. */
  | { readonly type: 'archive'; readonly at: string; readonly digest: string }
  | { readonly type: 'site'; readonly url: string }
  | { readonly type: 'folder'; readonly path: string }

/** Integrity of a tarball; a weak digest may stand beside a strong one. */
const strongIntegrity =
  /^(?:sha\d+-[A-Za-z\d+/]+={0,2} )*(?:sha512-[A-Za-z\d+/]{86}==|sha384-[A-Za-z\d+/]{64}|sha256-[A-Za-z\d+/]{43}=)(?: sha\d+-[A-Za-z\d+/]+={0,2})*$/
const commitId = /^(?:[\da-f]{40}|[\da-f]{64})$/
const digestForm = /^sha256:[\da-f]{64}$/

export function isStrongIntegrity(integrity: string): boolean {
  return strongIntegrity.test(integrity)
}

/** Returns true if a range can lead to a version; a tag can lead to any. */
export function isVersionOf(version: string, range: string): boolean {
  if (valid(version) !== version) return false
  // A tag may lead to a prerelease, which a range without limits would leave out.
  return (
    validRange(range) === null || validRange(range) === '*' || satisfies(version, range, { includePrerelease: true })
  )
}

/**
 * Returns the reason why a source cannot have led to the resolution in a lock or a marketplace; undefined if the source
 * can have led to it.
 * @param root absolute folder that relative paths of folders and archives start from
 */
export function misfitOf(source: InstallSource, resolved: Resolved, root: string): string | undefined {
  if (source.type !== 'plugin') return plainMisfit(source, resolved, root)
  const { marketplace } = source
  // A plugin in the marketplace's own tree has the marketplace's pin.
  if (plainMisfit(marketplace, resolved, root) === undefined) return undefined
  switch (resolved.type) {
    case 'git':
      return isSafely(() => gitSource(resolved.url, {}, resolved.url)) && mayLeadTo(marketplace, resolved.url)
        ? commitMisfit(resolved.commit)
        : `${resolved.url} is not a repository that its marketplace may name`
    case 'npm':
      return npmMisfit(resolved.name, '', resolved)
    default:
      return `a marketplace cannot name a source of the type ${resolved.type}`
  }
}

/**
 * Returns true if a marketplace may name a git URL. A marketplace that is not on this machine must not name a URL on
 * this machine, or one with a less secure protocol than its own.
 */
export function mayLeadTo(marketplace: PlainSource, url: string): boolean {
  const from =
    marketplace.type === 'git' ? marketplace.url : marketplace.type === 'archive' ? marketplace.at : undefined
  const isLocal = from === undefined || /^file:/i.test(from) || !/^(?:https?|ssh):|^[^/\\]+@/i.test(from)
  if (isLocal || !/^(?:file|http):/i.test(url)) return true
  return /^http:/i.test(url) && /^http:/i.test(from)
}

function plainMisfit(source: PlainSource, resolved: Resolved, root: string): string | undefined {
  const other = (what: string): string => `${what} does not match its source`
  switch (source.type) {
    case 'git':
      if (resolved.type !== 'git' || resolved.url !== source.url) return other(nameOf(resolved))
      if (source.ref !== undefined && commitId.test(source.ref) && source.ref !== resolved.commit)
        return other(resolved.commit)
      return commitMisfit(resolved.commit)
    case 'npm':
      return resolved.type === 'npm' ? npmMisfit(source.name, source.range, resolved) : other(nameOf(resolved))
    case 'archive':
      if (resolved.type !== 'archive' || !isSamePlace(source.at, resolved.at, root)) return other(nameOf(resolved))
      return digestForm.test(resolved.digest) ? undefined : `${resolved.digest} is not a digest`
    case 'site':
      return resolved.type === 'site' && resolved.url === source.url ? undefined : other(nameOf(resolved))
    case 'folder':
      return resolved.type === 'folder' && isSamePlace(source.path, resolved.path, root)
        ? undefined
        : other(nameOf(resolved))
  }
}

function npmMisfit(
  name: string,
  range: string,
  resolved: Extract<Resolved, { readonly type: 'npm' }>,
): string | undefined {
  if (resolved.name !== name || !isPackageName(resolved.name)) return `${nameOf(resolved)} does not match its source`
  if (!isVersionOf(resolved.version, range))
    return `${resolved.version} is not a version of ${name}@${range || 'latest'}`
  return isStrongIntegrity(resolved.integrity)
    ? undefined
    : `${resolved.integrity} is not an integrity of SHA-256 or stronger`
}

function commitMisfit(commit: string): string | undefined {
  return commitId.test(commit) ? undefined : `${commit} is not the full id of a commit`
}

function nameOf(resolved: Resolved): string {
  switch (resolved.type) {
    case 'npm':
      return `npm:${resolved.name}`
    case 'archive':
      return resolved.at
    case 'folder':
      return resolved.path
    default:
      return resolved.url
  }
}

/** Compares URLs as text, and paths by the place they lead to. */
function isSamePlace(one: string, other: string, root: string): boolean {
  if (one === other) return true
  return ![one, other].some(each => /^https?:/i.test(each)) && resolve(root, one) === resolve(root, other)
}

function isSafely(make: () => unknown): boolean {
  try {
    make()
    return true
  } catch {
    // The source itself reports the reason when it is opened.
    return false
  }
}
