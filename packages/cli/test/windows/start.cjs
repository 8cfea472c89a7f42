// Runs a program under Wine with its output in files, because Wine breaks pipes to programs that write into a console.
// Argument: a file of JSON with `args`, `cwd`, `env` and `out`.
const { openSync, readFileSync, writeFileSync } = require('node:fs')
const { spawnSync } = require('node:child_process')

const { args, cwd, env, out } = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const output = openSync(out, 'w')
// Wine sets the variables of the user's folders itself, so they are given here.
const { status, error } = spawnSync(process.execPath, args, {
  stdio: ['ignore', output, output],
  cwd,
  env: { ...process.env, ...env },
})
writeFileSync(`${out}.code`, error === undefined ? String(status) : error.message)
