import { spawn, type ChildProcess } from 'node:child_process'
import { watchGroup } from './watcher.js'

const running = new Set<ChildProcess>()

/**
 * Keeps the group of a process from outliving this program, however that ends; on Windows where it ends in its own way.
 * The process must have been started `detached`.
 * @returns what gives up keeping it
 */
export function keepGroup(child: ChildProcess): () => void {
  if (running.size === 0) process.on('exit', endAll)
  running.add(child)
  const stopWatching = watchGroup(child)
  return () => {
    stopWatching()
    running.delete(child)
    if (running.size === 0) process.off('exit', endAll)
  }
}

/** Sends a signal to a process and to all that it has started, as far as they have not left its group. */
export function signalGroup({ pid, exitCode, signalCode }: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (pid === undefined) return
  if (process.platform === 'win32') {
    // The number of a process that has ended is soon another's.
    if (exitCode !== null || signalCode !== null) return
    // Windows has no groups, but knows who started whom. Where taskkill itself cannot be started there is nothing else
    // to try.
    spawn('taskkill', ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore', windowsHide: true }).on(
      'error',
      () => undefined,
    )
    return
  }
  try {
    process.kill(-pid, signal)
  } catch (error) {
    // The group is empty. Some systems answer EPERM for a group whose members are all dead.
    if (!isCode(error, 'ESRCH') && !isCode(error, 'EPERM')) throw error
  }
}

function endAll(): void {
  for (const child of running) signalGroup(child, 'SIGKILL')
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
