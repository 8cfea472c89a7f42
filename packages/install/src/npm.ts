import { closeSync, constants, writeSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { messageOf, type Host } from '@skills/core'
import { readWholeFileSync, systemCode } from '@skills/files'
import { cacheFolderOf } from '@skills/state'
import { Root } from '@skills/state/writer'
import { InstallError, redacted } from './error.js'
import { largestArchive, type OpenOptions } from './open-options.js'

export interface NpmVersion {
  readonly name: string
  readonly version: string
  readonly integrity: string
}

type NpmHost = Pick<Host, 'env' | 'home' | 'platform'>

/**
 * The version of a package that a range leads to, and its tarball in a file. pacote gets it and compares it with the
 * integrity that the registry, or the lock, names; nothing of it is unpacked or run.
 * @param to path of the file, absolute
 * @param pinned what it must be; undefined: what the range leads to
 */
export async function npmTarball(
  wanted: { readonly name: string; readonly range: string },
  to: string,
  pinned: NpmVersion | undefined,
  { host, signal, onProgress }: OpenOptions,
): Promise<NpmVersion> {
  const { name } = pinned ?? wanted
  onProgress?.({ what: `Asking npm for ${name}` })
  const found = await npmVersion(pinned === undefined ? wanted : { name, range: pinned.version }, host)
  const { version, integrity } = found
  if (pinned !== undefined && integrity !== pinned.integrity)
    throw new InstallError(
      'E_INSTALL_DIFFERS',
      `${name}@${version} of the registry is not the one of the lock: its integrity is ${integrity}.`,
      'It was published anew or the registry is another one. Look at it, then update it: skills update.',
    )
  const { default: pacote } = await import('pacote')
  const take = async (stream: AsyncIterable<Buffer>): Promise<void> => {
    const file = new Root(dirname(to), { kind: 'temporary' }).open(
      basename(to),
      constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC,
    )
    let done = 0
    try {
      for await (const piece of stream) {
        signal.throwIfAborted()
        done += writeSync(file, piece)
        onProgress?.({ what: `Getting ${name}@${version}`, done, unit: 'bytes' })
        if (done > largestArchive)
          throw new InstallError(
            'E_INSTALL_LIMIT',
            `${name}@${version} has more than ${largestArchive} bytes.`,
            'Choose another version.',
          )
      }
    } finally {
      closeSync(file)
    }
  }
  await failing(name, () => pacote.tarball.stream(`${name}@${version}`, take, { ...optionsOf(host, name), integrity }))
  return found
}

/** The version of a package that a range leads to now. */
export async function npmVersion(
  { name, range }: { readonly name: string; readonly range: string },
  host: NpmHost,
): Promise<NpmVersion> {
  const { default: pacote } = await import('pacote')
  const manifest = await failing(name, () => pacote.manifest(`${name}@${range || 'latest'}`, optionsOf(host, name)))
  const { version, _integrity: integrity } = manifest
  if (typeof integrity !== 'string' || !/^sha(?:256|384|512)-/.test(integrity))
    throw new InstallError(
      'E_INSTALL_FAILED',
      `The registry names no SHA-512 of ${name}@${version}.`,
      'Ask those who run the registry; without it nothing can be pinned.',
    )
  return { name, version, integrity }
}

async function failing<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (InstallError.is(error)) throw error
    const code = systemCode(error)
    const why = redacted(messageOf(error)).replace(/\.$/, '')
    if (code === 'E404' || code === 'ETARGET')
      throw new InstallError(
        'E_INSTALL_NOT_FOUND',
        `npm has no such version of ${name}: ${why}.`,
        'Look at it: npm view.',
      )
    const [reason, text] =
      code === 'EINTEGRITY'
        ? (['E_INSTALL_DIFFERS', `The tarball of ${name} is not the one that the registry names.`] as const)
        : (['E_INSTALL_FAILED', `npm could not get ${name}: ${why}.`] as const)
    throw new InstallError(reason, text, 'Try "npm view" with the same name, or again later.')
  }
}

/**
 * Registry and credentials as npm has them: of the user's file and of the environment. The file of a project does not
 * count: it could send a token of the user's to a server of its own.
 */
function optionsOf(host: NpmHost, name: string): Record<string, unknown> {
  const { env, home } = host
  const file = env['npm_config_userconfig'] ?? env['NPM_CONFIG_USERCONFIG'] ?? `${home}/.npmrc`
  const options: Record<string, unknown> = {
    ignoreScripts: true,
    allowGit: 'none',
    allowRemote: 'none',
    cache: `${cacheFolderOf(host)}/npm`,
  }
  for (const line of textOf(file).split(/\r?\n/)) {
    const [, key = '', value = ''] = /^\s*([^#;=\s][^=]*?)\s*=\s*(.*?)\s*$/.exec(line) ?? []
    if (ownOption.test(key))
      options[optionNames[key] ?? key] = value
        .replace(/^"(.*)"$/, '$1')
        .replace(/\$\{(\w+)\}/g, (all, variable: string) => env[variable] ?? all)
  }
  const registry = env['npm_config_registry'] ?? env['NPM_CONFIG_REGISTRY']
  if (registry !== undefined) options['registry'] = registry
  if (name.startsWith('@')) options['scope'] = name.split('/')[0]
  return options
}

/** What of the user's file counts: registries, proxies, certificates, and who asks. */
const ownOption =
  /^(?:registry|@[^:]+:registry|\/\/.*:(?:_authToken|_auth|_password|username|certfile|keyfile)|(?:https?-)?proxy|noproxy|cafile)$/
const optionNames: Readonly<Record<string, string>> = { 'https-proxy': 'httpsProxy' }

/** None is as good as an empty one; one that cannot be read is told of. */
function textOf(file: string): string {
  const read = readWholeFileSync(file)
  if (read !== undefined && 'problem' in read)
    throw new InstallError('E_INSTALL_FAILED', read.problem.message, read.problem.hint ?? 'Look at it from a terminal.')
  return read?.bytes.toString('utf8') ?? ''
}
