// @ts-check
import { chmodSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { bashCommand, pathOf, runLines } from '../bash-lines.mjs'

/** @typedef {{ readonly script: string, readonly values: Readonly<Record<string, string>> }} Call */

/** The programs that a script finds; `hit` is what the hostile arguments run. */
const programs = ['cat']
const limitMs = 60_000

/**
 * A folder in which bash runs scripts that may do anything: with next to no programs, and as an unprivileged user where
 * that can be had.
 */
export class BashBatch {
  /** What runs bash. */
  bash
  /** Processes for all scripts that hung, and were ended. */
  hung = 0
  #folder

  /** @param {string} folder */
  constructor(folder) {
    this.#folder = folder
    chmodSync(folder, 0o755)
    for (const one of ['bin', 'hits', 'work', 'scripts']) mkdirSync(`${folder}/${one}`, { recursive: true })
    for (const one of ['hits', 'work']) chmodSync(`${folder}/${one}`, 0o777)
    for (const one of programs) symlinkSync(pathOf(one), `${folder}/bin/${one}`)
    this.bash = `${folder}/bash`
    this.#program('bash', `exec ${bashCommand().join(' ')} "$@"`)
    this.#program('bin/hit', `: > "${folder}/hits/$1"`)
  }

  get work() {
    return `${this.#folder}/work`
  }

  get path() {
    return `${this.#folder}/bin`
  }

  /** What ran since this was asked last. */
  hits() {
    const found = readdirSync(`${this.#folder}/hits`)
    for (const one of found) rmSync(`${this.#folder}/hits/${one}`)
    return new Set(found)
  }

  /**
   * Runs scripts in one process of bash, each in a subshell of its own with its values in the environment.
   * @param {readonly Call[]} calls
   */
  async run(calls) {
    for (let from = 0; from < calls.length;) {
      const done = await this.#runFrom(calls, from)
      if (from + done < calls.length) this.hung += 1
      from += done + 1
    }
    rmSync(this.work, { recursive: true, force: true })
    mkdirSync(this.work)
    chmodSync(this.work, 0o777)
  }

  /** @param {readonly Call[]} calls @param {number} from */
  async #runFrom(calls, from) {
    const lines = calls.slice(from).map(({ script, values }, at) => {
      writeFileSync(`${this.#folder}/scripts/${at}`, script)
      const exports = Object.entries(values).map(
        ([name, value]) => `export ${name}='${value.replaceAll("'", String.raw`'\''`)}'`,
      )
      return `( ${[...exports, `. ${this.#folder}/scripts/${at}`].join('; ')} ) </dev/null >/dev/null 2>&1; echo`
    })
    const file = `${this.#folder}/scripts/all`
    return (await runLines(lines, { file, cwd: this.work, path: this.path, limitMs })).length
  }

  /** @param {string} name @param {string} text */
  #program(name, text) {
    writeFileSync(`${this.#folder}/${name}`, `#!/bin/sh\n${text}\n`, { mode: 0o755 })
  }
}
