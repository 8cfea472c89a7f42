import { spawn, type ChildProcess } from 'node:child_process'
import { statSync } from 'node:fs'
import { setMaxListeners } from 'node:events'
import { keepGroup, signalGroup } from './group.js'
import { withoutShellStartup } from './environment.js'

/** What is run. */
export interface GroupCall {
  /** A name on the search path of `env`, or an absolute path. */
  readonly program: string
  readonly args: readonly string[]
  /** What makes bash run something else before it is left out of it. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Whether it is a shell for a script that was judged by its text. Default: false. */
  readonly isScript?: boolean | undefined
  /** What it reads from its standard input, UTF-8. Default: nothing. */
  readonly stdin?: string | undefined
}

export interface RunLimits {
  /** Milliseconds; `Infinity` for no limit. */
  readonly timeoutMs: number
  /** Of standard output and standard error together. */
  readonly maxOutputBytes: number
  /** Milliseconds from SIGTERM to SIGKILL, and from the end of the program to that of what it left behind. */
  readonly graceMs: number
}

/** Calls back once after so many milliseconds; gives what cancels that. */
export interface GroupClock {
  after(ms: number, callback: () => void): () => void
}

export interface RunOptions extends RunLimits {
  /** Working folder, absolute. */
  readonly cwd: string
  readonly clock: GroupClock
  /** Any of them ends it. */
  readonly signals: readonly AbortSignal[]
  /**
   * Told of standard output as it comes, until it is ended; nothing of that is kept then. When it throws, the program
   * is ended.
   */
  readonly onStdout?: ((chunk: Buffer) => void) | undefined
  /** Told of standard error as it comes, as `onStdout` is; what is kept of it does not change. */
  readonly onStderr?: ((chunk: Buffer) => void) | undefined
  /**
   * Bytes of standard error that are kept, the last ones; they do not count as output then. Default: all of it, and it
   * counts.
   */
  readonly keepsOfStderr?: number | undefined
}

export type RunEnd =
  | { readonly by: 'exit'; readonly code: number }
  | { readonly by: 'signal'; readonly signal: string }
  | { readonly by: 'timeout' }
  | { readonly by: 'overflow' }
  | { readonly by: 'abort'; readonly signal: AbortSignal }
  | { readonly by: 'start'; readonly message: string }
  /** What `onStdout` or `onStderr` threw. */
  | { readonly by: 'listener'; readonly error: unknown }

export interface RunResult {
  readonly end: RunEnd
  /** UTF-8, with U+FFFD for what is none. */
  readonly stdout: string
  readonly stderr: string
}

/**
 * Runs a program in a process group of its own. Settles when nothing of the group is left and all that it wrote is
 * read. Never rejects. What has left the group, as `setsid` does, is not waited for for longer than the grace, nor
 * ended.
 */
export function runInGroup(
  { program, args, env, isScript = false, stdin }: GroupCall,
  options: RunOptions,
): Promise<RunResult> {
  const { cwd, signals } = options
  const aborted = signals.find(signal => signal.aborted)
  if (aborted !== undefined) return Promise.resolve({ end: { by: 'abort', signal: aborted }, stdout: '', stderr: '' })
  const detached = process.platform !== 'win32'
  let child: ChildProcess
  try {
    child = spawn(program, args, {
      cwd,
      env: withoutShellStartup(env, isScript),
      detached,
      stdio: [stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      windowsHide: true,
    })
  } catch (error) {
    return Promise.resolve({ end: { by: 'start', message: startProblem(error, cwd) }, stdout: '', stderr: '' })
  }
  // A program need not read what it is given, and may end before it is all written: how it ends is all that counts.
  child.stdin?.on('error', () => undefined).end(stdin)
  return watch(child, options)
}

function watch(
  child: ChildProcess,
  { cwd, clock, signals, timeoutMs, maxOutputBytes, graceMs, onStdout, onStderr, keepsOfStderr }: RunOptions,
): Promise<RunResult> {
  return new Promise(resolve => {
    const undos: (() => void)[] = [keepGroup(child)]
    const stdout: Buffer[] = []
    const stderr: Buffer[] = []
    // What ended it comes before how it ended.
    let stopped: RunEnd | undefined
    let ended: RunEnd | undefined
    let bytes = 0
    let isSettled = false
    const after = (ms: number, act: () => void): void => {
      if (!isSettled) undos.push(clock.after(ms, act))
    }

    const settle = (end: RunEnd = stopped ?? ended ?? { by: 'signal', signal: 'SIGKILL' }): void => {
      if (isSettled) return
      isSettled = true
      for (const undo of undos.splice(0)) undo()
      // Who was started in the background with its output sent elsewhere is still there.
      signalGroup(child, 'SIGKILL')
      resolve({ end, stdout: textOf(stdout), stderr: textOf(stderr) })
    }
    const kill = (): void => {
      signalGroup(child, 'SIGKILL')
      // Only who has left the group can hold the pipes now.
      after(graceMs, () => {
        child.stdin?.destroy()
        child.stdout?.destroy()
        child.stderr?.destroy()
        child.unref()
        settle()
      })
    }
    const stop = (why: RunEnd): void => {
      if (stopped !== undefined) return
      stopped = why
      signalGroup(child, 'SIGTERM')
      after(graceMs, kill)
    }
    const counted =
      (take: (chunk: Buffer) => void) =>
      (chunk: Buffer): void => {
        bytes += chunk.length
        if (bytes <= maxOutputBytes) take(chunk)
        else stop({ by: 'overflow' })
      }

    const tell = (chunk: Buffer, listener: (chunk: Buffer) => void): void => {
      if (stopped !== undefined) return
      try {
        listener(chunk)
      } catch (error) {
        // Thrown in a listener of Node it would end this whole process.
        stop({ by: 'listener', error })
      }
    }

    child.stdout?.on(
      'data',
      counted(chunk => (onStdout === undefined ? void stdout.push(chunk) : tell(chunk, onStdout))),
    )
    child.stderr?.on(
      'data',
      keepsOfStderr === undefined
        ? counted(chunk => void stderr.push(chunk))
        : (chunk: Buffer) => {
            stderr.splice(0, stderr.length, Buffer.concat([...stderr, chunk]).subarray(-keepsOfStderr))
          },
    )
    if (onStderr !== undefined) child.stderr?.on('data', (chunk: Buffer) => tell(chunk, onStderr))
    child.once('error', error => {
      if (child.pid === undefined) settle({ by: 'start', message: startProblem(error, cwd) })
    })
    child.once('exit', (code, signal) => {
      ended = code === null ? { by: 'signal', signal: signal ?? 'unknown' } : { by: 'exit', code }
      if (stopped === undefined) after(graceMs, kill)
    })
    child.once('close', () => settle())
    if (timeoutMs !== Infinity) after(timeoutMs, () => stop({ by: 'timeout' }))
    for (const signal of signals) {
      const listener = (): void => stop({ by: 'abort', signal })
      // Every command of a body listens to the same signal, and stops when it is done: no leak to warn of.
      setMaxListeners(0, signal)
      signal.addEventListener('abort', listener)
      undos.push(() => signal.removeEventListener('abort', listener))
    }
  })
}

/** The system says that a program is missing when its working folder is. */
function startProblem(error: unknown, cwd: string): string {
  const message = error instanceof Error ? error.message : String(error)
  try {
    const stats = statSync(cwd, { throwIfNoEntry: false })
    if (stats?.isDirectory() === true) return message
    return `the working folder ${cwd} ${stats === undefined ? 'does not exist' : 'is not a folder'}`
  } catch {
    // The folder may not be asked about, which says nothing of why the program did not start.
    return message
  }
}

function textOf(chunks: readonly Buffer[]): string {
  return Buffer.concat(chunks).toString('utf8')
}
