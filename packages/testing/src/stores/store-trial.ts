import { Check } from '../contract/check.js'
import type { ContractRule } from '../contract/contract-rule.js'
import type { MakeStore, MakeStoreOptions, StoreFixture, StoreLack, StoreSamples } from './store-fixture.js'
import type { StoreContent, StoreFile, StoreFolder, StoreStats } from '@skills/store'

export type StoreRule = ContractRule<StoreTrial, StoreLack>

const anyBytes = 16 * 1024 * 1024

/** Store over some samples, asked by paths below its root. */
export interface Opened extends StoreFixture {
  readonly at: (path: string) => string
  list(path: string, signal?: AbortSignal): Promise<StoreFolder | undefined>
  stat(path: string): Promise<StoreStats | undefined>
  realPath(path: string): Promise<string | undefined>
  read(
    path: string,
    call?: { readonly head?: number; readonly maxBytes?: number; readonly signal?: AbortSignal },
  ): Promise<StoreFile | undefined>
  /** Asks for changes, if the store reports them. */
  look(): Promise<{ readonly version: string; readonly paths?: readonly string[] | undefined } | undefined>
}

/** One check of one rule about stores. */
export class StoreTrial extends Check<MakeStore> {
  async open(samples: StoreSamples, options?: MakeStoreOptions): Promise<Opened> {
    const fixture = await this.made(async () => this.make(samples, options))
    this.atEnd(() => fixture.store.close?.())
    return this.opened(fixture)
  }

  opened(fixture: StoreFixture): Opened {
    const { store, root } = fixture
    const { signal: ever } = new AbortController()
    const at = (path: string): string => (path === '' ? root : `${root}/${path}`)
    return {
      ...fixture,
      at,
      list: (path, signal = ever) => this.answer(`list(${shown(path)})`, async () => store.list(at(path), { signal })),
      stat: path => this.answer(`stat(${shown(path)})`, async () => store.stat(at(path), { signal: ever })),
      realPath: path =>
        this.answer(`realPath(${shown(path)})`, async () =>
          store.realPath === undefined ? at(path) : store.realPath(at(path), { signal: ever }),
        ),
      read: (path, { signal = ever, maxBytes = anyBytes, ...call } = {}) =>
        this.answer(`read(${shown(path)})`, async () => store.read(at(path), { ...call, maxBytes, signal })),
      look: () => this.answer('changes()', async () => store.changes?.(undefined, { signal: ever })),
    }
  }

  /** Returns a copy of a file's bytes. Those of an answer are lent. */
  async bytes(opened: Opened, path: string): Promise<Buffer> {
    return Buffer.from(contentOf(await this.file(opened, path)))
  }

  async file(opened: Opened, path: string, call?: Parameters<Opened['read']>[1]): Promise<StoreContent> {
    const found = await opened.read(path, call)
    return found?.found === 'file'
      ? found
      : this.broken(
          `read(${shown(path)}) found ${found === undefined ? 'nothing' : `"${found.found}"`} instead of a file.`,
        )
  }

  async stats(opened: Opened, path: string): Promise<StoreStats> {
    return (await opened.stat(path)) ?? this.broken(`stat(${shown(path)}) found nothing.`)
  }

  expectBytes(path: string, found: Buffer, expected: Uint8Array): void {
    if (!found.equals(expected))
      this.broken(
        `read(${shown(path)}) gave ${found.length} bytes, ${shownBytes(found)}, instead of ${expected.length}, ${shownBytes(expected)}.`,
      )
  }

  /** Breaks the rule if two lists differ in their names. Their order does not matter. */
  expectNames(what: string, found: readonly string[], expected: readonly string[]): void {
    const [one, other] = [found.toSorted(), expected.toSorted()].map(names => JSON.stringify(names))
    if (one !== other) this.broken(`${what} ${one} instead of ${other}.`)
  }

  /** Expects undefined or an error for something that the store does not have. */
  async expectAbsent(what: string, ask: () => unknown): Promise<void> {
    const outcome = await this.ended(what, async () => ask())
    if ('value' in outcome && outcome.value !== undefined)
      this.broken(`${what} found something: ${JSON.stringify(outcome.value)}`)
  }

  async expectRefused(what: string, ask: () => unknown): Promise<void> {
    this.expectAborted(
      await this.ended(what, async () => ask()),
      `${what} whose signal was aborted`,
      ' Begin with signal.throwIfAborted().',
    )
  }
}

export function contentOf({ bytes, length }: StoreContent): Buffer {
  return bytes.subarray(0, length)
}

export function sameIdentity(one: StoreStats, other: StoreStats): boolean {
  const of = ({ kind, identity: { realPath, dev, ino, size, mtimeMs, ctimeMs, version } }: StoreStats): string =>
    JSON.stringify([kind, realPath, dev, ino, size, mtimeMs, ctimeMs, version])
  return of(one) === of(other)
}

export function shown(path: string): string {
  return JSON.stringify(path)
}

function shownBytes(bytes: Uint8Array): string {
  return `${Buffer.from(bytes.subarray(0, 24)).toString('hex')}${bytes.length > 24 ? '…' : ''}`
}
