// @ts-check
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { coldCatalog, difference, engineOver, skillText, summaryOf } from './engines.mjs'

const skillsEach = 120

/** Swaps folders in a thread of its own, as another program does while an engine looks at them. */
export class Swapper {
  #worker = new Worker(new URL('swap-worker.mjs', import.meta.url))
  #index

  /** @param {string} folder */
  constructor(folder) {
    this.#index = `${folder}/index`
  }

  /**
   * `mv skills old; mv next skills` while the skills are loaded; what both folders have must not be missing, nor for
   * those that
   * come later and know the index.
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
    // The index must have what it may keep: files that were just written it does not.
    const index = { folder: this.#index }
    const skills = engineOver(root, { index })
    const swapped = this.#ask({ place, after: random.next() * 4 })
    let missing
    try {
      const { entries, places } = await skills.catalog()
      const names = new Set(entries.map(({ name }) => name))
      // Between the two renames there is no folder, and the place says so.
      const isThere = places.some(({ state }) => state !== 'missing')
      missing = Array.from({ length: isThere ? skillsEach : 0 },
        (_, at) => `both-${at}`).filter(name => !names.has(name))
    } finally {
      await swapped
      await skills.close()
    }
    if (missing.length > 0) return `after a swap during the load ${missing.length} of ${skillsEach} skills are `
      + `missing: ${missing.slice(0, 3).join(', ')}`
    const later = difference(summaryOf(await coldCatalog(root, { index })), summaryOf(await coldCatalog(root)))
    return later.length === 0 ? undefined
      : `after a swap during the load a later process with the index differs: ${later.slice(0, 3).join('; ')}`
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
