import type { BrokenPlace, EndlessEntry, ReadCounter, SkillStore } from '@skills/testing/internal'
import type { SampleSkill } from '@skills/testing'

type Entry = SampleSkill | 'broken' | 'denied' | 'endless'

/** Store in memory that offers everything a contract asks for, and counts its reads. */
export class MemoryStore implements Required<SkillStore> {
  readonly #entries = new Map<string, Entry>()
  #isShut = false
  #stalled: Promise<void> | undefined
  #wasHeld = false
  #reads = 0
  #bytes = 0

  // Methods for the contract.

  put(skills: readonly SampleSkill[]): void {
    for (const skill of skills) this.#entries.set(skill.name, skill)
  }

  remove(name: string): void {
    this.#entries.delete(name)
  }

  putBroken(name: string): BrokenPlace {
    this.#entries.set(name, 'broken')
    return { path: this.pathOf(name), line: 3 }
  }

  deny(name: string): void {
    this.#entries.set(name, 'denied')
  }

  shut(): () => void {
    this.#isShut = true
    return () => {
      this.#isShut = false
    }
  }

  putEndless(name: string): EndlessEntry {
    this.#entries.set(name, 'endless')
    const wasHeld = (): boolean => this.#wasHeld
    return {
      get wasHeld() {
        return wasHeld()
      },
      remove: () => this.remove(name),
    }
  }

  stall(): () => void {
    let release = (): void => {}
    this.#stalled = new Promise(resolve => {
      release = () => {
        this.#stalled = undefined
        resolve()
      }
    })
    return () => release()
  }

  countReads(): ReadCounter {
    const [reads, bytes] = [this.#reads, this.#bytes]
    const sinceThen = (): { reads: number; bytes: number } => ({
      reads: this.#reads - reads,
      bytes: this.#bytes - bytes,
    })
    return {
      get reads() {
        return sinceThen().reads
      },
      get bytes() {
        return sinceThen().bytes
      },
      stop() {},
    }
  }

  pathOf(name: string): string {
    return `/memory/${name}`
  }

  // Methods for a source.

  /** Names in the order in which they were stored. */
  async names(): Promise<readonly string[]> {
    await this.#read(0)
    return [...this.#entries.keys()]
  }

  /** Returns the fields before the body, or the reason why there are none. */
  async head(
    name: string,
  ): Promise<{ description: string; bodyBytes: number } | 'broken' | 'denied' | 'endless' | undefined> {
    const entry = this.#entries.get(name)
    await this.#read(20)
    if (entry === undefined || typeof entry === 'string') return entry
    return { description: entry.description, bodyBytes: Buffer.byteLength(entry.body) }
  }

  async body(name: string): Promise<string | undefined> {
    const entry = this.#entries.get(name)
    if (entry === 'endless') this.#wasHeld = true
    if (entry === undefined || typeof entry === 'string') return undefined
    await this.#read(Buffer.byteLength(entry.body))
    return entry.body
  }

  async #read(bytes: number): Promise<void> {
    this.#reads++
    this.#bytes += bytes
    await this.#stalled
    if (this.#isShut) throw new Error('The store may not be read.')
  }
}
