import { spawn, type ChildProcess } from 'node:child_process'
import type { Writable } from 'node:stream'

/**
 * Script that reads `+ GROUP` and `- GROUP`, and kills the groups that are left once its input ends, however this
 * process ended. It uses only built-ins and starts no further process. It has a session of its own, so signals to this
 * process's terminal do not reach it.
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

/** Symbol that is equal in every copy of this file, so that packages with a copy built in share one watcher. */
const key: unique symbol = Symbol.for('@skills/process-group/watcher')
const shared: { [key]?: Writable | undefined } = globalThis as object

/**
 * Kills a process group when this process ends in any way, by SIGKILL too. One watcher serves all groups.
 * @returns a function that stops the watching
 */
export function watchGroup({ pid }: ChildProcess): () => void {
  if (pid === undefined || process.platform === 'win32') return () => {}
  shared[key] ??= startWatcher()
  shared[key]?.write(`+ ${pid}\n`)
  return () => void shared[key]?.write(`- ${pid}\n`)
}

/** Starts the watcher. Returns undefined if it cannot start: then the groups are killed only on a normal exit. */
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
    // The watcher must not keep this process, or a test, from ending.
    watcher.on('error', forget).on('exit', forget).unref()
    stdin.on('error', forget)
    if ('unref' in stdin && typeof stdin.unref === 'function') stdin.unref()
    return stdin
  } catch {
    // Happens if this process may start no more processes. The program to be watched already runs, within its limits.
    return undefined
  }
}
