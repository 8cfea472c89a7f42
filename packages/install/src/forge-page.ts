/**
 * Repository and place in it, read from the address of a page of a forge, as a person copies it from a browser. GitHub,
 * GitLab, Bitbucket, Gitea and Forgejo, Azure DevOps and SourceHut write the address in different ways, and companies
 * run all but the last under names of their own. An address that is not understood is refused, never guessed.
 */
export interface ForgePage {
  /** Address for git. */
  readonly repository: string
  /** Branch, tag, or id of a commit. */
  readonly ref?: string | undefined
  /** Folder in it. */
  readonly path?: string | undefined
  /**
   * Segments of a ref and of a path behind it, where nothing shows which slash ends the ref. The remote has to be asked
   * for its branches and tags. Absent if `ref` is known.
   */
  readonly tail?: readonly string[] | undefined
  /** Name of the skill that the page shows. */
  readonly skill?: string | undefined
}

/** Page of a forge, or the address of an archive that the page shows, or the reason why the address is neither. */
export type PageReading =
  | { readonly page: ForgePage }
  | { readonly archive: string }
  /** `nearest` is the address that was probably meant. */
  | { readonly refused: string; readonly nearest?: string }

/** Forges of which every address names a repository. */
const forges = new Map<string, 'github' | 'gitlab' | 'bitbucket' | 'gitea' | 'gist' | 'azure' | 'sourcehut'>([
  ['github.com', 'github'],
  ['gist.github.com', 'gist'],
  ['gitlab.com', 'gitlab'],
  ['bitbucket.org', 'bitbucket'],
  ['codeberg.org', 'gitea'],
  ['gitea.com', 'gitea'],
  ['gitee.com', 'github'],
  ['dev.azure.com', 'azure'],
  ['git.sr.ht', 'sourcehut'],
])
const rawHost = 'raw.githubusercontent.com'
const downloadHost = 'codeload.github.com'
const listingHost = 'skills.sh'
const commitId = /^(?:[\da-f]{40}|[\da-f]{64})$/
const archive = /\.(?:zip|skill|tgz|tar\.gz|tar)$/i
/** Parameters of a page that change how it looks, and nothing of what it names. */
const looks = /^(?:tab|plain|raw|display|viewer|ref_type|inline|_a|utm_\w+)$/i
const fileViews = new Set(['blob', 'raw', 'blame', 'edit'])
const views = new Set(['tree', ...fileViews])

/**
 * Reads the address of a page. Returns undefined if nothing in the address shows that it belongs to a forge; the caller
 * then has to ask the server.
 * @param url web address without secrets
 */
export function readForgePage(url: URL): PageReading | undefined {
  const host = url.hostname.replace(/^www\./, '')
  const segments = segmentsOf(url)
  if (segments === undefined) return { refused: 'has a part that is not valid percent-encoding' }
  const kind = forges.get(host) ?? (/(?:^|\.)visualstudio\.com$/.test(host) ? 'azure' : undefined)
  const isKnown = kind !== undefined || [rawHost, downloadHost, listingHost].includes(host)
  // A known forge answers over https, and redirects from http and from the name with www.
  const origin = isKnown ? `https://${host}` : url.origin
  const left = new Map(url.searchParams)
  const take = (name: string): string | undefined => {
    const value = left.get(name)
    left.delete(name)
    return value
  }
  const reading = pageOf({ url, host, kind, origin, segments, take })
  if (reading === undefined || !('page' in reading)) return reading
  const unknown = [...left.keys()].find(name => !looks.test(name))
  return unknown === undefined
    ? reading
    : {
        refused: `has the query parameter ${unknown}, which is not understood`,
        nearest: `${url.origin}${url.pathname}`,
      }
}

interface Address {
  readonly url: URL
  readonly host: string
  readonly kind: ReturnType<typeof forges.get>
  readonly origin: string
  readonly segments: readonly string[]
  /** Returns the value of a parameter, which counts as read. A page with one that nothing reads is refused. */
  readonly take: (name: string) => string | undefined
}

function pageOf(address: Address): PageReading | undefined {
  const { url, host, kind, origin, segments, take } = address
  switch (host) {
    case rawHost: {
      const [owner = '', name = '', ...rest] = segments
      return owner === '' || name === '' || rest.length < 2
        ? { refused: 'does not name a file of a repository' }
        : fileAt(github(owner, name), withoutRefs(rest), url.href)
    }
    case downloadHost: {
      const [owner = '', name = '', , ...rest] = segments
      return rest.length === 0
        ? { refused: 'does not name an archive of a repository' }
        : { page: { repository: github(owner, name), ...placeOf(withoutRefs(rest)), path: undefined } }
    }
    case listingHost: {
      const [owner = '', name = '', skill, ...more] = segments
      return owner === '' || name === '' || more.length > 0
        ? { refused: 'does not name a skill of a repository' }
        : { page: { repository: github(owner, name), skill } }
    }
    default:
  }
  const git = segments.indexOf('_git')
  if (git >= 0) return azure(address, git)
  if (kind === 'azure') return { refused: 'does not name a repository: the address of one has /_git/ in it' }
  const dash = segments.indexOf('-')
  if (dash >= 2) return viewed(`${origin}/${segments.slice(0, dash).join('/')}`, segments.slice(dash + 1), address)
  if (kind === 'gist') {
    const id = segments[1] ?? segments[0]
    return id === undefined ? { refused: 'does not name a gist' } : { page: { repository: `${origin}/${id}.git` } }
  }
  if (kind === 'sourcehut' || (segments[0]?.startsWith('~') === true && segments[2] === 'tree'))
    return sourcehut(address)
  const [first, project = '', repos, slug = '', browse, ...below] = segments
  if (first === 'projects' && repos === 'repos' && slug !== '') {
    const at = take('at')?.replace(/^refs\/(?:heads|tags)\//, '')
    const path = browse === 'browse' ? joined(below) : undefined
    return { page: { repository: `${origin}/scm/${project.toLowerCase()}/${slug}.git`, ref: at, path } }
  }
  // In a group of GitLab, any number of names comes before the view.
  const view = segments.findIndex((one, at) => at >= 2 && (views.has(one) || (one === 'src' && kind !== 'gitlab')))
  const isOwn = kind !== undefined
  if (view >= 2 && (isOwn || segments.length > view + 1) && (kind === 'gitlab' || view === 2))
    return viewed(`${origin}/${segments.slice(0, view).join('/')}`, segments.slice(view), address)
  if (!isOwn) return undefined
  const [owner, name, page, ...more] = segments
  if (owner === undefined || name === undefined) return { refused: 'does not name a repository' }
  const repository = `${origin}/${owner}/${name.replace(/\.git$/, '')}`
  if (kind === 'gitlab') {
    const names = [...segments.slice(0, -1), segments.at(-1)?.replace(/\.git$/, '') ?? '']
    return { page: { repository: `${origin}/${names.join('/')}.git` } }
  }
  if (page === undefined)
    return { page: { repository: `${repository}.git`, ref: kind === 'bitbucket' ? take('at') : undefined } }
  if (page === 'releases' && more[0] === 'tag' && more.length > 1)
    return { page: { repository: `${repository}.git`, ref: joined(more.slice(1)) } }
  if (/^commits?$/.test(page) && commitId.test(more[0] ?? ''))
    return { page: { repository: `${repository}.git`, ref: more[0] } }
  return { refused: `is the page "${page}" of a repository, not a folder in it`, nearest: repository }
}

function github(owner: string, name: string): string {
  return `https://github.com/${owner}/${name.replace(/\.git$/, '')}.git`
}

/**
 * Reads a view of a folder or file: `tree/REF/PATH`, `blob/REF/PATH`, `src/REF/PATH`, and `src/branch/REF/PATH` of Gitea.
 * @param base address of the repository, without `.git`
 */
function viewed(base: string, [view = '', ...rest]: readonly string[], { url, kind, take }: Address): PageReading {
  const repository = `${base.replace(/\.git$/, '')}.git`
  if (!views.has(view) && view !== 'src')
    return view === ''
      ? { page: { repository } }
      : { refused: `is the page "${view}" of a repository, not a folder in it`, nearest: base }
  const [sort = '', ...named] = rest
  const isSorted = kind !== 'bitbucket' && kind !== 'github' && ['branch', 'tag', 'commit'].includes(sort)
  const place = isSorted && (view === 'src' || view === 'raw') && named.length > 0 ? named : rest
  if (place.length === 0) return { page: { repository } }
  // Bitbucket shows a branch with a slash in a parameter, and the id of its commit in the path.
  const at = kind === 'bitbucket' ? take('at') : undefined
  if (at !== undefined && place[0] !== undefined)
    return { page: { repository, ref: at, path: folderOf(place.slice(1)) } }
  const raw = base + url.pathname.slice(new URL(base).pathname.length).replace(/\/(?:blob|src|blame|edit)\//, '/raw/')
  return fileViews.has(view) || isFile(place)
    ? fileAt(repository, isSorted ? place : withoutRefs(place), raw)
    : { page: { repository, ...placeOf(isSorted ? place : withoutRefs(place)) } }
}

/** @param segments of the ref and the path of a file */
function fileAt(repository: string, segments: readonly string[], raw: string): PageReading {
  const file = segments.at(-1) ?? ''
  if (archive.test(file)) return { archive: raw.split(/[?#]/)[0] ?? raw }
  if (/^skill\.md$/i.test(file)) return { page: { repository, ...placeOf(segments.slice(0, -1)) } }
  return { refused: `shows the file ${JSON.stringify(file)}, which is not a SKILL.md`, nearest: repository }
}

function isFile(segments: readonly string[]): boolean {
  const file = segments.at(-1) ?? ''
  return segments.length > 1 && (/^skill\.md$/i.test(file) || archive.test(file))
}

/** Azure DevOps has the place in parameters: `?path=/skills/x&version=GBmain`. */
function azure({ segments, origin, take }: Address, git: number): PageReading {
  const name = segments[git + 1]
  if (name === undefined) return { refused: 'does not name a repository after /_git/' }
  const repository = `${origin}/${segments
    .slice(0, git + 2)
    .map(encodeURIComponent)
    .join('/')}`
  const version = take('version')
  const [, sort = '', ref] = /^G([BTC])(.+)$/s.exec(version ?? '') ?? []
  if (version !== undefined && sort === '')
    return { refused: 'has a version that is not a branch, tag or commit', nearest: repository }
  const path = (take('path') ?? '').split('/').filter(part => part !== '')
  return { page: { repository, ref, path: folderOf(path) } }
}

/** SourceHut ends the ref with `item`: `~user/repo/tree/REF/item/PATH`. */
function sourcehut({ segments, origin }: Address): PageReading {
  const [user = '', name = '', view, ...rest] = segments
  if (!user.startsWith('~') || name === '') return { refused: 'does not name a repository' }
  const repository = `${origin}/${user}/${name}`
  if (view === undefined) return { page: { repository } }
  if (view !== 'tree')
    return { refused: `is the page "${view}" of a repository, not a folder in it`, nearest: repository }
  const item = rest.indexOf('item')
  const end = item < 0 ? rest.length : item
  return { page: { repository, ref: joined(rest.slice(0, end)), path: folderOf(rest.slice(end + 1)) } }
}

/** Divides a ref and a path where that needs no question: a single segment, `HEAD`, and the id of a commit. */
function placeOf(segments: readonly string[]): Pick<ForgePage, 'ref' | 'path' | 'tail'> {
  const [first, ...rest] = segments
  if (first === 'HEAD') return { path: joined(rest) }
  if (first !== undefined && (rest.length === 0 || commitId.test(first))) return { ref: first, path: joined(rest) }
  return { tail: segments }
}

function withoutRefs(segments: readonly string[]): readonly string[] {
  return segments[0] === 'refs' && /^(?:heads|tags)$/.test(segments[1] ?? '') ? segments.slice(2) : segments
}

/** Returns the folder of a path that may end with the skill's file. */
function folderOf(segments: readonly string[]): string | undefined {
  return joined(/^skill\.md$/i.test(segments.at(-1) ?? '') ? segments.slice(0, -1) : segments)
}

function joined(segments: readonly string[]): string | undefined {
  return segments.length === 0 ? undefined : segments.join('/')
}

/** Returns the parts of a path, decoded; undefined if one is not encoded as URLs are. */
function segmentsOf(url: URL): readonly string[] | undefined {
  try {
    return url.pathname
      .split('/')
      .filter(part => part !== '')
      .map(decodeURIComponent)
  } catch {
    return undefined
  }
}
