import { spawn, type ChildProcess } from 'node:child_process'
import type { Writable } from 'node:stream'

/**
 * Reads `+ GROUP` and `- GROUP`, and once its input ends, however this process ended, kills the groups that are left.
 * Nothing in it starts a further process, and a signal to this process's terminal does not reach it: it is in a session
 * of its own.
 */
const script = `trap '' HUP INT QUIT TERM
groups=' '
while read -r sign group; do
  case $sign in
    +) groups="$groups$group " ;;
    -) case $groups in *" $group "*) groups="\${groups%% $group *} \${groups#* $group }" ;; esac ;;
  esac
done
for group in $groups; do kill -s KILL -- "-$group"; done`

/** This file is built into each package that starts processes: their copies share one watcher. */
const key: unique symbol = Symbol.for('@skills/process-group/watcher')
const shared: { [key]?: Writable | undefined } = globalThis as object

/**
 * Has the group of a process killed when this process ends in any way, by SIGKILL too. One watcher serves all groups.
 */
export function watchGroup({ pid }: ChildProcess): () => void {
  if (pid === undefined || process.platform === 'win32') return () => {}
  shared[key] ??= startWatcher()
  shared[key]?.write(`+ ${pid}\n`)
  return () => void shared[key]?.write(`- ${pid}\n`)
}

/** Undefined where there is no shell: then only what this process hears of ends the groups. */
function startWatcher(): Writable | undefined {
  try {
    const watcher = spawn('/bin/sh', ['-c', script], {
      cwd: '/',
      env: {},
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    const { stdin } = watcher
    const forget = (): void => {
      if (shared[key] === stdin) shared[key] = undefined
    }
    // It must keep neither this process nor a test from ending.
    watcher.on('error', forget).on('exit', forget).unref()
    stdin.on('error', forget)
    if ('unref' in stdin && typeof stdin.unref === 'function') stdin.unref()
    return stdin
  } catch {
    // As where this process may start no more. The program that was to be watched runs already, within its limits.
    return undefined
  }
}
