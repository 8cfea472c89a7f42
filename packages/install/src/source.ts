import { SkillsError } from '@skills/core'
import { posix, win32 } from 'node:path'
import { secretIn } from '@skills/state/secrets'
import validRange from 'semver/ranges/valid.js'
import validateName from 'validate-npm-package-name'
import { masked } from './error.js'
import { readForgePage } from './forge-page.js'

/** Parsed source of skills. Sources of one kind are made by one function, which first checks every part. */
export type InstallSource = PlainSource | PluginSource

export type PlainSource = GitSource | NpmSource | ArchiveSource | SiteSource | FolderSource

export interface GitSource {
  readonly type: 'git'
  readonly url: string
  /** Branch, tag, or id of a commit. Undefined: the repository's HEAD. */
  readonly ref?: string | undefined
  /** Folder in it, without slashes at its ends. */
  readonly path?: string | undefined
  /**
   * Segments of a ref and of a path behind it. They come from the address of a page, which does not show which slash
   * ends the ref; `exactSource` asks the remote. Then `ref` and `path` are absent.
   */
  readonly tail?: readonly string[] | undefined
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
 * Sources that may hold a marketplace. A package may not, and neither may a plugin of another marketplace, so that no
 * marketplace leads back to itself.
 */
export type Marketplace = GitSource | ArchiveSource | FolderSource

const archive = /\.(?:zip|skill|tgz|tar\.gz|tar)$/i
/** Names that npm takes for a file. */
const fileName = /\.(?:tgz|tar\.gz|tar)$/i
const tag = /^[a-z\d][\w.~-]*$/i
/** Names that `git check-ref-format` accepts: no expression, no option, no line end. */
const refName = /^(?!-|\/)(?!.*(?:\.\.|@\{|\/\/|\/\.|\.lock(?:\/|$)))[^\0-\x20\x7f~^:?*[\\]+(?<![/.])$/
const scp = /^[\w][\w.-]*@[a-z\d][\w.-]*:(?![-/]{2}|-)[\w./~-]+$/i
/** Owner and repository on GitHub. */
const ownerAndRepository = /^[a-z\d][\w.-]*\/(?!\.{1,2}$)[\w.-]+$/i
/** Address without its scheme. No owner on a forge has a dot in its name, so it is told from `owner/repo`. */
const withoutScheme = /^(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)+[a-z]{2,}\//i
/** Short forms of addresses that other programs print. */
const shortForms: Readonly<Record<string, string>> = {
  'github:': 'https://github.com/',
  'gitlab:': 'https://gitlab.com/',
  'bitbucket:': 'https://bitbucket.org/',
  'gist:': 'https://gist.github.com/',
}
/** Protocols of git URLs. */
const gitProtocols = ['https:', 'http:', 'ssh:', 'file:']

/**
 * Folders that paths of a source start from, and the operating system that decides the form of these paths (default:
 * that of this machine).
 */
export interface SourceOrigin {
  readonly cwd: string
  readonly home: string
  readonly platform?: NodeJS.Platform
}

/**
 * Parses a source that a person types: `owner/repo/path#ref`, a git URL, the address of a page of a forge, `npm:name@range`,
 * a path or URL of an archive, a site, a folder (`./x`, `/x`, `~/x`), or `plugin:NAME@MARKETPLACE`. Does not look at the
 * source itself.
 * @throws SkillsError `E_INSTALL_SOURCE`
 */
export function parseSource(text: string, from: SourceOrigin): InstallSource {
  if (/\p{Cc}/u.test(text)) throw refused(text, 'has a control character in it')
  if (text.startsWith('npm:')) return npmText(text)
  if (text.startsWith('plugin:')) return pluginText(text, from)
  const isWindows = (from.platform ?? process.platform) === 'win32'
  if (/^(?:[a-z]:|\.{1,2})?\\|^[a-z]:\//i.test(text) && !isWindows)
    throw refused(text, 'is a Windows path', text.replaceAll('\\', '/'))
  if (/^(?:\.{1,2}|~)?[\\/]|^(?:\.{1,2}|~)$|^[a-z]:[\\/]/i.test(text)) {
    const { resolve } = isWindows ? win32 : posix
    const full = text.startsWith('~') ? resolve(from.home, text.slice(2)) : resolve(from.cwd, text)
    const path = isWindows ? full.replaceAll('\\', '/') : full
    return archive.test(text) ? { type: 'archive', at: path } : { type: 'folder', path }
  }
  if (/^git\+(?:https?|ssh|file):\/\//i.test(text)) return gitText(text.slice('git+'.length))
  if (scp.test(text.split('#')[0] ?? '')) return gitText(text)
  const short = text.slice(0, text.indexOf(':') + 1)
  if (Object.hasOwn(shortForms, short) && /^[\w~]/.test(text.slice(short.length)))
    return shortSource(short, text.slice(short.length), text)
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
      throw otherScheme(text, scheme ?? '')
  }
  if (withoutScheme.test(text)) return webSource(`https://${text}`)
  const [, repository = '', rest = ''] = /^([^/#]+\/[^/#]+?)(?:\.git)?((?:\/[^#]*)?(?:#.*)?)$/.exec(text) ?? []
  const { skill } = splitSkill(text)
  if (skill !== undefined)
    throw refused(text, 'names a skill after the @, which only "skills add" understands', splitSkill(text).text)
  if (!ownerAndRepository.test(repository)) throw refused(text, 'is not a known form of source', addressIn(text))
  if (/^\/(?:tree|blob)\//.test(rest))
    throw refused(text, 'is a page of GitHub without its host', `https://github.com/${text}`)
  return gitText(`https://github.com/${repository}.git${rest}`)
}

/**
 * Returns the skill that a text names beside its source: in `owner/repo@skill`, as other installers write it, or as the
 * page of one skill.
 */
export function splitSkill(text: string): { readonly text: string; readonly skill?: string } {
  const [, repository, skill] = /^([a-z\d][\w.-]*\/[\w.-]+)@([^@#/\s]+)$/i.exec(text) ?? []
  if (repository !== undefined && skill !== undefined) return { text: repository, skill }
  const address = withoutScheme.test(text) ? `https://${text}` : text
  const reading = /^https?:/i.test(address) && URL.canParse(address) ? readForgePage(new URL(address)) : undefined
  const shown = reading !== undefined && 'page' in reading ? reading.page.skill : undefined
  return shown === undefined ? { text } : { text, skill: shown }
}

/** Returns the error for a scheme that is no way to get skills, with the address that was probably meant. */
function otherScheme(text: string, scheme: string): SkillsError {
  const rest = text.slice(scheme.length + 1)
  const nearest = /^git$/i.test(scheme)
    ? `https:${rest}`
    : /\./.test(scheme) && /^[\w~]/.test(rest)
      ? `git@${scheme}:${rest}`
      : addressIn(rest)
  return refused(text, `begins with ${scheme}:, which is not a way to get skills`, nearest)
}

/** Returns the first address in a text such as a pasted command. */
function addressIn(text: string): string | undefined {
  return /(?:https?:\/\/|git@)[^\s"'<>]+/.exec(text)?.[0] ?? /(?:^|\s)([a-z\d][\w-]*\/[\w.-]+)(?=\s|$)/i.exec(text)?.[1]
}

function npmText(text: string): NpmSource {
  const [, name = '', range = ''] = /^npm:(@?[^@]*)(?:@(.*))?$/s.exec(text) ?? []
  return npmSource(name, range, text)
}

/**
 * Makes a source for a package of npm's registry.
 * @param of text that contains the package, for messages
 */
export function npmSource(name: string, range: string, of: string): NpmSource {
  if (!isPackageName(name)) throw refused(of, `does not name a package: ${JSON.stringify(name)}`)
  // A text that npm would take for a file, a URL or another name is neither a range nor a tag.
  const isRange = range === '' || ((validRange(range) !== null || tag.test(range)) && !fileName.test(range))
  if (!isRange) throw refused(of, `has no valid range of versions: ${JSON.stringify(range)}`)
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
    throw refused(text, 'does not name a marketplace: a repository, an archive or a folder')
  const found = parseSource(rest, from)
  const marketplace = found.type === 'site' ? gitText(found.url) : found
  if (marketplace.type === 'npm' || marketplace.type === 'plugin') throw refused(text, 'does not name a marketplace')
  return { type: 'plugin', name, marketplace }
}

/** @param rest text after a short form such as `github:` */
function shortSource(short: string, rest: string, of: string): InstallSource {
  const base = shortForms[short] ?? ''
  const [names = '', ref] = rest.replace(/\.git$/, '').split(/#(.*)/s)
  // A group of GitLab may hold others, so each name belongs to the repository.
  const parts = short === 'gitlab:' ? [names] : (/^([^/]+\/[^/]+)(?:\/(.*))?$/s.exec(names)?.slice(1) ?? [names])
  if (short !== 'gist:' && !names.includes('/')) throw refused(of, 'does not name an owner/repo')
  return gitSource(`${base}${(parts[0] ?? '').replace(/\.git$/, '')}.git`, { ref, path: parts[1] }, of)
}

function webSource(text: string): InstallSource {
  const url = checkedUrl(withoutUser(text), text)
  const [address = ''] = text.split('#')
  const [isGit, below = ''] = /\.git(?:\/([^/]*)|$)/.exec(url.pathname) ?? []
  if (isGit !== undefined && !/^(?:-|tree|blob|src)$/.test(below)) return gitText(withoutUser(text))
  const reading = readForgePage(url)
  if (reading !== undefined && 'page' in reading) {
    const { repository, ref, path, tail } = reading.page
    // On a page of a folder or file, the fragment is a place in the page.
    const isRoot = [ref, path, tail].every(one => one === undefined)
    return gitSource(repository, { ref: isRoot && url.hash !== '' ? url.hash.slice(1) : ref, path, tail }, text)
  }
  if (reading !== undefined && 'archive' in reading) return { type: 'archive', at: reading.archive }
  if (archive.test(url.pathname)) return { type: 'archive', at: address }
  if (reading !== undefined) throw refused(text, reading.refused, reading.nearest)
  return { type: 'site', url: address }
}

/**
 * Drops the user of an address that a forge shows to copy, such as `https://org@dev.azure.com/org/…`: it is the
 * organisation's own name, and no secret.
 */
function withoutUser(text: string): string {
  return text.replace(/^(https:\/\/)([\w.-]+)@(dev\.azure\.com\/\2\/)/i, '$1$3')
}

/** @param text URL, with a path in the repository after `.git` or after `//`, and a ref after `#` */
function gitText(text: string): GitSource {
  const [address = '', ref] = text.split(/#(.*)/s)
  const [, base = address, below = ''] =
    /^(.*?\.git)(\/.*)?$/.exec(address) ?? /^([a-z]+:\/\/.*?[^/])(\/\/[^/].*)$/i.exec(address) ?? []
  return gitSource(base, { ref, path: below.replace(/^\/+|\/+$/g, '') }, text)
}

/** Makes a source for a repository on GitHub. */
export function githubSource(repository: string, below: Below, of: string): GitSource {
  if (!ownerAndRepository.test(repository))
    throw refused(of, `does not name an owner/repo: ${JSON.stringify(repository)}`)
  return gitSource(`https://github.com/${repository.replace(/\.git$/, '')}.git`, below, of)
}

/** Place in a repository; see {@link GitSource}. */
interface Below {
  readonly ref?: string | undefined
  readonly path?: string | undefined
  readonly tail?: readonly string[] | undefined
}

/**
 * Makes a source for a repository at a URL, or at `user@host:path`.
 * @param of text that contains the URL, for messages
 */
export function gitSource(url: string, { ref, path = '', tail }: Below, of: string): GitSource {
  if (!scp.test(url) && !gitProtocols.includes(checkedUrl(url, of).protocol)) throw refused(of, 'is not a git URL')
  if (ref !== undefined && !refName.test(ref)) throw refused(of, 'has no valid name of a branch or tag')
  if (ref !== undefined && secretIn(ref) !== undefined) throw secret(of, secretIn(ref))
  const parts = [...(path === '' ? [] : path.split('/')), ...(tail ?? []).flatMap(part => part.split('/'))]
  if (parts.some(part => part === '' || part === '.' || part === '..' || /^-|\p{Cc}/u.test(part)))
    throw refused(of, 'has a path that leads out of the source')
  return {
    type: 'git',
    url,
    ...(ref !== undefined && { ref }),
    ...(path !== '' && { path }),
    ...(tail !== undefined && { tail }),
  }
}

/** Returns the text that {@link parseSource} understands as this source. */
export function gitSourceText({ url, ref, path }: GitSource): string {
  const [, own] = /^https:\/\/github\.com\/(.+)\.git$/.exec(url) ?? []
  const isPlain = own !== undefined && ownerAndRepository.test(own)
  const below = path === undefined ? '' : `/${path}`
  const isPlainUrl = url.endsWith('.git') || (scp.test(url) && below === '')
  const base = isPlain ? own + below : isPlainUrl ? url + below : `git+${url}${below && `/${below}`}`
  return ref === undefined ? base : `${base}#${ref}`
}

/** Parses a URL without secrets. Credentials belong to git or npm, and never to a file that others read. */
function checkedUrl(text: string, of: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined) throw refused(of, 'is not a valid URL')
  const why = secretIn(text)
  if (why !== undefined) throw secret(of, why)
  // A program could take such a part for an option. GitLab has a lone hyphen before the name of a view.
  const names = [url.hostname, url.username].some(part => /^(?:-|%2d)/i.test(part))
  if (names || url.pathname.split('/').some(part => /^(?:-|%2d)./i.test(part)))
    throw refused(of, 'has a part that begins with a hyphen')
  if (url.protocol === 'file:' && url.hostname !== '') throw refused(of, 'names another machine')
  return url
}

function secret(text: string, why = 'a secret'): SkillsError {
  return new SkillsError(
    'E_INSTALL_SOURCE',
    `${JSON.stringify(masked(text))} contains ${why}, and the source would be written into skills.json and its lock.`,
    {
      hint: "Leave the secret out, and keep it where git or npm looks for secrets: git's credential helper, ~/.npmrc, or an environment variable that ~/.npmrc names. If the address is signed, download the file yourself and add its path.",
    },
  )
}

/** @param nearest source that was probably meant */
function refused(text: string, why: string, nearest?: string): SkillsError {
  return new SkillsError('E_INSTALL_SOURCE', `${JSON.stringify(masked(text))} ${masked(why)}.`, {
    hint:
      nearest === undefined
        ? 'Write owner/repo, a git URL, npm:name, a path (./folder) or URL of an archive, a site, or plugin:NAME@MARKETPLACE.'
        : `Write ${masked(nearest)}.`,
  })
}
