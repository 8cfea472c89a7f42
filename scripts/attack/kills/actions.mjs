// @ts-check
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createSkills, processHost } from '@skills/core'
import { standard } from '@skills/distributions'
import { openState, trustedFolders } from '@skills/distributions/trust'
import { permissionRules } from '@skills/permission-rules'
import { extractFolder } from '@skills/source-bundled'
import { noWaitClock } from './no-wait-clock.mjs'
import { bundledFiles, hostOf, settingsOf } from './places.mjs'

/**
 * An action that changes files, made by a process that is killed in the middle.
 * @typedef {object} Action
 * @property {string} name
 * @property {boolean} [isSlow] true if running it once takes seconds
 * @property {(folder: string) => void} prepare
 * @property {(folder: string, turn: number) => readonly string[]} argv the arguments of node
 * @property {(folder: string, turn: number) => Promise<readonly string[]>} check what is lost, torn, stuck or left
 * behind; it also makes the next save
 */

const child = fileURLToPath(new URL('child.mjs', import.meta.url))
const cli = dirname(createRequire(import.meta.url).resolve('@skills/cli/package.json'))
export const program = join(cli, 'dist/skills.cjs')
const call = { signal: new AbortController().signal }

/** @param {string} folder @param {readonly string[]} args */
const programArgs = (folder, args) => [program, ...args, '--cwd', `${folder}/work`, '--home', `${folder}/home`]

/** @param {string} folder @param {Record<string, string>} entries */
function write(folder, entries) {
  for (const [path, text] of Object.entries(entries)) {
    mkdirSync(dirname(`${folder}/${path}`), { recursive: true, mode: 0o700 })
    writeFileSync(`${folder}/${path}`, text)
  }
}

/** @param {string} folder @param {readonly string[]} expected */
function leftovers(folder, expected) {
  const more = readdirSync(folder).filter(name => !expected.includes(name))
  return more.length === 0 ? [] : [`left behind after the next save: ${more.join(', ')}`]
}

/**
 * Makes the next save, which must not wait for a lock whose holder has ended.
 * @param {(clock: ReturnType<typeof noWaitClock>) => Promise<unknown>} save
 * @returns {Promise<readonly string[]>}
 */
export async function nextSave(save) {
  const clock = noWaitClock()
  try {
    await save(clock)
    return clock.waits === 0 ? [] : [`a stuck lock: the next save waited ${clock.waits} times`]
  } catch (error) {
    return [`a stuck lock, or worse: the next save failed: ${String(error)}`]
  }
}

/** @returns {Action} */
function settings() {
  /** @type {Set<string>} */
  const saved = new Set()
  const read = (/** @type {string} */ folder) => JSON.parse(readFileSync(settingsOf(folder).path, 'utf8'))
  return {
    name: 'settings',
    prepare(folder) {
      saved.clear()
      write(folder, {
        'settings/s.json':
          '{\n  "other": { "kept": true },\n  "permissions": { "deny": ["Skill(never)"], "allow": ' + '[] }\n}\n',
      })
    },
    argv: (folder, turn) => [child, 'settings', folder, `t${turn}`],
    async check(folder, turn) {
      const lost = () => {
        const {
          other,
          permissions: { deny, allow },
        } = read(folder)
        if (allow.includes(`Skill(t${turn})`)) saved.add(`Skill(t${turn})`)
        return other.kept === true && deny.includes('Skill(never)') && [...saved].every(rule => allow.includes(rule))
          ? []
          : ['rules that were there are lost']
      }
      const failures = lost()
      const next = await nextSave(async clock => {
        const rules = permissionRules({ files: [settingsOf(folder)] })
        await rules.setup({ ...unused, host: processHost({ ...hostOf(folder), clock }) })
        rules.addRules({ behavior: 'allow', rules: [`Skill(n${turn})`], destination: 'userSettings' })
        await rules.save('userSettings')
      })
      saved.add(`Skill(n${turn})`)
      return [...failures, ...next, ...lost(), ...leftovers(`${folder}/settings`, ['s.json'])]
    },
  }
}

const none = () => {}
const unused = /** @type {any} */ ({
  signal: call.signal,
  report: none,
  hook: none,
  effect: none,
  invalidate: none,
  use: () => ({}),
})

/** @returns {Action} */
function trust() {
  /** @type {Set<string>} */
  const trusted = new Set()
  return {
    name: 'trust',
    prepare(folder) {
      trusted.clear()
      for (let at = 0; at < 20; at++) mkdirSync(`${folder}/projects/${at}`, { recursive: true, mode: 0o700 })
    },
    argv: (folder, turn) => [child, 'trust', folder, String(turn % 20)],
    async check(folder) {
      /** @type {readonly string[]} */
      let failures = []
      const next = await nextSave(async clock => {
        const state = openState(processHost({ ...hostOf(folder), clock }), {
          dir: `${folder}/state`,
          report: ({ message }) => (failures = [message]),
        })
        const found = new Set((await trustedFolders(state, call)).map(({ path }) => path))
        if ([...trusted].some(path => !found.has(path))) failures = ['a folder that was trusted is trusted no more']
        for (const path of found) trusted.add(path)
        await state.update('trust', value => value, call)
        await state.update('other', value => Number(value ?? 0) + 1, call)
      })
      return [...failures, ...next, ...leftovers(`${folder}/state`, ['trust.json', 'other.json'])]
    },
  }
}

/** @returns {Action} */
function usage() {
  let count = 0
  return {
    name: 'usage',
    prepare() {
      count = 0
    },
    argv: folder => [child, 'usage', folder],
    async check(folder) {
      /** @type {string[]} */
      const failures = []
      const next = await nextSave(async clock => {
        const state = openState(processHost({ ...hostOf(folder), clock }), {
          dir: `${folder}/state`,
          report: ({ message }) => failures.push(message),
        })
        const found = Number((await state.read('usage', call)) ?? 0)
        if (found !== count && found !== count + 1) failures.push(`the count was ${count} and is ${found}`)
        count = Number(await state.update('usage', value => Number(value ?? 0) + 1, call))
      })
      return [...failures, ...next, ...leftovers(`${folder}/state`, ['usage.json'])]
    },
  }
}

/** @returns {Action} */
function extraction() {
  return {
    name: 'extraction',
    prepare: () => {},
    argv: (folder, turn) => [child, 'extraction', folder, String(turn)],
    async check(folder, turn) {
      const next = await nextSave(() =>
        extractFolder({ folder: `${folder}/extracted`, files: bundledFiles(`${turn} again`) }),
      )
      const torn = Object.entries(bundledFiles(`${turn} again`)).some(
        ([path, text]) => readFileSync(`${folder}/extracted/${path}`, 'utf8') !== text,
      )
      const left = readdirSync(folder).filter(name => name.startsWith('extracted.'))
      return [
        ...next,
        ...(torn ? ['an extracted file is not whole'] : []),
        ...(left.length === 0 ? [] : [`left behind after the next extraction: ${left.join(', ')}`]),
      ]
    },
  }
}

/**
 * @param {(folder: string, args: readonly string[]) => Promise<{ readonly code: number | null, readonly output: string
 * }>} run @returns {Action}
 */
function lintFix(run) {
  const path = 'work/.claude/skills/a/SKILL.md'
  const old = `---\ndescription: Use it: now\n---\n${'A line.\n'.repeat(500)}`
  let repaired = ''
  return {
    name: 'lint --fix',
    prepare: folder => write(folder, { [path]: old, 'work/.git/HEAD': '' }),
    argv: folder => programArgs(folder, ['lint', '--fix']),
    async check(folder) {
      const text = readFileSync(`${folder}/${path}`, 'utf8')
      const { code, output } = await run(folder, programArgs(folder, ['lint', '--fix']))
      const now = readFileSync(`${folder}/${path}`, 'utf8')
      if (repaired === '') repaired = now
      writeFileSync(`${folder}/${path}`, old)
      return [
        ...(text === old || text === repaired ? [] : ['a skill file is neither the old nor the repaired one']),
        ...leftovers(`${folder}/work/.claude/skills/a`, ['SKILL.md']),
        ...(code === 0 && now === repaired && now !== old ? [] : [`the next repair ended with ${code}: ${output}`]),
      ]
    },
  }
}

/**
 * @param {(folder: string, args: readonly string[]) => Promise<{ readonly code: number | null, readonly output: string
 * }>} run @returns {Action}
 */
function scaffold(run) {
  return {
    name: 'new',
    prepare: folder => write(folder, { 'work/.git/HEAD': '' }),
    argv: folder => programArgs(folder, ['new', 'made']),
    async check(folder) {
      const path = `${folder}/work/.claude/skills/made`
      const isThere = existsSync(path)
      const { code, output } = await run(folder, programArgs(folder, ['new', 'made']))
      const isWhole = existsSync(`${path}/SKILL.md`) && readFileSync(`${path}/SKILL.md`, 'utf8').includes('# made')
      rmSync(path, { recursive: true, force: true })
      const left = existsSync(`${folder}/work/.claude/skills`) ? leftovers(`${folder}/work/.claude/skills`, []) : []
      return code === (isThere ? 1 : 0) && isWhole
        ? left
        : [
            `a new skill was ${isThere ? 'there' : 'not there'} after the kill, and the next one ended with ${code}, ` +
              `${isWhole ? 'whole' : 'not whole'}: ${output}`,
          ]
    },
  }
}

/** @returns {Action} */
function index() {
  const names = Array.from({ length: 40 }, (_, at) => `s${at}`)
  return {
    name: 'index',
    prepare: folder =>
      write(
        folder,
        Object.fromEntries(
          names.map(name => [`home/.claude/skills/${name}/SKILL.md`, `---\ndescription: Number ${name}.\n---\nBody.`]),
        ),
      ),
    argv: folder => [child, 'index', folder],
    async check(folder, turn) {
      /** @type {string[]} */
      const failures = []
      const skills = createSkills(
        standard({ host: hostOf(folder), onDiagnostic: ({ message }) => failures.push(message) }),
      )
      const { entries } = await skills.catalog()
      await skills.close()
      const missing = names.filter(name => !entries.some(entry => entry.name === name))
      write(folder, { [`home/.claude/skills/s${turn % 40}/SKILL.md`]: `---\ndescription: Turn ${turn}.\n---\nBody.` })
      return missing.length === 0 ? failures : [...failures, `missing after the kill: ${missing.join(', ')}`]
    },
  }
}

/**
 * @param {(folder: string, args: readonly string[]) => Promise<{ readonly code: number | null, readonly output: string
 * }>} run @returns {Action}
 */
function pack(run) {
  const manifest =
    '{\n  "name": "packed",\n  "version": "1.0.0",\n  "description": "Packed.",\n  "keywords": ' +
    '["claude-plugin"],\n  "files": ["skills"],\n  "skills": {}\n}\n'
  return {
    name: 'plugin pack',
    isSlow: true,
    prepare: folder =>
      write(folder, {
        'work/package.json': manifest,
        'work/skills/a/SKILL.md': '---\nname: a\ndescription: A skill of the plugin.\n---\nBody.\n',
        'work/README.md': '# packed\n',
      }),
    argv: folder => programArgs(folder, ['plugin', 'pack', `${folder}/work`]).filter((_, at) => at < 4),
    async check(folder) {
      const changed =
        readFileSync(`${folder}/work/package.json`, 'utf8') === manifest ? [] : ['the package file was changed']
      for (const name of readdirSync(folder)) if (name.endsWith('.tgz')) rmSync(`${folder}/${name}`)
      const { code, output } = await run(folder, [program, 'plugin', 'pack', `${folder}/work`])
      const packed = readdirSync(folder).filter(name => name.endsWith('.tgz'))
      for (const name of packed) rmSync(`${folder}/${name}`)
      const left = [
        ...leftovers(`${folder}/tmp`, []),
        ...readdirSync(folder)
          .filter(name => name.endsWith('.tmp'))
          .map(name => `left behind after the next pack: ${name}`),
      ]
      return code === 0 && packed.length === 1
        ? [...changed, ...left]
        : [...changed, `the next pack ended with ${code}: ${output}`]
    },
  }
}

/**
 * @param {(folder: string, args: readonly string[]) => Promise<{ readonly code: number | null, readonly output: string
 * }>} run @returns {readonly Action[]}
 */
export function allActions(run) {
  return [settings(), trust(), usage(), extraction(), lintFix(run), scaffold(run), index(), pack(run)]
}
