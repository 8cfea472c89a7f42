// @ts-check
// Loaded before a program. Kills the process at its call number DIE_AT of a function that changes files: `before` that
// call, `after` it, or in the `middle` of the bytes that it writes (DIE_HOW). DIE_AT=0 kills nothing, and writes the
// number of calls to the file DIE_COUNT.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const changing = [
  'open',
  'write',
  'writev',
  'writeFile',
  'appendFile',
  'rename',
  'link',
  'symlink',
  'unlink',
  'rm',
  'rmdir',
  'mkdir',
  'mkdtemp',
  'copyFile',
  'cp',
  'chmod',
  'fchmod',
  'truncate',
  'ftruncate',
  'fsync',
  'utimes',
  'futimes',
]
const { DIE_AT, DIE_HOW, DIE_COUNT } = process.env
const at = Number(DIE_AT)
let calls = 0

/** @typedef {(...args: any[]) => any} Call */

const { writeFileSync, writeSync } = fs
const asSync = new Map(changing.map(name => [name, /** @type {Call} */ (Reflect.get(fs, `${name}Sync`))]))

for (const name of changing) {
  watch(fs, `${name}Sync`, name)
  watch(fs, name, name)
  watch(fs.promises, name, name)
}
syncBuiltinESMExports()
if (at === 0 && DIE_COUNT !== undefined) process.on('exit', () => writeFileSync(DIE_COUNT, String(calls)))

/** @param {object} owner @param {string} key @param {string} name */
function watch(owner, key, name) {
  /** @type {unknown} */
  const given = Reflect.get(owner, key)
  if (typeof given !== 'function') return
  Reflect.set(owner, key, (/** @type {any[]} */ ...args) => {
    if (name === 'open' && !changes(args[1])) return given.apply(owner, args)
    calls += 1
    if (calls !== at) return given.apply(owner, args)
    if (DIE_HOW === 'middle') writeHalf(name, args)
    if (DIE_HOW === 'after') asSync.get(name)?.(...args.filter(arg => typeof arg !== 'function'))
    die()
  })
}

/** @param {unknown} flags */
function changes(flags) {
  return typeof flags === 'number'
    ? (flags & (fs.constants.O_WRONLY | fs.constants.O_RDWR | fs.constants.O_CREAT)) !== 0
    : typeof flags === 'string' && /[wa+]/.test(flags)
}

/** @param {string} name @param {any[]} args */
function writeHalf(name, [target, data, ...rest]) {
  const bytes = typeof data === 'string' ? Buffer.from(data) : data
  if (!(bytes instanceof Uint8Array)) return
  const half = bytes.subarray(0, bytes.length / 2)
  if (name === 'write') writeSync(target, half)
  if (name === 'writeFile')
    writeFileSync(
      target,
      half,
      rest.find(arg => typeof arg === 'object' || typeof arg === 'string'),
    )
}

/** @returns {never} */
function die() {
  process.kill(process.pid, 'SIGKILL')
  // The signal may take a moment to arrive.
  for (;;) continue
}
