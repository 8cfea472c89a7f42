// @ts-check
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { pathOf, runLines } from '../bash-lines.mjs'

/** Programs that do nothing but log that they started. */
export const canaries = ['touch', 'canary', 'id']
/** Real programs that run, write or delete what their arguments name. They see only a folder of their own. */
const real = [
  'find',
  'xargs',
  'env',
  'nice',
  'nohup',
  'timeout',
  'stdbuf',
  'setsid',
  'awk',
  'sed',
  'sort',
  'tar',
  'split',
  'tee',
  'dd',
  'uniq',
  'sh',
  'bash',
  'git',
  'cat',
  'grep',
  'wc',
  'rm',
  'mkdir',
  'chmod',
]
const limitMs = 20_000

/** Runs scripts of Bash, each in a folder of its own with two files, and returns what each started and changed. */
export class ManyFolders {
  /** The number of scripts that hung, and were ended. */
  hung = 0
  #folder

  /** @param {string} folder */
  constructor(folder) {
    this.#folder = folder
    chmodSync(folder, 0o755)
    mkdirSync(`${folder}/bin`)
    // A canary knows the script by its folder, since the environment may have been cleared.
    const log = (/** @type {string} */ name) => `#!/bin/sh\necho "\${PWD##*/} ${name}" >> "${folder}/log"\n`
    for (const name of canaries) writeFileSync(`${folder}/bin/${name}`, log(name), { mode: 0o755 })
    for (const name of real) symlinkSync(pathOf(name), `${folder}/bin/${name}`)
  }

  /**
   * @param {readonly string[]} scripts
   * @returns {Promise<{ started: string[], changed: string | undefined }[]>}
   */
  async run(scripts) {
    const work = `${this.#folder}/work`
    mkdirSync(work)
    writeFileSync(`${this.#folder}/log`, '')
    for (const one of [work, `${this.#folder}/log`]) chmodSync(one, 0o777)
    for (const at of scripts.keys()) {
      mkdirSync(`${work}/w${at}`)
      chmodSync(`${work}/w${at}`, 0o777)
      for (const [name, text] of /** @type {const} */ ([
        ['keep', 'a\n'],
        ['-delete', 'b\n'],
      ])) {
        writeFileSync(`${work}/w${at}/${name}`, text)
        chmodSync(`${work}/w${at}/${name}`, 0o666)
      }
    }
    const lines = scripts.map(
      (script, at) => `cd w${at}
: "$( eval ${quoted(script)} < /dev/null 2> /dev/null )"
cd ${quoted(work)}/w${at}; set -- *; k=; [ -f keep ] && read -r k < keep; echo "$* $k"; cd ..`,
    )
    const states = /** @type {(string | undefined)[]} */ ([])
    while (states.length < scripts.length) {
      const rest = lines.slice(states.length)
      states.push(
        ...(await runLines(rest, { file: `${this.#folder}/run.sh`, cwd: work, path: `${this.#folder}/bin`, limitMs })),
      )
      if (states.length < scripts.length) {
        states.push(undefined)
        this.hung += 1
      }
    }
    const starts = readFileSync(`${this.#folder}/log`, 'utf8')
      .split('\n')
      .map(line => line.split(' '))
    const startedIn = states.map(() => /** @type {Set<string>} */ (new Set()))
    for (const [where = '', name = ''] of starts) startedIn[Number(where.slice(1) || -1)]?.add(name)
    rmSync(work, { recursive: true, force: true })
    return states.map((state, at) => ({
      started: [...(startedIn[at] ?? [])],
      changed: state === '-delete keep a' ? undefined : (state ?? 'unknown: it did not end'),
    }))
  }
}

/** @param {string} text */
export function quoted(text) {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
