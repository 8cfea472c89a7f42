import { closeSync, constants } from 'node:fs'
import { basename, dirname } from 'node:path'
import { abortError, messageOf, type Host, SkillsError } from '@skills/core'
import { readWholeFileSync } from '@skills/files'
import { systemCode } from '@skills/files/internal'
import { writeAll } from '@skills/state/internal'
import { Root } from '@skills/state/writer'
import { masked, isRefused } from './error.js'
import { idleLimitMs, largestArchive, type Opening } from './open-options.js'
import { isStrongIntegrity, isVersionOf } from './resolution.js'
import type { Credential } from './npm-agent.js'

export interface NpmVersion {
  readonly name: string
  readonly version: string
  readonly integrity: string
}

type NpmHost = Pick<Host, 'env' | 'home' | 'platform'>
type Options = Readonly<Record<string, unknown>>

/**
 * Downloads the tarball of the version that a range leads to. pacote checks it against the integrity of the registry or
 * the lock. Unpacks and runs nothing.
 * @param to path of the file, absolute
 * @param pinned expected version; undefined: the version that the range leads to
 */
export async function npmTarball(
  wanted: { readonly name: string; readonly range: string },
  to: string,
  pinned: NpmVersion | undefined,
  options: Opening,
): Promise<NpmVersion> {
  const { onProgress } = options
  const { name } = wanted
  onProgress?.({ what: `Asking npm for ${name}` })
  return asking(name, options, async (given, signal) => {
    const { default: pacote } = await import('pacote')
    const range = pinned?.version ?? wanted.range
    const manifest = await pacote.manifest(`${name}@${range || 'latest'}`, given)
    const { version, _integrity: integrity } = manifest
    if (manifest.name !== name || !isVersionOf(version, range) || !isVersionOf(version, wanted.range))
      throw new SkillsError(
        'E_INSTALL_DIFFERS',
        `The registry answers ${JSON.stringify(manifest.name)} ${version} for ${name}@${range || 'latest'}.`,
        { hint: 'The package is not installed. Ask the administrator of the registry.' },
      )
    if (typeof integrity !== 'string' || !isStrongIntegrity(integrity))
      throw new SkillsError('E_INSTALL_FAILED', `The registry gives no SHA-512 digest for ${name}@${version}.`, {
        hint: 'Without that digest, the version cannot be locked. Ask the administrator of the registry.',
      })
    if (pinned !== undefined && integrity !== pinned.integrity)
      throw new SkillsError(
        'E_INSTALL_DIFFERS',
        `${name}@${version} of the registry differs from the lock: its integrity is ${integrity}.`,
        {
          hint: 'The version was published again, or this is another registry. Look at the package, then run: skills update.',
        },
      )
    const take = async (stream: NodeJS.ReadableStream): Promise<void> => {
      // Its parts fail one after the other, and only the first failure is reported.
      stream.on('error', () => undefined)
      signal.throwIfAborted()
      const file = new Root(dirname(to), { kind: 'temporary' }).open(
        basename(to),
        constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC,
      )
      let done = 0
      try {
        for await (const piece of stream) {
          signal.throwIfAborted()
          writeAll(file, piece as Buffer, to)
          done += (piece as Buffer).length
          onProgress?.({ what: `Getting ${name}@${version}`, done, unit: 'bytes' })
          if (done > largestArchive)
            throw new SkillsError('E_INSTALL_LIMIT', `${name}@${version} has more than ${largestArchive} bytes.`, {
              hint: 'Choose another version.',
            })
        }
      } finally {
        closeSync(file)
      }
    }
    await pacote.tarball.stream(`${name}@${version}`, take, { ...given, integrity })
    return { name, version, integrity }
  })
}

/**
 * Runs `work` with npm's library. Stops if the signal aborts, or if a connection receives next to nothing.
 * @throws SkillsError `E_INSTALL_NOT_FOUND`, `E_INSTALL_DIFFERS`, `E_INSTALL_FAILED`
 */
async function asking<T>(
  name: string,
  { host, signal, idleMs = idleLimitMs }: Opening,
  work: (options: Options, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (signal.aborted) throw abortError(signal)
  const { registryAgent } = await import('./npm-agent.js')
  const settings = settingsOf(host, name)
  const ended = new AbortController()
  const idle = new SkillsError(
    'E_INSTALL_FAILED',
    `npm could not get ${name}: the registry sent almost nothing for ${idleMs / 1000} seconds.`,
    { hint: 'Try again later, or check whether a proxy is needed.' },
  )
  const agent = registryAgent({ ...settings.connection, idleMs, onIdle: () => ended.abort(idle) })
  // A pending retry does not keep the process alive; this timer does, until the work has ended.
  const hold = setInterval(() => undefined, 2 ** 30)
  const given = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => ended.abort(), { once: true, signal: ended.signal })
    ended.signal.addEventListener('abort', () => reject(signal.aborted ? abortError(signal) : idle), { once: true })
  })
  const working = work({ ...settings.options, agent, signal: ended.signal, packumentCache: new Map() }, ended.signal)
  try {
    return await Promise.race([working, given])
  } catch (error) {
    if (signal.aborted) throw abortError(signal)
    throw isRefused(error) ? error : failureOf(name, error, settings.secrets)
  } finally {
    // The promise that lost the race may still reject, for example after a pending retry.
    given.catch(() => undefined)
    working.catch(() => undefined)
    ended.abort()
    agent.destroy()
    clearInterval(hold)
  }
}

function failureOf(name: string, error: unknown, secrets: readonly string[]): SkillsError {
  const code = systemCode(error)
  const why = masked(messageOf(error), secrets).replace(/\.$/, '')
  // `npm view` takes the name without its version.
  const bare = name.replace(/(?<=.)@.*$/s, '')
  if (code === 'E404')
    return new SkillsError('E_INSTALL_NOT_FOUND', `npm has no package ${bare}: ${why}.`, {
      hint: 'Check its name. For a private package, log in first: npm login.',
    })
  if (code === 'ETARGET')
    return new SkillsError('E_INSTALL_NOT_FOUND', `npm has no matching version of ${name}: ${why}.`, {
      hint: `See the published versions: npm view ${bare} versions.`,
    })
  const [reason, text] =
    code === 'EINTEGRITY'
      ? (['E_INSTALL_DIFFERS', `The tarball of ${name} does not match the digest that the registry gives.`] as const)
      : (['E_INSTALL_FAILED', `npm could not get ${name}: ${why}.`] as const)
  return new SkillsError(reason, text, { hint: 'Try "npm view" with the same name, or try again later.' })
}

/**
 * Returns registry and credentials from npm's own settings: the user's file and the environment. Ignores the file of a
 * project, which could send a user's token to a server of its own.
 */
function settingsOf(
  host: NpmHost,
  name: string,
): {
  readonly options: Options
  readonly connection: { readonly credentials: readonly Credential[] }
  readonly secrets: readonly string[]
} {
  const { env, home } = host
  const file = env['npm_config_userconfig'] ?? env['NPM_CONFIG_USERCONFIG'] ?? `${home}/.npmrc`
  const given: Record<string, string> = {}
  for (const line of textOf(file).split(/\r?\n/)) {
    const [, key = '', value = ''] = /^\s*([^#;=\s][^=]*?)\s*=\s*(.*?)\s*$/.exec(line) ?? []
    if (ownOption.test(key))
      given[key] = value
        .replace(/^"(.*)"$/, '$1')
        .replace(/\$\{(\w+)\}/g, (all, variable: string) => env[variable] ?? all)
  }
  for (const key of ['registry', 'fetch-retries', 'fetch-retry-mintimeout', 'fetch-retry-maxtimeout']) {
    const variable = `npm_config_${key.replaceAll('-', '_')}`
    const value = env[variable] ?? env[variable.toUpperCase()]
    if (value !== undefined) given[key] = value
  }
  const minTimeout = numberOf(given['fetch-retry-mintimeout'], 1000, 10_000)
  const { 'https-proxy': httpsProxy, proxy: plainProxy, noproxy: noProxy, cafile } = given
  const proxy = httpsProxy ?? plainProxy
  return {
    options: {
      ...given,
      ignoreScripts: true,
      allowGit: 'none',
      allowRemote: 'none',
      allowFile: 'none',
      allowDirectory: 'none',
      // Nothing is kept beside the cache of contents, so a cancelled download leaves no partial file.
      preferOnline: true,
      ...(name.startsWith('@') && { scope: name.split('/')[0] }),
      retry: {
        retries: numberOf(given['fetch-retries'], 2, 5),
        factor: 4,
        minTimeout,
        maxTimeout: Math.max(minTimeout, numberOf(given['fetch-retry-maxtimeout'], 10_000, 30_000)),
        unref: true,
      },
    },
    connection: {
      credentials: credentialsIn(given),
      ...(proxy !== undefined && { proxy }),
      ...(noProxy !== undefined && { noProxy }),
      ...(cafile !== undefined && { ca: textOf(cafile) }),
    },
    secrets: Object.entries(given).flatMap(([key, value]) =>
      /:(?:_authToken|_auth|_password)$/.test(key) ? [value] : [],
    ),
  }
}

/** Parses a whole number up to a limit, or returns the default, as npm would. */
function numberOf(text: string | undefined, standard: number, most: number): number {
  return text !== undefined && /^\d+$/.test(text) ? Math.min(Number(text), most) : standard
}

/** Returns the credentials for each registry in the user's file, with its protocol: http if the file says so. */
function credentialsIn(given: Readonly<Record<string, string>>): readonly Credential[] {
  const plain = Object.entries(given).flatMap(([key, url]) => {
    const isRegistry = key === 'registry' || key.endsWith(':registry')
    return isRegistry && /^http:/i.test(url) ? (hostIn(url) ?? []) : []
  })
  return Object.entries(given).flatMap(([key, value]) => {
    const [, place = '', kind = ''] = /^(\/\/.*):(_authToken|_auth|_password)$/.exec(key) ?? []
    const protocol = plain.some(one => place === `//${one}` || place.startsWith(`//${one}/`)) ? 'http:' : 'https:'
    const host = hostIn(`${protocol}${place}`)
    if (kind === '' || host === undefined) return []
    const user = `${given[`${place}:username`] ?? ''}:${Buffer.from(value, 'base64').toString()}`
    const header =
      kind === '_authToken'
        ? `Bearer ${value}`
        : `Basic ${kind === '_auth' ? value : Buffer.from(user).toString('base64')}`
    return [{ origin: `${protocol}//${host}`, header }]
  })
}

function hostIn(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).host : undefined
}

/** Settings of the user's file that are used: registries, proxies, certificates, credentials, and retries. */
const ownOption =
  /^(?:registry|@[^:]+:registry|\/\/.*:(?:_authToken|_auth|_password|username|certfile|keyfile)|(?:https?-)?proxy|noproxy|cafile|fetch-retries|fetch-retry-m(?:in|ax)timeout)$/

/** Reads a file. A missing one counts as empty; one that cannot be read throws. */
function textOf(file: string): string {
  const read = readWholeFileSync(file)
  if (read !== undefined && 'problem' in read)
    throw new SkillsError('E_INSTALL_FAILED', read.problem.message, {
      hint: read.problem.hint ?? 'Look at that file from a terminal.',
    })
  return read?.bytes.toString('utf8') ?? ''
}
