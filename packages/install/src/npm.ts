import { messageOf, type Host } from '@skills/core'
import { readWholeFileSync } from '@skills/files'
import { cacheFolderOf } from '@skills/state'
import { InstallError, redacted } from './error.js'

export interface NpmVersion {
  readonly name: string
  readonly version: string
  readonly integrity: string
}

type NpmHost = Pick<Host, 'env' | 'home' | 'platform'>

/** Bytes of a package's tarball. */
const largest = 64 * 1024 * 1024

/**
 * The version of a package that a range leads to, and its tarball. pacote gets it and compares it with the integrity
 * that the registry, or the lock, names; nothing of it is unpacked or run.
 * @param integrity what it must be; undefined: what the registry says
 */
export async function npmTarball(
  { name, range }: { readonly name: string; readonly range: string },
  host: NpmHost,
  integrity?: string,
): Promise<NpmVersion & { readonly bytes: Buffer }> {
  const found = await npmVersion({ name, range }, host)
  if (integrity !== undefined && found.integrity !== integrity)
    throw new InstallError(
      'E_INSTALL_DIFFERS',
      `${name}@${found.version} of the registry is not the one of the lock: its integrity is ${found.integrity}.`,
      'It was published anew or the registry is another one. Look at it, then update it: skills update.',
    )
  const { default: pacote } = await import('pacote')
  const bytes = await failing(name, () =>
    pacote.tarball(`${name}@${found.version}`, { ...optionsOf(host, name), integrity: found.integrity }),
  )
  if (bytes.length > largest)
    throw new InstallError(
      'E_INSTALL_LIMIT',
      `${name}@${found.version} has more than ${largest} bytes.`,
      'Choose another version.',
    )
  return { ...found, bytes: Buffer.from(bytes) }
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
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    const why = redacted(messageOf(error))
    if (code === 'E404' || code === 'ETARGET')
      throw new InstallError(
        'E_INSTALL_NOT_FOUND',
        `npm has no such version of ${name}: ${why}`,
        'Look at it: npm view.',
      )
    const [reason, text] =
      code === 'EINTEGRITY'
        ? (['E_INSTALL_DIFFERS', `The tarball of ${name} is not the one that the registry names.`] as const)
        : (['E_INSTALL_FAILED', `npm could not get ${name}: ${why}`] as const)
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
