import { plainFolder, realPathOf } from '@skills/files/internal'
import { readWholeFile } from '@skills/files'
import { messageOf, type Diagnostic, type Host, type PromptCommand } from '@skills/core'
import { placesOf } from './reference-path.js'
import type { EvaluateContext } from '../template/expander.js'

export type Finding = Omit<Diagnostic, 'provider'>

export interface FileRules {
  /** Folders besides the working folder and the skill's. */
  readonly roots: (host: Host) => readonly string[]
  /** Largest file in bytes. */
  readonly maxBytes: number
  /** Most bytes of all files of one body together. */
  readonly maxTotalBytes: number
  report(finding: Finding): void
}

export type ReadContext = Pick<EvaluateContext, 'command' | 'host' | 'signal' | 'authorize'>

/** Reads the files that one body refers to. Each file is read once, and only if reading it is allowed. */
export class FileReader {
  readonly #command: PromptCommand
  readonly #host: Host
  readonly #rules: FileRules
  readonly #signal: AbortSignal
  readonly #authorize: EvaluateContext['authorize']
  readonly #within: readonly string[]
  readonly #texts = new Map<string, Promise<string | undefined>>()
  #total = 0
  #isFull = false

  constructor({ command, host, signal, authorize }: ReadContext, rules: FileRules) {
    this.#authorize = authorize
    this.#command = command
    this.#host = host
    this.#signal = signal
    this.#rules = rules
    const folders = [host.cwd, ...(command.baseDir === undefined ? [] : [command.baseDir]), ...rules.roots(host)]
    this.#within = [
      ...new Set(folders.map(folder => this.#realFolder(plainFolder(folder))).filter(folder => folder !== undefined)),
    ]
  }

  /**
   * Returns the text of a referenced file, and counts it towards the total of the body. Returns undefined and reports a
   * finding if it cannot be read.
   */
  async textOf(path: string): Promise<string | undefined> {
    const reading = this.#texts.get(path) ?? this.#read(path)
    this.#texts.set(path, reading)
    const text = await reading
    if (text === undefined) return undefined
    const { maxTotalBytes } = this.#rules
    const bytes = Buffer.byteLength(text)
    if (this.#total + bytes > maxTotalBytes) {
      // Reported once, since thousands of references may follow.
      if (!this.#isFull)
        this.#refuse(
          path,
          'reference-limit',
          'validation',
          `does not fit: the files of one text may have at most ${maxTotalBytes} bytes together`,
        )
      this.#isFull = true
      return undefined
    }
    this.#total += bytes
    return text
  }

  async #read(path: string): Promise<string | undefined> {
    let problem: Diagnostic | undefined
    for (const place of placesOf(path, this.#host, this.#command.baseDir)) {
      const file = await readWholeFile(place, {
        within: this.#within,
        maxBytes: this.#rules.maxBytes,
        signal: this.#signal,
      })
      if (file === undefined) continue
      if ('problem' in file) {
        problem ??= file.problem
        continue
      }
      // A skill must not bring in what a rule keeps from tools. The rule is asked only about files that exist.
      const decision = await this.#authorize({ tool: 'Read', content: place, isFree: true })
      if (decision.behavior !== 'allow')
        return this.#refuse(path, 'reference-denied', 'validation', `may not be read: ${shortened(decision.message)}`)
      const text = textIn(file.bytes)
      return text ?? this.#refuse(path, 'reference-binary', 'validation', 'is not text in UTF-8')
    }
    if (problem !== undefined) return this.#problem(path, problem)
    this.#rules.report({
      severity: 'info',
      type: 'io',
      code: 'reference-missing',
      ...this.#place(),
      message: `"${this.#command.name}" refers to ${shortened(path)}, which does not exist.`,
      hint: 'If that text is not a file, put it between backticks.',
    })
    return undefined
  }

  #problem(path: string, { code, message, type }: Diagnostic): undefined {
    switch (code) {
      case 'link-escapes':
        return this.#refuse(path, 'reference-outside', type, 'is outside the folders that a skill may refer to')
      case 'file-too-large':
        return this.#refuse(path, 'reference-too-large', type, `is larger than ${this.#rules.maxBytes} bytes`)
      default:
        return this.#refuse(path, 'reference-unreadable', type, `cannot be read: ${shortened(message)}`)
    }
  }

  #refuse(path: string, code: string, type: Diagnostic['type'], why: string): undefined {
    this.#rules.report({
      severity: 'warning',
      type,
      code,
      ...this.#place(),
      message: `"${this.#command.name}" refers to ${shortened(path)}, which ${why.replace(/\.$/, '')}.`,
      hint: 'The reference stays in the text as written.',
    })
    return undefined
  }

  #place(): Pick<Finding, 'name' | 'path'> {
    const { name, filePath } = this.#command
    return { name, ...(filePath === undefined ? {} : { path: filePath }) }
  }

  /** Resolves a folder; undefined if it does not exist. */
  #realFolder(folder: string): string | undefined {
    try {
      return realPathOf(folder)
    } catch (error) {
      this.#rules.report({
        severity: 'warning',
        type: 'io',
        code: 'reference-root',
        path: folder,
        message: `Files in ${folder} cannot be referred to: ${messageOf(error)}.`,
      })
      return undefined
    }
  }
}

/** Decodes a file as UTF-8 without its byte order mark; undefined if it is not text. */
function textIn(bytes: Buffer): string | undefined {
  if (bytes.includes(0)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

/** Shortens a text for a message, since a path may be as long as a body. */
function shortened(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}
