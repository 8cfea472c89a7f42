import { SkillsError } from '@skills/core'
import { resolve } from 'node:path'
import { secretIn } from '@skills/state/secrets'
import validRange from 'semver/ranges/valid.js'
import validateName from 'validate-npm-package-name'
import { masked } from './error.js'

/** Parsed source of skills. Each kind is made by one function, and only from parts that it has checked. */
export type InstallSource = PlainSource | PluginSource

export type PlainSource = GitSource | NpmSource | ArchiveSource | SiteSource | FolderSource

export interface GitSource {
  readonly type: 'git'
  readonly url: string
  /** Branch, tag, or id of a commit. Undefined: the repository's HEAD. */
  readonly ref?: string | undefined
  /** Folder in it, without slashes at its ends. */
  readonly path?: string | undefined
}

export interface NpmSource {
  readonly type: 'npm'
  readonly name: string
  /** Range of versions or a tag; empty for the latest. */
  readonly range: string
}

export interface ArchiveSource {
  readonly type: 'archive'
  /** Absolute path or URL. */
  readonly at: string
}

export interface SiteSource {
  readonly type: 'site'
  readonly url: string
}

export interface FolderSource {
  readonly type: 'folder'
  readonly path: string
}

/** Plugin that a marketplace names. */
export interface PluginSource {
  readonly type: 'plugin'
  readonly name: string
  readonly marketplace: Marketplace
}

/**
 * Sources that may hold a marketplace: no package, and no plugin of another marketplace, so that none leads back to
 * itself.
 */
export type Marketplace = GitSource | ArchiveSource | FolderSource

const archive = /\.(?:zip|skill|tgz|tar\.gz|tar)$/i
const hosts = ['github.com', 'gitlab.com', 'bitbucket.org', 'codeberg.org']
/** Names that npm takes for a file. */
const fileName = /\.(?:tgz|tar\.gz|tar)$/i
const tag = /^[a-z\d][\w.~-]*$/i
/** Names that `git check-ref-format` accepts: no expression, no option, no line end. */
const refName = /^(?!-|\/)(?!.*(?:\.\.|@\{|\/\/|\/\.|\.lock(?:\/|$)))[^\0-\x20\x7f~^:?*[\\]+(?<![/.])$/
const scp = /^[\w][\w.-]*@[a-z\d][\w.-]*:(?![-/]{2}|-)[\w./~-]+$/i
/** Owner and repository on GitHub. */
const ownerAndRepository = /^[a-z\d][\w.-]*\/(?!\.{1,2}$)[\w.-]+$/i
/** Protocols of git URLs. */
const gitProtocols = ['https:', 'http:', 'ssh:', 'file:']

/**
 * Parses a source that a person types: `owner/repo/path#ref`, a git URL, `npm:name@range`, a path or URL of an archive,
 * a site, a folder (`./x`, `/x`, `~/x`), or `plugin:NAME@MARKETPLACE`. Does not look at the source itself.
 * @throws SkillsError `E_INSTALL_SOURCE`
 */
export function parseSource(text: string, from: { readonly cwd: string; readonly home: string }): InstallSource {
  if (/\p{Cc}/u.test(text)) throw refused(text, 'has a control character in it')
  if (text.startsWith('npm:')) return npmText(text)
  if (text.startsWith('plugin:')) return pluginText(text, from)
  if (/^(?:\.{1,2}|~)?\/|^\.{1,2}$|^[a-z]:[\\/]/i.test(text)) {
    const path = text.startsWith('~/') ? resolve(from.home, text.slice(2)) : resolve(from.cwd, text)
    return archive.test(text) ? { type: 'archive', at: path } : { type: 'folder', path }
  }
  if (/^git\+(?:https?|ssh|file):\/\//i.test(text)) return gitText(text.slice('git+'.length))
  if (scp.test(text.split('#')[0] ?? '')) return gitText(text)
  const [, scheme] = /^([a-z][a-z\d+.-]*):/i.exec(text) ?? []
  switch (scheme?.toLowerCase()) {
    case 'https':
    case 'http':
      return webSource(text)
    case 'ssh':
    case 'file':
      return gitText(text)
    case undefined:
      break
    default:
      throw refused(text, `begins with ${scheme ?? ''}:, which is no way to get skills`)
  }
  const [, repository = '', rest = ''] = /^([^/#]+\/[^/#]+?)(?:\.git)?((?:\/[^#]*)?(?:#.*)?)$/.exec(text) ?? []
  if (!ownerAndRepository.test(repository)) throw refused(text, 'is none of these')
  return gitText(`https://github.com/${repository}.git${rest}`)
}

function npmText(text: string): NpmSource {
  const [, name = '', range = ''] = /^npm:(@?[^@]*)(?:@(.*))?$/s.exec(text) ?? []
  return npmSource(name, range, text)
}

/**
 * Makes a source for a package of npm's registry.
 * @param of text that contains it, for messages
 */
export function npmSource(name: string, range: string, of: string): NpmSource {
  if (!isPackageName(name)) throw refused(of, `names no package: ${JSON.stringify(name)}`)
  // A text that npm would take for a file, a URL or another name is neither a range nor a tag.
  const isRange = range === '' || ((validRange(range) !== null || tag.test(range)) && !fileName.test(range))
  if (!isRange) throw refused(of, `has no range of versions: ${JSON.stringify(range)}`)
  return { type: 'npm', name, range }
}

/**
 * Returns true for the name of a package. Refuses `..`, which npm would use as a step up, both in a folder and in the
 * registry's path.
 */
export function isPackageName(name: string): boolean {
  return validateName(name).validForOldPackages && name.length <= 214 && !fileName.test(name) && !name.includes('..')
}

function pluginText(text: string, from: Parameters<typeof parseSource>[1]): PluginSource {
  const [, name = '', rest = ''] = /^plugin:([^@/\s]+)@(.+)$/s.exec(text) ?? []
  if (name === '') throw refused(text, 'is not of the form plugin:NAME@MARKETPLACE')
  // Refused without parsing the rest, which could contain another one, and so on.
  if (/^(?:plugin|npm):/.test(rest))
    throw refused(text, 'names no marketplace: that is a repository, an archive or a folder')
  const found = parseSource(rest, from)
  const marketplace = found.type === 'site' ? gitText(found.url) : found
  if (marketplace.type === 'npm' || marketplace.type === 'plugin') throw refused(text, 'names no marketplace')
  return { type: 'plugin', name, marketplace }
}

function webSource(text: string): InstallSource {
  const url = checkedUrl(text, text)
  const [path = ''] = text.split('#')
  if (archive.test(url.pathname)) return { type: 'archive', at: path }
  if (/\.git(?:\/|$)/.test(url.pathname)) return gitText(text)
  if (!hosts.includes(url.hostname)) return { type: 'site', url: path }
  const [, owner, repository, tree, ref, ...rest] = url.pathname.replace(/\/$/, '').split('/')
  if (owner === undefined || repository === undefined) throw refused(text, 'names no repository')
  const tail =
    tree === 'tree' && ref !== undefined ? `${rest.map(one => `/${one}`).join('')}#${decoded(ref, text)}` : ''
  return gitText(`${url.origin}/${owner}/${repository}.git${tail === '' ? url.hash : tail}`)
}

/** @param text URL, with a path in the repository after `.git` and a ref after `#` */
function gitText(text: string): GitSource {
  const [address = '', ref] = text.split(/#(.*)/s)
  const [, base = address, below = ''] = /^(.*?\.git)(\/.*)?$/.exec(address) ?? []
  return gitSource(base, { ref, path: below.replace(/^\/+|\/+$/g, '') }, text)
}

/** Makes a source for a repository on GitHub. */
export function githubSource(repository: string, below: Below, of: string): GitSource {
  if (!ownerAndRepository.test(repository)) throw refused(of, `names no owner/repo: ${JSON.stringify(repository)}`)
  return gitSource(`https://github.com/${repository.replace(/\.git$/, '')}.git`, below, of)
}

/** Place in a repository; see {@link GitSource}. */
interface Below {
  readonly ref?: string | undefined
  readonly path?: string | undefined
}

/**
 * Makes a source for a repository at a URL, or at `user@host:path`.
 * @param of text that contains it, for messages
 */
export function gitSource(url: string, { ref, path = '' }: Below, of: string): GitSource {
  if (!scp.test(url) && !gitProtocols.includes(checkedUrl(url, of).protocol)) throw refused(of, 'is no URL of git')
  if (ref !== undefined && !refName.test(ref)) throw refused(of, 'has no name of a branch or tag')
  if (ref !== undefined && secretIn(ref) !== undefined) throw secret(of, secretIn(ref))
  if (path !== '' && path.split('/').some(part => part === '' || part === '.' || part === '..'))
    throw refused(of, 'has a path in it that leads elsewhere')
  return { type: 'git', url, ...(ref !== undefined && { ref }), ...(path !== '' && { path }) }
}

/** Parses a URL without secrets. Credentials belong to git or npm, and never to a file that others read. */
function checkedUrl(text: string, of: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined) throw refused(of, 'is no URL')
  const why = secretIn(text)
  if (why !== undefined) throw secret(of, why)
  // A program could take such a part for an option.
  if ([url.hostname, url.username, ...url.pathname.split('/')].some(part => /^(?:-|%2d)/i.test(part)))
    throw refused(of, 'has a part that begins with a hyphen')
  if (url.protocol === 'file:' && url.hostname !== '') throw refused(of, 'names another machine')
  return url
}

function secret(text: string, why = 'a secret'): SkillsError {
  return new SkillsError(
    'E_INSTALL_SOURCE',
    `${JSON.stringify(masked(text))} was given with ${why} in it, and a source is written into skills.json and its lock.`,
    {
      hint: "Leave it out, and keep it where git or npm looks for it: git's credential helper, ~/.npmrc, or a variable of the environment that ~/.npmrc names. A file behind a signed address: get it yourself, and add its path.",
    },
  )
}

function refused(text: string, why: string): SkillsError {
  return new SkillsError('E_INSTALL_SOURCE', `${JSON.stringify(masked(text))} ${masked(why)}.`, {
    hint: 'Write owner/repo, a git URL, npm:name, a path (./folder) or URL of an archive, a site, or plugin:NAME@MARKETPLACE.',
  })
}

function decoded(part: string, of: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw refused(of, 'has a part that is not encoded as URLs are')
  }
}
