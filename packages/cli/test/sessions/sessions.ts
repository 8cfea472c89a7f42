import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { program } from '../built.js'
import { plain, runIn } from '../console.js'
import { setups } from './setups.js'
import type { Place, Setup, SetupEntry } from './setup.js'

const root = path.resolve(import.meta.dirname, '../../../..')

/** Path of the home folder in pages. It is as long as the real one, so that lines are folded at the same words. */
const shownHome = '/home/grace'
/** Folder of the homes. `TMPDIR` may be longer, and a longer path is folded elsewhere. */
const shortTemp = '/tmp'

/** True if pages can be played on this machine. */
export const canPlay = process.platform !== 'win32' && realpathSync(shortTemp) === shortTemp

/** Output that is not the same in every run or with every npm, on any page. */
const changing = [
  [/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '…'],
  // How small a tarball gets depends on the version of npm.
  [/(?<=^\d+ files?, )\d+(?= B$)/gm, '…'],
] as const

/** How this repository's README calls the program. */
const cloned = 'node packages/cli/dist/skills.cjs'

/** Finds, in their order, the setups of a page, its blocks, and the name of the file that a reader saves a block as. */
const parts =
  /<!-- setup: (?<setup>\S+) -->|(?:<!-- file: (?<file>\S+) -->\n(?:<!-- from \S+ -->\n)?)?^```(?<language>\w*)\n(?<text>[^]*?)^```$/gm

/**
 * Follows a page as a reader does: saves its files, types its commands, and returns the page with the output they have
 * now. Blocks before the first setup are passed over.
 */
export async function played(page: string): Promise<string> {
  let shown = ''
  let end = 0
  let scene: Scene | undefined
  try {
    for (const part of page.matchAll(parts)) {
      const { setup, file, language = '', text = '' } = part.groups ?? {}
      if (setup !== undefined) {
        scene?.dispose()
        scene = new Scene()
        await scene.prepare(setupOf(setup))
      } else if (scene !== undefined && file !== undefined) scene.save(file, text)
      else if (scene !== undefined && language === 'sh') scene.install(text)
      else if (scene !== undefined && language === 'console') {
        shown += `${page.slice(end, part.index)}\`\`\`console\n${await scene.session(text)}\`\`\``
        end = part.index + part[0].length
      }
    }
  } finally {
    scene?.dispose()
  }
  return shown + page.slice(end)
}

/** Starts the program with words, and waits for its end. */
export type Start = (
  words: readonly string[],
  at: { readonly home: string; readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> },
) => { readonly code: number; readonly output: string }

export interface Started {
  readonly command: string
  readonly code: number
  readonly output: string
  readonly home: string
}

/**
 * Follows a page like `played`, but starts each command of the program by `start`, and returns their results. Leaves
 * out the commands of other programs, and those that only an interruption ends.
 */
export async function startedBy(page: string, start: Start): Promise<readonly Started[]> {
  const results: Started[] = []
  let scene: Scene | undefined
  try {
    for (const part of page.matchAll(parts)) {
      const { setup, file, language = '', text = '' } = part.groups ?? {}
      if (setup !== undefined) {
        scene?.dispose()
        scene = new Scene(start)
        await scene.prepare(setupOf(setup))
      } else if (scene !== undefined && file !== undefined) scene.save(file, text)
      else if (scene !== undefined && language === 'sh') scene.install(text)
      else if (scene !== undefined && language === 'console')
        for (const command of typed(text)) results.push(...scene.startOne(start, command))
    }
  } finally {
    scene?.dispose()
  }
  return results
}

/** Returns the commands of a page that are played. */
export function commandsOf(page: string): readonly string[] {
  const begin = page.search(/<!-- setup: /)
  if (begin === -1) return []
  return Array.from(page.slice(begin).matchAll(parts), ({ groups }) =>
    groups?.['language'] === 'console' ? typed(groups['text'] ?? '') : [],
  ).flat()
}

function setupOf(name: string): Setup {
  const setup = setups[name]
  if (setup === undefined) throw new Error(`There is no setup "${name}" in packages/cli/test/sessions/setups.ts.`)
  return setup
}

const typed = (session: string): readonly string[] =>
  Array.from(session.matchAll(/^\$ (.+)$/gm), ([, command = '']) => command)

/** Returns how a command calls the program; undefined for another program, and for a line that only a shell can run. */
function calledIn(command: string): string | undefined {
  const called = [cloned, 'skills'].find(name => command === name || command.startsWith(`${name} `))
  return /[|<>;&]/.test(command.replaceAll(/'[^']*'/g, '')) ? undefined : called
}

class Scene implements Place {
  readonly home = mkdtempSync(`${shortTemp}/`)
  readonly cwd = `${this.home}/project`
  #setup: Setup = {}
  #code = 0

  /** @param start starts the commands of the setup. Default: they are played in this process */
  constructor(private readonly start?: Start) {}

  async prepare(setup: Setup): Promise<void> {
    this.#setup = setup
    this.write({ 'project/.git': { dir: true }, ...setup.files })
    await setup.prepare?.(this)
  }

  readonly write = (entries: Readonly<Record<string, SetupEntry>>): void => {
    for (const [name, entry] of Object.entries(entries)) {
      const to = path.join(this.home, name)
      mkdirSync(path.dirname(to), { recursive: true })
      if (typeof entry === 'string') writeFileSync(to, entry)
      else if ('link' in entry) symlinkSync(entry.link, to)
      else mkdirSync(to, { recursive: true })
    }
  }

  readonly run = async (line: string): Promise<void> => {
    const output = this.start === undefined ? await this.#play(line) : this.#startInSetup(this.start, line)
    if (this.#code !== 0) throw new Error(`${line} ended with ${this.#code}: ${output}`)
  }

  save(file: string, text: string): void {
    this.write({ [path.join('project', file)]: text })
  }

  /** Links the built packages of this repository, as `npm install` would install them. */
  install(text: string): void {
    for (const [, names = ''] of text.matchAll(/^npm install (?!--global)(.+)$/gm))
      for (const name of names.split(' ')) this.write({ [`project/node_modules/${name}`]: { link: folderOf(name) } })
  }

  /** Types the commands of a block and returns it with their output. */
  async session(text: string): Promise<string> {
    let session = ''
    for (const command of typed(text)) {
      let output = (await this.#play(command.replace(/ +# .*$/, ''))).replaceAll(this.home, shownHome)
      for (const [found, mask] of [...changing, ...(this.#setup.masks ?? [])]) output = output.replaceAll(found, mask)
      session += `$ ${command}\n${output}${output === '' || output.endsWith('\n') ? '' : '\n'}`
    }
    return session
  }

  /** Starts one command by `start`. Plays a command of another program as usual. */
  startOne(start: Start, typedCommand: string): readonly Started[] {
    const command = typedCommand.replace(/ +# .*$/, '')
    const called = calledIn(command)
    if (called === undefined || this.#setup.untilInterrupted?.[command] !== undefined) {
      if (called === undefined && command !== 'echo $?') this.#shell(command)
      return []
    }
    const { home, cwd } = this
    const { code, output } = start(words(command.slice(called.length), home), { home, cwd, env: this.#env() })
    this.#code = code
    return [{ command, code, output, home }]
  }

  /**
   * Starts a command of the setup by the program that is tried. It records consent under the path that it sees itself,
   * which differs on Windows.
   */
  #startInSetup(start: Start, line: string): string {
    if (calledIn(line) === undefined) return this.#shell(line)
    return this.startOne(start, line)
      .map(({ output }) => output)
      .join('')
  }

  dispose(): void {
    rmSync(this.home, { recursive: true, force: true })
  }

  async #play(command: string): Promise<string> {
    if (command === 'echo $?') return `${this.#code}\n`
    const called = calledIn(command)
    return called === undefined ? this.#shell(command) : this.#inProcess(called, command)
  }

  /** Returns what a terminal shows for one command of the program. */
  async #inProcess(called: string, command: string): Promise<string> {
    const { untilInterrupted, columns = 80 } = this.#setup
    const until = untilInterrupted?.[command]
    const acts = [...(until?.acts ?? [])]
    const interrupt = new AbortController()
    let output = ''
    const { code } = await runIn(words(command.slice(called.length), this.home), {
      cwd: this.cwd,
      home: this.home,
      isTerminal: true,
      columns,
      program: called,
      env: this.#env(),
      signal: interrupt.signal,
      onOutput: text => {
        // What comes after the interruption depends on how fast this machine is.
        if (interrupt.signal.aborted) return
        output += text
        while (acts[0]?.when.test(output)) acts.shift()?.act(this)
        if (acts.length === 0 && until?.last.test(output)) interrupt.abort()
      },
    })
    this.#code = code
    // oxlint-disable-next-line no-control-regex -- progress that only a slow machine shows is on a line that is erased
    return plain(output.replaceAll(/[^\n]*\r\u001b\[K/g, '')) + (interrupt.signal.aborted ? '^C\n' : '')
  }

  #shell(command: string): string {
    const bin = path.join(this.home, '.bin')
    mkdirSync(path.join(bin, 'program'), { recursive: true })
    // The program takes its name from the path by which it is started.
    const started = path.join(bin, 'program/skills')
    if (!existsSync(started)) symlinkSync(program, started)
    writeFileSync(path.join(bin, 'skills'), `#!/bin/sh\nexec "${process.execPath}" "${started}" "$@"\n`, {
      mode: 0o755,
    })
    try {
      this.#code = 0
      return execFileSync('sh', ['-c', `{ ${command}\n} 2>&1`], {
        cwd: this.cwd,
        // Nothing of the caller's variables: npx, for one, changes the command lines that the program proposes.
        env: { ...this.#env(), NODE_DISABLE_COMPILE_CACHE: '1', PATH: `${bin}:${process.env['PATH']}` },
        encoding: 'utf8',
      })
    } catch (error) {
      const { status, stdout } = error as { readonly status?: number | null; readonly stdout?: string }
      if (typeof status !== 'number') throw error
      this.#code = status
      return stdout ?? ''
    }
  }

  #env(): Record<string, string | undefined> {
    return {
      PATH: process.env['PATH'],
      HOME: this.home,
      NO_COLOR: '1',
      GIT_CONFIG_NOSYSTEM: '1',
      // The same files then make the same commit.
      ...Object.fromEntries(
        ['AUTHOR', 'COMMITTER'].flatMap(who => [
          [`GIT_${who}_NAME`, 'Grace'],
          [`GIT_${who}_EMAIL`, 'grace@example.com'],
          [`GIT_${who}_DATE`, '2026-01-05T09:00:00Z'],
        ]),
      ),
      ...this.#setup.env,
    }
  }
}

/** Returns the folder of a package: of ours, or of one that our adapters are installed with. */
function folderOf(name: string): string {
  const own = ['packages', 'plugins'].map(where => path.join(root, where, path.basename(name)))
  const folders = name.startsWith('@skills/') ? own : [path.join(root, 'plugins/ai-sdk/node_modules', name)]
  const found = folders.find(folder => existsSync(path.join(folder, 'package.json')))
  if (found === undefined) throw new Error(`No package of this repository is called ${name}.`)
  return found
}

/** Splits the words of a command line, as a shell does with quotes and `~`. */
function words(line: string, home: string): readonly string[] {
  return Array.from(line.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g), ([word]) =>
    word
      .replace(/^~(?=\/|$)/, home)
      .replaceAll(/'([^']*)'|"([^"]*)"/g, (_all, one?: string, other?: string) => one ?? other ?? ''),
  )
}
