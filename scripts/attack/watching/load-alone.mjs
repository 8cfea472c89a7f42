// @ts-check
// load-alone.mjs <folder> <limit in ms>: loads the skills there once it is told to, and prints how many there are. With
// SLOW_MS each call of the file system takes that long.
import fs from 'node:fs'
import { once } from 'node:events'
import { syncBuiltinESMExports } from 'node:module'
import { engineOver } from './engines.mjs'

const [root = '', limit = ''] = process.argv.slice(2)
const skills = engineOver(root, { limitMs: Number(limit) })
process.stdout.write('ready\n')
await once(process.stdin, 'data')
process.stdin.destroy()
const slow = Number(process.env['SLOW_MS'] ?? 0)
if (slow > 0) {
  const cell = new Int32Array(new SharedArrayBuffer(4))
  const calls = /** @type {const} */ (['openSync', 'readSync', 'fstatSync', 'readdirSync', 'statSync', 'lstatSync'])
  for (const name of calls) {
    const original = /** @type {Function} */ (fs[name])
    Object.assign(fs, {
      /** @param {unknown[]} given */
      [name](...given) {
        Atomics.wait(cell, 0, 0, slow)
        return Reflect.apply(original, fs, given)
      },
    })
  }
  syncBuiltinESMExports()
}
const { size, errors } = await skills.catalog()
await skills.close()
process.stdout.write(JSON.stringify({ found: size, errors: errors.map(({ message }) => message) }))
