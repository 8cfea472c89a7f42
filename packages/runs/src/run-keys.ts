import * as s from '@skills/core/schema'
import { createHmac, createSecretKey, randomBytes, timingSafeEqual } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { SkillsError, type Host, type MaybePromise } from '@skills/core'
import { openState, systemRefusal } from '@skills/state'

/** Keys that sign the entries of journals, so that an entry written without a key is not accepted. */
export interface RunKeys {
  /** Returns the key for new entries. */
  signing(): MaybePromise<RunKey>
  /** Returns the key with this id. Undefined if there is none. */
  withId(id: string): MaybePromise<RunKey | undefined>
}

export interface RunKey {
  /** Id of the key, which reveals nothing about the secret. */
  readonly id: string
  /** @param parts signed one after the other; their limits have to be unambiguous */
  sign(...parts: readonly string[]): string
  isSignature(signature: string, ...parts: readonly string[]): boolean
}

const openRunKeysOptions = s.options('openRunKeys()', {
  /** Secrets of at least 32 characters. The first signs, each verifies. */
  keys: s.list(s.text()),
  /** Absolute path of a file with one secret a line, in place of `keys`. It is read again for an unknown key. */
  file: s.text('an absolute path', isAbsolute),
  /** Folder of the user in which a key is made and stored if neither is given. Default: the state folder. */
  folder: s.text(),
})

export interface OpenRunKeysOptions extends s.OptionsOf<typeof openRunKeysOptions> {}

/** Characters of the shortest secret. */
const shortest = 32
const mostBytes = 64 * 1024
const stateName = 'run-keys'

/**
 * Opens the keys of a host. Nothing is read or made before the first signature or verification. Throws
 * `E_INVALID_OPTION` for an unknown option, a key that is too short, and a relative path. Its methods reject with
 * `E_STATE` if a key cannot be read or stored.
 */
export function openRunKeys(
  host: Pick<Host, 'env' | 'home' | 'platform' | 'uid' | 'clock'>,
  given?: OpenRunKeysOptions,
): RunKeys {
  const { keys, file, folder } = openRunKeysOptions.read(given)
  if (keys !== undefined) return new ReadKeys(checked(keys, 'One of the keys for runs'))
  if (file !== undefined) return new ReadKeys([], () => secretsIn(file))
  return new ReadKeys([], async isMade => {
    const state = openState(host, {
      dir: folder,
      report({ message, hint }) {
        throw new SkillsError('E_STATE', message, { ...(hint !== undefined && { hint }) })
      },
    })
    const found = listOf(await state.read(stateName))
    if (found.length > 0 || !isMade) return found
    const make = (kept: unknown): unknown =>
      listOf(kept).length > 0 ? kept : { keys: [randomBytes(32).toString('base64url')] }
    return listOf(await state.update(stateName, make))
  })
}

class ReadKeys implements RunKeys {
  #keys: readonly RunKey[]
  readonly #read: ((isMade: boolean) => MaybePromise<readonly string[]>) | undefined

  constructor(secrets: readonly string[], read?: (isMade: boolean) => MaybePromise<readonly string[]>) {
    this.#keys = secrets.map(keyOf)
    this.#read = read
  }

  async signing(): Promise<RunKey> {
    const [first = (await this.#again(true))[0]] = this.#keys
    if (first !== undefined) return first
    throw new SkillsError('E_STATE', 'There is no key to sign runs with.', {
      hint: 'Set SKILLS_RUNS_KEY_FILE to the path of a file with a key.',
    })
  }

  async withId(id: string): Promise<RunKey | undefined> {
    const find = (keys: readonly RunKey[]): RunKey | undefined => keys.find(key => key.id === id)
    return find(this.#keys) ?? find(await this.#again(false))
  }

  /** Reads the keys again, because some may have been added. */
  async #again(isMade: boolean): Promise<readonly RunKey[]> {
    if (this.#read !== undefined) this.#keys = (await this.#read(isMade)).map(keyOf)
    return this.#keys
  }
}

function keyOf(secret: string): RunKey {
  // A key object, so that it is not made for each signature.
  const own = createSecretKey(Buffer.from(secret))
  const hmac = (parts: readonly string[]): Buffer => {
    // Half of the digest: 128 bits cannot be guessed, and a journal stores one for each entry.
    return createHmac('sha256', own).update(parts.join('')).digest().subarray(0, 16)
  }
  return {
    id: hmac(['skills run key 1']).toString('hex').slice(0, 8),
    sign: (...parts) => hmac(parts).toString('base64url'),
    isSignature(signature, ...parts) {
      const given = Buffer.from(signature, 'base64url')
      return given.length === 16 && timingSafeEqual(given, hmac(parts))
    },
  }
}

function checked(secrets: readonly string[], what: string): readonly string[] {
  if (secrets.length > 0 && secrets.every(secret => typeof secret === 'string' && secret.length >= shortest))
    return secrets
  throw new SkillsError('E_INVALID_OPTION', `${what} has fewer than ${shortest} characters, or there are no keys.`, {
    hint: 'Make a key: openssl rand -hex 32',
  })
}

/** Reads the secrets of a file. Empty lines and lines that begin with # are ignored. */
function secretsIn(path: string): readonly string[] {
  let text: string
  try {
    const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      const stats = fstatSync(descriptor)
      const isOpen = process.platform !== 'win32' && (stats.mode & 0o002) !== 0
      if (!stats.isFile() || stats.size > mostBytes || isOpen)
        throw new SkillsError(
          'E_INVALID_OPTION',
          `The keys for runs in ${path} are not used: ${
            isOpen ? 'every user may write to that file' : 'it is not a file, or is too large'
          }.`,
          { hint: 'Make a file that only its owner can access, with one key per line: openssl rand -hex 32' },
        )
      text = readFileSync(descriptor, 'utf8')
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    throw systemRefusal(`The keys for runs in ${path} could not be read`, error)
  }
  const lines = text.split('\n').map(line => line.trim())
  return checked(
    lines.filter(line => line !== '' && !line.startsWith('#')),
    `One of the keys for runs in ${path}`,
  )
}

/** Reads stored keys. The value may be of any form, because any program may have written it. */
function listOf(kept: unknown): readonly string[] {
  const keys: unknown = typeof kept === 'object' && kept !== null ? Reflect.get(kept, 'keys') : undefined
  return Array.isArray(keys) && keys.every((key): key is string => typeof key === 'string' && key.length >= shortest)
    ? keys
    : []
}
