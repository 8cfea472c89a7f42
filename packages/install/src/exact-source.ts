import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { SkillsError } from '@skills/core'
import { masked } from './error.js'
import { remoteRefs } from './git.js'
import type { Opening } from './open-options.js'
import { gitSource, gitSourceText, parseSource, splitSkill, type GitSource } from './source.js'

type AskOptions = Pick<Opening, 'host' | 'signal' | 'onProgress' | 'idleMs'>

/** Source whose repository, ref and folder are known, in the form in which `skills.json` has it. */
export interface ExactSource {
  readonly text: string
  /** Skill that the text names, as in `owner/repo@skill`. */
  readonly skill?: string | undefined
}

/**
 * Completes a typed or pasted source whose text alone is ambiguous. Asks the remote which slash in the address of a
 * page ends the ref, and whether an address without an index of skills is a repository.
 * @param from folders that paths in the text start from
 * @throws SkillsError `E_INSTALL_SOURCE` if it is not understood or could be two things, `E_INSTALL_NOT_FOUND` if the
 *   remote has no such branch or tag, `E_INSTALL_FAILED` if it cannot be asked
 */
export async function exactSource(
  given: string,
  from: { readonly cwd: string; readonly home: string },
  options: AskOptions,
): Promise<ExactSource> {
  const [, plugin = '', rest = given] = /^(plugin:[^@]*@)(.*)$/s.exec(given) ?? []
  if (plugin !== '') {
    // The whole text is checked first, so that what is refused is not asked for.
    parseSource(given, from)
    return { text: plugin + (await exactSource(rest, from, options)).text }
  }
  const { text, skill } = splitSkill(given)
  refuseFolder(text, from.cwd)
  const source = parseSource(text, from)
  if (source.type === 'site') {
    const repository = await repositoryAt(source.url, options)
    return { text: repository === undefined ? text : gitSourceText(repository) }
  }
  if (source.type !== 'git' || !isPage(text, source)) return { text, skill }
  return { text: gitSourceText(await divided(source, options)), skill }
}

/**
 * Divides the segments of an address into ref and path, and returns the source with both. A remote may have the
 * branches `a` and `a-b`, and a tag `a/b`; the longest ref is used.
 * @throws SkillsError `E_INSTALL_NOT_FOUND`
 */
export async function divided(source: GitSource, options: AskOptions & Pick<Opening, 'pinned'>): Promise<GitSource> {
  const { url, tail } = source
  if (tail === undefined) return source
  // A lock that has such an address is older than this question, and was made with the first segment as the ref.
  if (options.pinned !== undefined) return gitSource(url, { ref: tail[0], path: tail.slice(1).join('/') }, url)
  const refs = await remoteRefs(url, options)
  const whole = tail.join('/').split('/')
  for (let length = whole.length; length > 0; length--) {
    const ref = whole.slice(0, length).join('/')
    if (refs.has(`refs/heads/${ref}`) || refs.has(`refs/tags/${ref}`))
      return gitSource(url, { ref, path: whole.slice(length).join('/') }, url)
  }
  const names = [...refs.keys()].flatMap(name => /^refs\/(?:heads|tags)\/(.+?)(?:\^\{\})?$/.exec(name)?.[1] ?? [])
  throw new SkillsError(
    'E_INSTALL_NOT_FOUND',
    `${masked(url)} has no branch or tag whose name is ${JSON.stringify(whole.join('/'))} or its beginning.`,
    {
      hint:
        names.length === 0
          ? 'The repository has no branches or tags.'
          : `It has ${[...new Set(names)].slice(0, 20).join(', ')}.`,
    },
  )
}

/** Returns true for the address of a page; other texts say exactly what they name, and are kept as they were typed. */
function isPage(text: string, source: GitSource): boolean {
  return source.tail !== undefined || /^(?:https?:\/\/(?!.*\.git(?:[/#]|$))|[^:/]+\.[^:/]+\/)/i.test(text)
}

/** Returns the repository at an address without an index of skills; undefined for a site with one. */
async function repositoryAt(url: string, options: AskOptions): Promise<GitSource | undefined> {
  const { signal, onProgress } = options
  onProgress?.({ what: `Asking ${masked(url)}` })
  const answer = await siteProblem(url, signal)
  if (answer === undefined) return undefined
  const address = url.replace(/[?#].*$/, '').replace(/\/$/, '')
  for (const repository of new URL(address).pathname === '/' ? [] : [address, `${address}.git`]) {
    try {
      await remoteRefs(repository, options)
      return gitSource(repository, {}, url)
    } catch (error) {
      // No repository is there either. The answer of the site is reported, and how to say that it is a repository.
      if (signal.aborted || !SkillsError.is(error)) throw error
    }
  }
  const { code = 'E_INSTALL_NOT_FOUND', hint = '' } = typeof answer === 'string' ? {} : answer
  throw new SkillsError(code, `${masked(url)} is neither a site with an index of skills nor a git repository.`, {
    hint: `${hint === '' ? '' : `${hint} `}For a git repository that needs a login, write git+${masked(address)}`,
    cause: answer,
  })
}

/** Returns why a site has no index of skills; undefined if it has one. */
async function siteProblem(url: string, signal: AbortSignal): Promise<SkillsError | 'no index' | undefined> {
  const { httpStore } = await import('@skills/store/http')
  const store = httpStore({ url, root: 'site' })
  try {
    return (await store.list('site', { signal })) === undefined ? 'no index' : undefined
  } catch (error) {
    // Any other reason is about an index that is there.
    if (signal.aborted || !SkillsError.is(error) || error.code !== 'E_HTTP_FAILED') throw error
    return error
  } finally {
    await store.close?.()
  }
}

/** A folder called as a repository of GitHub would be is one thing or the other, and a guess would be wrong for someone. */
function refuseFolder(text: string, cwd: string): void {
  const [path = ''] = text.split('#')
  if (!/^[\w][\w.-]*\/[\w./-]+$/.test(path)) return
  if (statSync(resolve(cwd, path), { throwIfNoEntry: false })?.isDirectory() !== true) return
  throw new SkillsError(
    'E_INSTALL_SOURCE',
    `${JSON.stringify(text)} is a folder here, but could also mean a GitHub repository.`,
    { hint: `Write ./${path} for the folder, or https://github.com/${text} for the repository.` },
  )
}
