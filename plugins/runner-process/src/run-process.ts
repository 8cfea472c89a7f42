import { spawn, type ChildProcess } from 'node:child_process'
import { messageOf, type Clock } from '@skills/core'
import { keepGroup, signalGroup } from '@skills/process-group'

export interface ProcessCall {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /** Written to standard input, which is closed then. */
  readonly input: string
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Of standard output. */
  readonly maxOutputBytes: number
  /** Milliseconds from SIGTERM to SIGKILL, and from the end of the program to that of what it left behind. */
  readonly graceMs: number
  /** Told of standard output as it comes. */
  readonly onOutput: (chunk: Buffer) => void
}

export type ProcessEnd =
  | { readonly by: 'exit'; readonly code: number }
  | { readonly by: 'signal'; readonly signal: string }
  | { readonly by: 'overflow' }
  | { readonly by: 'abort' }
  | { readonly by: 'start'; readonly message: string }

export interface ProcessResult {
  readonly end: ProcessEnd
  /** The end of what it wrote to standard error. */
  readonly errorTail: string
}

/** Bytes of standard error that are kept: what a program says last is why it failed. */
const tailBytes = 4096

/**
 * Runs a program in a process group of its own. Settles when nothing of the group is left, whatever happened; never rejects. What has
 * left the group, as `setsid` does, is not waited for for longer than the grace.
 */
export function runProcess(call: ProcessCall): Promise<ProcessResult> {
  const { command, args, env, cwd, signal } = call
  if (signal.aborted) return Promise.resolve({ end: { by: 'abort' }, errorTail: '' })
  try {
    return watch(spawn(command, args, { cwd, env, detached: process.platform !== 'win32', stdio: ['pipe', 'pipe', 'pipe'], windowsHide: true }), call)
  } catch (error) {
    return Promise.resolve({ end: { by: 'start', message: messageOf(error) }, errorTail: '' })
  }
}

function watch(child: ChildProcess, { input, clock, signal, maxOutputBytes, graceMs, onOutput }: ProcessCall): Promise<ProcessResult> {
  return new Promise(resolve => {
    const undos: (() => void)[] = [keepGroup(child)]
    let tail = Buffer.alloc(0)
    let bytes = 0
    // What ended it comes before how it ended.
    let stopped: ProcessEnd | undefined
    let ended: ProcessEnd | undefined
    let isSettled = false
    const after = (ms: number, act: () => void): void => {
      if (!isSettled) undos.push(clock.after(ms, act))
    }
    const settle = (end: ProcessEnd = stopped ?? ended ?? { by: 'signal', signal: 'SIGKILL' }): void => {
      if (isSettled) return
      isSettled = true
      for (const undo of undos.splice(0)) undo()
      // Who was started in the background with its output sent elsewhere is still there.
      signalGroup(child, 'SIGKILL')
      resolve({ end, errorTail: tail.toString('utf8') })
    }
    const kill = (): void => {
      signalGroup(child, 'SIGKILL')
      // Only who has left the group can hold the pipes now.
      after(graceMs, () => {
        for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy()
        child.unref()
        settle()
      })
    }
    const stop = (why: ProcessEnd): void => {
      if (stopped !== undefined) return
      stopped = why
      signalGroup(child, 'SIGTERM')
      after(graceMs, kill)
    }

    child.stdout?.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (stopped !== undefined) return
      if (bytes <= maxOutputBytes) onOutput(chunk)
      else stop({ by: 'overflow' })
    })
    child.stderr?.on('data', (chunk: Buffer) => {
      tail = Buffer.concat([tail, chunk]).subarray(-tailBytes)
    })
    // A program that does not read what it is told closes the pipe; how it ends says whether that is a failure.
    child.stdin?.on('error', () => undefined).end(input)
    child.once('error', error => {
      if (child.pid === undefined) settle({ by: 'start', message: error.message })
    })
    child.once('exit', (code, name) => {
      ended = code === null ? { by: 'signal', signal: name ?? 'unknown' } : { by: 'exit', code }
      if (stopped === undefined) after(graceMs, kill)
    })
    child.once('close', () => settle())
    const listener = (): void => stop({ by: 'abort' })
    signal.addEventListener('abort', listener, { once: true })
    undos.push(() => signal.removeEventListener('abort', listener))
  })
}
