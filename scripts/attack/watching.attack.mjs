// @ts-check
import { mkdirSync } from 'node:fs'
import { campaign } from './watching/campaign.mjs'
import { slowDisk, stoppedProcess } from './watching/late.mjs'
import { Swapper } from './watching/swaps.mjs'
import { Random } from './random.mjs'

/** The operations of a campaign, in the long form and in a shorter one. Every thirtieth case is a campaign. */
const operationsEach = { long: 12_425, short: 1500 }

/** @type {import('./attack.d.ts').Attack} */
export const attack = {
  name: 'watching',
  title:
    'folders that change, and swap places, while they are looked at or watched, a slow disk, a stopped process: ' +
    'no skill is lost and the watch ends as a new look does',
  counts: { short: 30, long: 300 },
  async run({ count, seed, folder, progress }) {
    const random = new Random(seed)
    const operations = count < this.counts.long ? operationsEach.short : operationsEach.long
    const swapper = new Swapper()
    /** @type {string[]} */
    const failures = []
    const figures = {
      swaps: 0,
      'swaps that lost a skill': 0,
      campaigns: 0,
      'operations while watching': 0,
      'campaigns unlike a new look': 0,
      'stopped processes': 0,
      'slow disks': 0,
    }
    try {
      for (let at = 0; at < count; at += 1) {
        const place = `${folder}/${at}`
        mkdirSync(place)
        const repeat = `case ${at} of seed ${seed}`
        /** @type {string | undefined} */
        let wrong
        if (at % 30 === 0) {
          wrong = await campaign({ place, random, operations })
          figures.campaigns += 1
          figures['operations while watching'] += operations
          if (wrong !== undefined) figures['campaigns unlike a new look'] += 1
        } else if (at % 30 === 10) {
          wrong = await stoppedProcess({ place, random })
          figures['stopped processes'] += 1
        } else if (at % 30 === 20) {
          wrong = await slowDisk({ place })
          figures['slow disks'] += 1
        } else {
          wrong = await swapper.swap({ place, random })
          figures.swaps += 1
          if (wrong !== undefined) figures['swaps that lost a skill'] += 1
        }
        if (wrong !== undefined) failures.push(`${repeat}: ${wrong}`)
        progress(at + 1)
      }
    } finally {
      await swapper.close()
    }
    return { tried: count, failures, figures }
  },
}
