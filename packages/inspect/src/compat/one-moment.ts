import { LocalStore, SharedReads, type FileReads } from '@skills/files'
import { after, withRead, type Answer, type Store } from '@skills/store'

/**
 * The disk as it was when it was first asked: several engines that look at one place one after the other ask the system
 * once, and all see the same.
 */
export class OneMoment implements FileReads {
  // Of a larger file its head is read by each, and that is most that they want.
  readonly #shared = new SharedReads({ fileBytes: 16 * 1024 })
  readonly #disk: Store
  readonly #known = new Map<string, unknown>()

  constructor() {
    const disk = new LocalStore()
    const once = <T>(key: string, ask: () => Answer<T>): Answer<T> => {
      const known = this.#known.get(key)
      if (known !== undefined) return (known as { readonly answer: T }).answer
      return after(ask(), answer => {
        this.#known.set(key, { answer })
        return answer
      })
    }
    this.#disk = this.#shared.over({
      ...withRead(disk, (path, call) => disk.read(path, call)),
      get isSlow() {
        return disk.isSlow
      },
      list: (folder, call) => once(`list ${folder}`, () => disk.list(folder, call)),
      stat: (path, call) => once(`stat ${path}`, () => disk.stat(path, call)),
      realPath: (path, call) => once(`real ${path}`, () => disk.realPath(path, call)),
    })
  }

  over(store: Store): Store {
    return store.id === 'disk' ? this.#disk : this.#shared.over(store)
  }

  /**
   * The bytes of a file that is no larger than a skill may be, at once where they were read before. Undefined where it is
   * gone or larger.
   */
  bytes(path: string, maxBytes: number, signal: AbortSignal): Answer<Buffer | undefined> {
    return after(this.#disk.read(path, { signal, maxBytes, realPath: path }), file =>
      file?.found === 'file' ? file.bytes.subarray(0, file.length) : undefined,
    )
  }
}
