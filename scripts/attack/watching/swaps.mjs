// @ts-check
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { engineOver, skillText } from './engines.mjs'

const skillsEach = 120

/** Swaps folders in a thread of its own, as another program does while an engine looks at them. */
export class Swapper {
  #worker = new Worker(new URL('swap-worker.mjs', import.meta.url))

  /**
   * Runs `mv skills old; mv next skills` while the skills are loaded; skills that both folders have must not be
   * missing.
   * @param {{ place: string, random: import('../random.mjs').Random }} options
   * @returns {Promise<string | undefined>} what went wrong
   */
  async swap({ place, random }) {
    const root = `${place}/skills`
    for (const folder of ['skills', 'next']) {
      for (let at = 0; at < skillsEach; at += 1) {
        const path = `${place}/${folder}/${at % 3 === 0 ? 'group/' : ''}both-${at}`
        mkdirSync(path, { recursive: true })
        writeFileSync(`${path}/SKILL.md`, skillText(folder))
      }
    }
    const skills = engineOver(root)
    const swapped = this.#ask({ place, after: random.next() * 4 })
    let missing
    try {
      const { entries, places } = await skills.catalog()
      const names = new Set(entries.map(({ name }) => name))
      // Between the two renames there is no folder, and the catalog's places say so.
      const isThere = places.some(({ state }) => state !== 'missing')
      missing = Array.from({ length: isThere ? skillsEach : 0 }, (_, at) => `both-${at}`).filter(
        name => !names.has(name),
      )
    } finally {
      await swapped
      await skills.close()
    }
    return missing.length === 0
      ? undefined
      : `after a swap during the load ${missing.length} of ${skillsEach} skills are ` +
          `missing: ${missing.slice(0, 3).join(', ')}`
  }

  /** @param {{ place: string, after: number }} order */
  #ask(order) {
    const done = once(this.#worker, 'message')
    this.#worker.postMessage(order, [])
    return done
  }

  async close() {
    await this.#worker.terminate()
  }
}
