// @ts-check
// Loaded before the program: sends it a signal at one of its file system calls.
const fs = require('node:fs')

const names = /** @type {const} */ ([
  'openSync',
  'readSync',
  'closeSync',
  'statSync',
  'lstatSync',
  'fstatSync',
  'readdirSync',
  'readFileSync',
  'realpathSync',
  'writeSync',
  'mkdirSync',
  'renameSync',
])
let left = Number(process.env['SIGNAL_AT'])
for (const name of names) {
  const real = /** @type {(...args: unknown[]) => unknown} */ (fs[name])
  Reflect.set(
    fs,
    name,
    Object.assign(
      /** @param {unknown[]} args */ (...args) => {
        if (--left === 0) process.kill(process.pid, process.env['SIGNAL'])
        return real(...args)
      },
      real,
    ),
  )
}
