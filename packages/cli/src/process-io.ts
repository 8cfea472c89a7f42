import { fstatSync, statSync, writeSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, isAbsolute, relative } from 'node:path'
import { systemCode } from '@skills/files/internal'
import type { Io, Output, Prompter } from './io.js'

/**
 * Returns the access to this process. Throws if its working folder no longer exists.
 * @param given returns the folder of `--cwd`; called only if the working folder does not exist
 * @param beforeWaiting called before a write to standard output that may wait for its reader. While it waits, the process
 *   handles no signals
 */
export function processIo(signal: AbortSignal, beforeWaiting?: () => void, given?: () => string | undefined): Io {
  const cwd = currentFolder(given)
  const stderr = new ProcessOutput(2)
  return {
    stdout: new ProcessOutput(1, beforeWaiting),
    stderr,
    cwd,
    home: homeFolder(),
    env: process.env,
    program: programName(cwd),
    signal,
    // Created on use, because only questions need it.
    get prompter() {
      return stderr.isTerminal && isTerminal(0) ? terminalPrompter : undefined
    },
  }
}

/** The library for prompts is loaded with the first question. */
const prompts = () => import('./questions/prompts.js')
const terminalPrompter: Prompter = {
  choose: async (...asked) => (await prompts()).choose(...asked),
  chooseSome: async (...asked) => (await prompts()).chooseSome(...asked),
}

/**
 * Returns the home folder, or an empty text if it is a relative path. A relative one would differ in each working
 * folder, and a project's files would count as the user's.
 */
function homeFolder(): string {
  const home = homedir()
  return isAbsolute(home) ? home : ''
}

/**
 * Returns the command that starts this program again: its name if it is installed, after `npx` if npx started it, and
 * in a clone the command that was typed.
 */
function programName(cwd: string): string {
  const path = process.argv[1] ?? ''
  if (path.endsWith('.cjs') && !/[\\/]node_modules[\\/]/.test(path))
    return `${basename(process.execPath)} ${relative(cwd, path)}`
  // npx runs the program from a folder that is not on the search path, so its name alone would not start it.
  if (/[\\/]_npx[\\/]/.test(path)) return 'npx @skills/cli'
  const name = /agent-skills(?:\.\w+)?$/.test(path) ? 'agent-skills' : 'skills'
  return ['exec', 'run-script'].includes(process.env['npm_command'] ?? '') ? `npx ${name}` : name
}

/** Returns the working folder. It may have been removed since the process started. */
function currentFolder(given?: () => string | undefined): string {
  try {
    return process.cwd()
  } catch (cause) {
    const folder = given?.()
    if (folder !== undefined && isAbsolute(folder)) return folder
    const way =
      folder === undefined
        ? 'name one with --cwd'
        : `give --cwd an absolute path: ${folder} is relative to the missing folder`
    throw new Error(`The working folder does not exist any more. Change to a folder that exists, or ${way}.`, { cause })
  }
}

let buffer: Buffer | undefined
const bufferBytes = 256 * 1024
/** Bytes that every pipe has room for, so that writing them waits for no reader. */
const roomBytes = 4096

/**
 * Standard output or error. Writes to pipes and files directly: creating the process's stream takes a tenth of a short
 * run, and a direct write is complete when it returns. Terminals use the stream, which knows their size.
 */
class ProcessOutput implements Output {
  readonly isTerminal: boolean
  readonly #fd: 1 | 2
  /** True if the reader closed the pipe, as in `skills list | head -1`. That is no failure of this program. */
  #isClosed = false
  #stream: NodeJS.WriteStream | undefined
  readonly #beforeWaiting: (() => void) | undefined
  #room = roomBytes

  constructor(fd: 1 | 2, beforeWaiting?: () => void) {
    this.#fd = fd
    this.#beforeWaiting = beforeWaiting
    this.isTerminal = isTerminal(fd)
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  get columns(): number {
    // A terminal that does not know its size reports 0.
    return (this.isTerminal ? this.#open().columns : undefined) || 80
  }

  write(text: string): void {
    if (this.#isClosed || text === '') return
    if (this.isTerminal || this.#stream !== undefined) {
      this.#open().write(text)
      return
    }
    // One buffer serves all texts that fit. A buffer for each would double the memory of a long list.
    buffer ??= Buffer.allocUnsafeSlow(bufferBytes)
    const bytes = text.length * 3 <= bufferBytes ? buffer.subarray(0, buffer.write(text)) : Buffer.from(text)
    // A signal that has arrived and was not handled yet is lost when its handler is removed. A command that goes on after
    // it has printed a little, such as `watch`, would never end.
    this.#room -= bytes.length
    if (this.#room < 0) this.#beforeWaiting?.()
    let written = 0
    try {
      while (written < bytes.length) written += writeSync(this.#fd, bytes, written)
    } catch (error) {
      const code = systemCode(error)
      // A non-blocking pipe is full. The stream waits for room, so it needs a copy: the buffer is used for the next
      // text.
      if (code === 'EAGAIN') this.#open().write(Buffer.from(bytes.subarray(written)))
      else if (isGone(code)) this.#isClosed = true
      else throw error
    }
  }

  #open(): NodeJS.WriteStream {
    if (this.#stream !== undefined) return this.#stream
    const stream = this.#fd === 1 ? process.stdout : process.stderr
    stream.on('error', error => {
      if (!isGone(systemCode(error))) throw error
      this.#isClosed = true
    })
    return (this.#stream = stream)
  }
}

/**
 * Returns true for a terminal. The module for terminals loads the one for networks, so it is not asked about a pipe, a
 * file or the null device.
 */
function isTerminal(fd: 0 | 1 | 2): boolean {
  try {
    const stats = fstatSync(fd)
    if (!stats.isCharacterDevice()) return false
    if (process.platform !== 'win32' && stats.rdev === statSync('/dev/null', { throwIfNoEntry: false })?.rdev)
      return false
    return process.getBuiltinModule('node:tty').isatty(fd)
  } catch {
    // A descriptor that was never opened is not a terminal.
    return false
  }
}

function isGone(code: string | undefined): boolean {
  return code === 'EPIPE' || code === 'EIO' || code === 'EOF' || code === 'ERR_STREAM_DESTROYED'
}
