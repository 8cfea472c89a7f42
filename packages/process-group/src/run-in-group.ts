import { spawn, type ChildProcess } from 'node:child_process'
import { statSync } from 'node:fs'
import { setMaxListeners } from 'node:events'
import { keepGroup, signalGroup } from './group.js'
import { withoutShellStartup } from './environment.js'

/** Program to run, with its arguments, environment and input. */
export interface GroupCall {
  /** A name on the search path of `env`, or an absolute path. */
  readonly program: string
  readonly args: readonly string[]
  /** Environment of the program. Variables that make bash run something else first are removed. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** True if the program is a shell that runs a script whose text was checked. Default: false. */
  readonly isScript?: boolean | undefined
  /** Text for standard input, UTF-8. Default: no input. */
  readonly stdin?: string | undefined
}

export interface RunLimits {
  /** Milliseconds the program may run; `Infinity` for no limit. */
  readonly timeoutMs: number
  /** Most bytes that standard output and standard error may have together. */
  readonly maxOutputBytes: number
  /**
   * Milliseconds from SIGTERM to SIGKILL, and from the program's exit until the processes it left behind are killed.
   */
  readonly graceMs: number
}

/** Calls back once after `ms` milliseconds. Returns a function that cancels the call. */
export interface GroupClock {
  after(ms: number, callback: () => void): () => void
}

export interface RunOptions extends RunLimits {
  /** Working folder, absolute. */
  readonly cwd: string
  readonly clock: GroupClock
  /** Signals any of which ends the program when it is aborted. */
  readonly signals: readonly AbortSignal[]
  /**
   * Called with each chunk of standard output as it comes, until the program is stopped. The result then holds no
   * standard output. If it throws, the program is stopped.
   */
  readonly onStdout?: ((chunk: Buffer) => void) | undefined
  /** Called with each chunk of standard error as it comes, like `onStdout`. The result still holds standard error. */
  readonly onStderr?: ((chunk: Buffer) => void) | undefined
  /**
   * Number of last bytes of standard error that are kept; standard error then does not count toward `maxOutputBytes`.
   * Default: all of it is kept, and counts.
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
  /** Error that `onStdout` or `onStderr` threw. */
  | { readonly by: 'listener'; readonly error: unknown }

export interface RunResult {
  readonly end: RunEnd
  /** Text in UTF-8; invalid bytes become U+FFFD. */
  readonly stdout: string
  readonly stderr: string
}

/**
 * Runs a program in a process group of its own. Settles when no process of the group is left and all output is read.
 * Never rejects. A process that has left the group, for example by `setsid`, is waited for at most `graceMs` and is not
 * killed.
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
  // A program may end before it has read all its input. Only how it ends counts, so a write error is ignored.
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
    // The reason why the program was stopped has precedence over its exit code.
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
      // A background process whose output goes elsewhere is still running.
      signalGroup(child, 'SIGKILL')
      resolve({ end, stdout: textOf(stdout), stderr: textOf(stderr) })
    }
    const kill = (): void => {
      signalGroup(child, 'SIGKILL')
      // After SIGKILL, only a process that has left the group can still hold the pipes.
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
        // An error thrown in a listener of Node would end this whole process.
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
      // Every command of a body listens to the same signal and stops listening when it is done, so there is no leak to
      // warn of.
      setMaxListeners(0, signal)
      signal.addEventListener('abort', listener)
      undos.push(() => signal.removeEventListener('abort', listener))
    }
  })
}

/** Names a missing working folder as the reason: the system blames the program instead. */
function startProblem(error: unknown, cwd: string): string {
  const message = error instanceof Error ? error.message : String(error)
  try {
    const stats = statSync(cwd, { throwIfNoEntry: false })
    if (stats?.isDirectory() === true) return message
    return `the working folder ${cwd} ${stats === undefined ? 'does not exist' : 'is not a folder'}`
  } catch {
    // Not being allowed to look at the folder does not explain why the program did not start.
    return message
  }
}

function textOf(chunks: readonly Buffer[]): string {
  return Buffer.concat(chunks).toString('utf8')
}
