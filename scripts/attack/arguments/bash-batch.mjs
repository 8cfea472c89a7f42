// @ts-check
import { chmodSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { bashCommand, pathOf, runLines } from '../bash-lines.mjs'

/** @typedef {{ readonly script: string, readonly values: Readonly<Record<string, string>> }} Call */

/** The programs that a script finds; `hit` is the one that hostile arguments run. */
const programs = ['cat', 'sh', 'bash', 'env', 'xargs', 'awk', 'sed', 'find', 'tee', 'nohup']
const limitMs = 60_000

/**
 * A folder in which bash runs scripts that may do anything: with next to no programs, and as an unprivileged user where
 * root starts it.
 */
export class BashBatch {
  /** The program that runs scripts as bash. */
  bash
  /** The number of processes that hung, and were ended. */
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
    mkdirSync(this.evil)
    // This one stands for any program: the name of its folder says whose canary it is.
    this.#program('tell', `name=\${0%/*}; : > "${folder}/hits/\${name##*/}"`)
  }

  get work() {
    return `${this.#folder}/work`
  }

  get evil() {
    return `${this.#folder}/evil`
  }

  /** Makes the folder of programs that a hostile argument may name. @param {string} canary */
  plant(canary) {
    const own = `${this.evil}/${canary}`
    mkdirSync(own)
    for (const one of programs.filter(name => name !== 'env')) symlinkSync(`${this.#folder}/tell`, `${own}/${one}`)
    writeFileSync(`${own}/env`, `#!/bin/sh\n: > "${this.#folder}/hits/${canary}"\n`, { mode: 0o755 })
  }

  /** Removes the folders that were planted. */
  uproot() {
    rmSync(this.evil, { recursive: true })
    mkdirSync(this.evil)
  }

  get path() {
    return `${this.#folder}/bin`
  }

  /** Returns the canaries that ran since the last call. */
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
      const line = [...exportsOf(values), `. ${this.#folder}/scripts/${at}`].join('; ')
      // The effect of a value on the variables shows when a program runs.
      return `( ${line}; declare -F cat && cat; [[ $PATH == '${this.path}' ]] || cat ) </dev/null >/dev/null 2>&1; echo`
    })
    const file = `${this.#folder}/scripts/all`
    return (await runLines(lines, { file, cwd: this.work, path: this.path, limitMs })).length
  }

  /**
   * Compares the output of scripts with values in the environment to their output with the same values written into
   * them.
   * @param {readonly Call[]} calls whose values hold nothing that a script would have to quote between double quotes
   * @returns {Promise<readonly Call[]>} the calls whose outputs differ
   */
  async differing(calls) {
    const lines = calls.map(({ script, values }, at) => {
      const written = Object.entries(values).reduce(
        (text, [name, value]) => text.replaceAll(`\${${name}}`, value),
        script,
      )
      writeFileSync(`${this.#folder}/scripts/${at}`, script)
      writeFileSync(`${this.#folder}/scripts/${at}w`, written)
      const run = (/** @type {string} */ file, /** @type {readonly string[]} */ before) =>
        `$( : > out; ${[...before, `. ${this.#folder}/scripts/${file}`].join('; ')} 2>/dev/null; printf %s "=$?" )`
      return `{ _one=${run(`${at}`, exportsOf(values))}; _two=${run(`${at}w`, [])}; } </dev/null; [[ $_one == "$_two" || $_one == *SKILL_ARG* ]] && echo same || echo differs; unset _one _two`
    })
    const file = `${this.#folder}/scripts/all`
    const answers = await runLines(lines, { file, cwd: this.work, path: this.path, limitMs })
    return calls.filter((_, at) => answers[at] === 'differs')
  }

  /** @param {string} name @param {string} text */
  #program(name, text) {
    writeFileSync(`${this.#folder}/${name}`, `#!/bin/sh\n${text}\n`, { mode: 0o755 })
  }
}

/** @param {Readonly<Record<string, string>>} values */
function exportsOf(values) {
  return Object.entries(values).map(([name, value]) => `export ${name}='${value.replaceAll("'", String.raw`'\''`)}'`)
}
