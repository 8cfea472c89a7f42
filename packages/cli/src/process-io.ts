import { fstatSync, statSync, writeSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, isAbsolute, relative } from 'node:path'
import { systemCode } from '@skills/files/internal'
import type { Io, Output, Prompter } from './io.js'

/**
 * The process that this code runs in. Throws where that has no folder any more.
 * @param given the folder that the command line names, asked for only then
 * @param onOutput told before standard output gets a text directly, after which little is left to do: a write that
 *   waits for its reader hears no signal
 */
export function processIo(signal: AbortSignal, onOutput?: () => void, given?: () => string | undefined): Io {
  const cwd = currentFolder(given)
  const stderr = new ProcessOutput(2)
  return {
    stdout: new ProcessOutput(1, onOutput),
    stderr,
    cwd,
    home: homeFolder(),
    env: process.env,
    program: programName(cwd),
    signal,
    // Looked for only by what has something to ask.
    get prompter() {
      return stderr.isTerminal && isTerminal(0) ? terminalPrompter : undefined
    },
  }
}

/** The library for prompts is read with the first question. */
const prompts = () => import('./questions/prompts.js')
const terminalPrompter: Prompter = {
  choose: async (...asked) => (await prompts()).choose(...asked),
  chooseSome: async (...asked) => (await prompts()).chooseSome(...asked),
}

/**
 * None where it is given as a relative one, which would be another in each working folder: nothing of a project is the
 * user's.
 */
function homeFolder(): string {
  const home = homedir()
  return isAbsolute(home) ? home : ''
}

/**
 * What leads here again: its name when it is installed, with npx before it where that started it; from a clone, what
 * was typed.
 */
function programName(cwd: string): string {
  const path = process.argv[1] ?? ''
  if (path.endsWith('.cjs') && !/[\\/]node_modules[\\/]/.test(path))
    return `${basename(process.execPath)} ${relative(cwd, path)}`
  // In npx's own folder nothing is on the path, and nothing is found there by the name of the program.
  if (/[\\/]_npx[\\/]/.test(path)) return 'npx @skills/cli'
  const name = /agent-skills(?:\.\w+)?$/.test(path) ? 'agent-skills' : 'skills'
  return ['exec', 'run-script'].includes(process.env['npm_command'] ?? '') ? `npx ${name}` : name
}

/** A process may outlive the folder that it was started in. */
function currentFolder(given?: () => string | undefined): string {
  try {
    return process.cwd()
  } catch (cause) {
    const folder = given?.()
    if (folder !== undefined && isAbsolute(folder)) return folder
    const way =
      folder === undefined ? 'name one with --cwd' : `give --cwd an absolute path: ${folder} would start from there`
    throw new Error(`The folder this was started in is gone. Change to one that exists, or ${way}.`, { cause })
  }
}

let buffer: Buffer | undefined
const bufferBytes = 256 * 1024

/**
 * Standard output or error. Pipes and files are written to directly: setting up the process's stream costs a tenth of a
 * short run, and a direct write is complete when it returns. Terminals get the stream, which knows them.
 */
class ProcessOutput implements Output {
  readonly isTerminal: boolean
  readonly #fd: 1 | 2
  /** The reader closed the pipe: `skills list | head -1`. That is no failure of this program. */
  #isClosed = false
  #stream: NodeJS.WriteStream | undefined
  readonly #onOutput: (() => void) | undefined

  constructor(fd: 1 | 2, onOutput?: () => void) {
    this.#fd = fd
    this.#onOutput = onOutput
    this.isTerminal = isTerminal(fd)
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  get columns(): number {
    // A terminal that does not know its size says 0.
    return (this.isTerminal ? this.#open().columns : undefined) || 80
  }

  write(text: string): void {
    if (this.#isClosed || text === '') return
    if (this.isTerminal || this.#stream !== undefined) {
      this.#open().write(text)
      return
    }
    this.#onOutput?.()
    // The same for all texts that fit: memory for each would be as much again as a long list itself takes.
    buffer ??= Buffer.allocUnsafeSlow(bufferBytes)
    const bytes = text.length * 3 <= bufferBytes ? buffer.subarray(0, buffer.write(text)) : Buffer.from(text)
    let written = 0
    try {
      while (written < bytes.length) written += writeSync(this.#fd, bytes, written)
    } catch (error) {
      const code = systemCode(error)
      // A non-blocking pipe: the stream waits until there is room, when the buffer is another text's.
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
 * The module for terminals brings the network's along, so it is not asked about what surely is none: a pipe, a file,
 * the null device.
 */
function isTerminal(fd: 0 | 1 | 2): boolean {
  try {
    const stats = fstatSync(fd)
    if (!stats.isCharacterDevice()) return false
    if (process.platform !== 'win32' && stats.rdev === statSync('/dev/null', { throwIfNoEntry: false })?.rdev)
      return false
    return process.getBuiltinModule('node:tty').isatty(fd)
  } catch {
    // One that was never opened takes nothing and shows nothing.
    return false
  }
}

function isGone(code: string | undefined): boolean {
  return code === 'EPIPE' || code === 'EIO' || code === 'EOF' || code === 'ERR_STREAM_DESTROYED'
}
