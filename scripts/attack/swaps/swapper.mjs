// @ts-check
// node swapper.mjs FOLDER SEED: until it is ended, puts one of two skills in the place where an engine looks, over and
// over. Where the system allows it, there is no moment without a skill. Both have the same size and time, and each has
// one inode.
import { linkSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { Random } from '../random.mjs'

const [folder = '', seed = '1'] = process.argv.slice(2)
const random = new Random(Number(seed))
const skill = `${folder}/repo/.claude/skills/dep`
const cell = new Int32Array(new SharedArrayBuffer(4))

/** Replaces the file by a hard link to one of the two. @param {string} swap */
const links = swap => {
  const next = `${folder}/next`
  linkSync(`${folder}/store/${swap}/SKILL.md`, next)
  renameSync(next, `${skill}/SKILL.md`)
}

/** Moves both files, so that for a moment there is none. */
const renames = () => {
  renameSync(`${skill}/SKILL.md`, `${folder}/aside`)
  renameSync(`${folder}/other`, `${skill}/SKILL.md`)
  renameSync(`${folder}/aside`, `${folder}/other`)
}

/** Makes the folder a link that leads elsewhere now. @param {string} swap */
const folders = swap => {
  symlinkSync(`${folder}/repo/store/${swap}`, `${folder}/link`)
  renameSync(`${folder}/link`, skill)
}

/** Moves the whole folder. */
const moves = () => {
  renameSync(skill, `${folder}/aside`)
  renameSync(`${folder}/folder`, skill)
  renameSync(`${folder}/aside`, `${folder}/folder`)
}

for (;;) {
  const way = random.pick([links, links, renames, folders, moves])
  arrange(way)
  const times = 100 + random.below(400)
  for (let time = 0; time < times; time += 1) {
    way(time % 2 === 0 ? 'evil' : 'good')
    // Most swaps follow at once; some leave time for a whole invocation.
    if (random.once(4)) Atomics.wait(cell, 0, 0, random.next() * random.pick([0.2, 1, 5, 20]))
  }
}

/** @param {unknown} way */
function arrange(way) {
  for (const one of [skill, `${folder}/aside`, `${folder}/other`, `${folder}/folder`])
    rmSync(one, { recursive: true, force: true })
  if (way === folders) {
    symlinkSync(`${folder}/repo/store/good`, skill)
    return
  }
  mkdirSync(skill)
  linkSync(`${folder}/store/good/SKILL.md`, `${skill}/SKILL.md`)
  if (way === renames) linkSync(`${folder}/store/evil/SKILL.md`, `${folder}/other`)
  if (way !== moves) return
  mkdirSync(`${folder}/folder`)
  linkSync(`${folder}/store/evil/SKILL.md`, `${folder}/folder/SKILL.md`)
}
