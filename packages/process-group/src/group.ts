import { spawn, type ChildProcess } from 'node:child_process'
import { watchGroup } from './watcher.js'

const running = new Set<ChildProcess>()

/**
 * Kills the process group of `child` when this program ends in any way, by SIGKILL too. On Windows only a normal end of
 * this program does so. The process must have been started `detached`.
 * @returns a function that stops the watching, to be called when the process has ended
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

/** Sends a signal to a process and to every process it has started that is still in its group. */
export function signalGroup({ pid, exitCode, signalCode }: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (pid === undefined) return
  if (process.platform === 'win32') {
    // The system soon gives the number of a process that has ended to another one.
    if (exitCode !== null || signalCode !== null) return
    // Windows has no groups, but knows which process started which. If taskkill cannot be started, nothing else is left
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
