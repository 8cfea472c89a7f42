// watch-start.mjs <program> <cwd> <home>: measures `skills watch` until everything is watched. Linux only.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'

const [program, cwd, home] = process.argv.slice(2)
const start = performance.now()
const watch = spawn(process.execPath, [program, 'watch', '--cwd', cwd, '--home', home], {
  stdio: ['ignore', 'pipe', 'inherit'],
})
await once(watch.stdout, 'data')
const ms = performance.now() - start
// The fields after the program's name, which may hold spaces; processor times are in hundredths of a second.
const fields = readFileSync(`/proc/${watch.pid}/stat`, 'utf8').split(') ').at(-1).split(' ')
const [, peakKiB] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${watch.pid}/status`, 'utf8'))
console.log(
  JSON.stringify({ ms, cpuMs: (Number(fields[11]) + Number(fields[12])) * 10, peakMiB: Number(peakKiB) / 1024 }),
)
watch.kill('SIGINT')
await once(watch, 'exit')
