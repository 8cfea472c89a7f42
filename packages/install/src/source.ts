import { resolve } from 'node:path'
import { InstallError, redacted } from './error.js'

/** Where skills come from, taken apart. */
export type Source =
  | GitSource
  /** `range` is a range of versions or a tag, empty for the latest. */
  | { readonly type: 'npm'; readonly name: string; readonly range: string }
  /** `at` is an absolute path or a URL. */
  | { readonly type: 'archive'; readonly at: string }
  | { readonly type: 'site'; readonly url: string }
  | { readonly type: 'folder'; readonly path: string }
  /** A plugin that a marketplace names. */
  | { readonly type: 'plugin'; readonly name: string; readonly marketplace: Source }

export interface GitSource {
  readonly type: 'git'
  readonly url: string
  /** A branch, a tag or the id of a commit. Undefined: what the repository's HEAD is. */
  readonly ref?: string | undefined
  /** Folder in it, without slashes at its ends. */
  readonly path?: string | undefined
}

const archive = /\.(?:zip|skill|tgz|tar\.gz|tar)$/i
const hosts = ['github.com', 'gitlab.com', 'bitbucket.org', 'codeberg.org']
/** Two dots are a step up in what npm makes of a name: a folder, and a path of the registry. */
const packageName = /^(?!.*\.\.)(?:@[a-z\d][a-z\d._~-]*\/)?[a-z\d][a-z\d._~-]*$/
/** Neither a path nor an archive nor a URL nor another name, all of which npm would take. */
const packageRange = /^(?![.~]*\/|\.)(?!.*\.(?:tgz|tar)\b)[\w.^~<>=|*+ -]*$/i
/** What `git check-ref-format` takes for a name: no expression, no option, nothing that ends a line. */
const refName = /^(?!-|\/)(?!.*(?:\.\.|@\{|\/\/|\/\.|\.lock(?:\/|$)))[^\0-\x20\x7f~^:?*[\\]+(?<![/.])$/
const scp = /^[\w][\w.-]*@[a-z\d][\w.-]*:(?![-/]{2}|-)[\w./~-]+$/i

/**
 * Reads what a person types for a source: `owner/repo/path#ref`, a git URL, `npm:name@range`, a path or URL of an
 * archive, a site, a folder (`./x`, `/x`, `~/x`), or `plugin:NAME@MARKETPLACE`. Nothing is looked at.
 * @throws InstallError `E_INSTALL_SOURCE`
 */
export function parseSource(text: string, from: { readonly cwd: string; readonly home: string }): Source {
  if (/\p{Cc}/u.test(text)) throw refused(text, 'has a control character in it')
  if (text.startsWith('npm:')) return npmSource(text)
  if (text.startsWith('plugin:')) return pluginSource(text, from)
  if (/^(?:\.{1,2}|~)?\/|^\.{1,2}$|^[a-z]:[\\/]/i.test(text)) {
    const path = text.startsWith('~/') ? resolve(from.home, text.slice(2)) : resolve(from.cwd, text)
    return archive.test(text) ? { type: 'archive', at: path } : { type: 'folder', path }
  }
  if (/^git\+(?:https?|ssh|file):\/\//i.test(text)) return gitUrl(text.slice('git+'.length))
  if (scp.test(text.split('#')[0] ?? '')) return gitSource(text)
  const [, scheme] = /^([a-z][a-z\d+.-]*):/i.exec(text) ?? []
  switch (scheme?.toLowerCase()) {
    case 'https':
    case 'http':
      return webSource(text)
    case 'ssh':
    case 'file':
      return gitUrl(text)
    case undefined:
      break
    default:
      throw refused(text, `begins with ${scheme ?? ''}:, which is no way to get skills`)
  }
  const [, owner = '', repository = '', rest = ''] =
    /^([a-z\d][\w.-]*)\/([\w.-]+?)(?:\.git)?((?:\/[^#]*)?(?:#.*)?)$/i.exec(text) ?? []
  if (owner === '' || /^\.{0,2}$/.test(repository)) throw refused(text, 'is none of these')
  return gitSource(`https://github.com/${owner}/${repository}.git${rest}`)
}

function npmSource(text: string): Source {
  const [, name = '', range = ''] = /^npm:(@?[^@]*)(?:@(.*))?$/.exec(text) ?? []
  if (!packageName.test(name) || name.length > 214) throw refused(text, `names no package: ${JSON.stringify(name)}`)
  if (!packageRange.test(range)) throw refused(text, `has no range of versions: ${JSON.stringify(range)}`)
  return { type: 'npm', name, range }
}

function pluginSource(text: string, from: Parameters<typeof parseSource>[1]): Source {
  const [, name = '', marketplace = ''] = /^plugin:([^@/\s]+)@(.+)$/.exec(text) ?? []
  if (marketplace.startsWith('plugin:') || marketplace.startsWith('npm:') || name === '')
    throw refused(text, 'is not of the form plugin:NAME@MARKETPLACE')
  const source = parseSource(marketplace, from)
  return { type: 'plugin', name, marketplace: source.type === 'site' ? gitSource(source.url) : source }
}

function webSource(text: string): Source {
  const url = checked(text)
  const [path = ''] = text.split('#')
  if (archive.test(url.pathname)) return { type: 'archive', at: path }
  if (/\.git(?:\/|$)/.test(url.pathname)) return gitSource(text)
  if (!hosts.includes(url.hostname)) return { type: 'site', url: path }
  const [, owner, repository, tree, ref, ...rest] = url.pathname.replace(/\/$/, '').split('/')
  if (owner === undefined || repository === undefined) throw refused(text, 'names no repository')
  const tail =
    tree === 'tree' && ref !== undefined ? `${rest.map(one => `/${one}`).join('')}#${decodeURIComponent(ref)}` : ''
  return gitSource(`${url.origin}/${owner}/${repository}.git${tail === '' ? url.hash : tail}`)
}

function gitUrl(text: string): Source {
  checked(text)
  return gitSource(text)
}

/** A URL without a user or a password: those are git's own, or npm's, and never stand in a lock. */
function checked(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined) throw refused(text, 'is no URL')
  if (url.password !== '' || (url.protocol.startsWith('http') && url.username !== ''))
    throw new InstallError(
      'E_INSTALL_SOURCE',
      `${redacted(text)} was given with a user or a password in it.`,
      "Leave them out, and keep them where git or npm looks for them: git's credential helper, or ~/.npmrc.",
    )
  // What a program would take for an option.
  if ([url.hostname, url.username, ...url.pathname.split('/')].some(part => /^(?:-|%2d)/i.test(part)))
    throw refused(text, 'has a part that begins with a hyphen')
  if (url.protocol === 'file:' && url.hostname !== '') throw refused(text, 'names another machine')
  return url
}

/** @param text a URL, and behind `.git` a path in it, and behind `#` a ref */
function gitSource(text: string): GitSource {
  const [address = '', ref] = text.split(/#(.*)/s)
  const [, base = address, below = ''] = /^(.*?\.git)(\/.*)?$/.exec(address) ?? []
  const path = below.replace(/^\/+|\/+$/g, '')
  if (ref !== undefined && !refName.test(ref)) throw refused(text, `has no name of a branch or tag behind #`)
  if (path !== '' && path.split('/').some(part => part === '' || part === '.' || part === '..'))
    throw refused(text, 'has a path in it that leads elsewhere')
  return { type: 'git', url: base, ...(ref !== undefined && { ref }), ...(path !== '' && { path }) }
}

function refused(text: string, why: string): InstallError {
  return new InstallError(
    'E_INSTALL_SOURCE',
    `${JSON.stringify(redacted(text))} ${redacted(why)}.`,
    'Write owner/repo, a git URL, npm:name, a path (./folder) or URL of an archive, a site, or plugin:NAME@MARKETPLACE.',
  )
}
