// @ts-check
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { defineProvider } from '@skills/core'
import { Invoker } from '@skills/invocation'
import { engineIn } from '../engine.mjs'

/** @typedef {import('./bash-batch.mjs').Call} Call */
/** @typedef {{ readonly scripts: readonly string[], readonly args: string, readonly isOfPlugin: boolean }} Skill */

const fence = '``````'

/**
 * Invokes skills as a program does: with files on disk, an engine of the standard distribution, and everything trusted.
 * @param {readonly Skill[]} skills
 * @param {{ folder: string, bash: string, work: string, path: string, isRun: boolean, setting: string }} options
 *   `isRun`: whether embedded commands run, or permission is only asked for them; `setting`: the user's setting of the
 *   plugin
 * @returns {Promise<{ calls: readonly (readonly Call[])[], failures: readonly string[] }>} the calls that each skill
 *   would make
 */
export async function invokeSkills(skills, { folder, bash, work, path, isRun, setting }) {
  const plugin = `${folder}/home/acme`
  writeSkill(
    `${plugin}/.claude-plugin/plugin.json`,
    JSON.stringify({
      name: 'acme',
      version: '1.0.0',
      userConfig: { given: { type: 'string', title: 'Given', description: 'A text.' } },
    }),
  )
  for (const [at, { scripts, isOfPlugin }] of skills.entries()) {
    writeSkill(
      `${isOfPlugin ? `${plugin}/skills` : `${folder}/home/.claude/skills`}/s${at}/SKILL.md`,
      textOf(at, scripts),
    )
  }
  /** @type {Call[]} */
  let asked = []
  const permission = defineProvider({
    kind: 'permission',
    id: 'attack',
    setup: () => ({
      check({ tool, content, values = {} }) {
        if (tool !== 'Skill') asked.push({ script: content, values })
        const behavior = tool === 'Skill' || isRun ? 'allow' : 'deny'
        return { behavior, message: 'It is an attack.', decisionReason: { type: 'default' } }
      },
    }),
  })
  const { engine } = engineIn(
    { cwd: work, home: `${folder}/home`, path },
    {
      permission,
      shell: { programs: { bash }, timeoutMs: 20_000 },
      published: { plugins: [{ path: plugin, from: 'user', config: { given: setting } }] },
    },
  )
  const invoker = new Invoker(engine)
  const calls = []
  const failures = []
  try {
    for (const [at, { args, isOfPlugin }] of skills.entries()) {
      asked = []
      try {
        await invoker.invoke({ name: isOfPlugin ? `acme:s${at}` : `s${at}`, args, caller: 'user' })
      } catch (error) {
        failures.push(error instanceof Error ? `${error.message}` : String(error))
      }
      calls.push(asked)
    }
  } finally {
    await engine.close()
    rmSync(`${folder}/home`, { recursive: true, force: true })
  }
  return { calls, failures }
}

/** @param {number} at @param {readonly string[]} scripts */
function textOf(at, scripts) {
  const commands = scripts.map(script =>
    /[\n`]|\\$/.test(script) ? `${fence}!\n${script}\n${fence}` : `!\`${script}\``,
  )
  return `---\nname: s${at}\ndescription: Tries something.\narguments: [x, item]\n---\n${commands.join('\n\n')}\n`
}

/** @param {string} path @param {string} text */
function writeSkill(path, text) {
  mkdirSync(path.slice(0, path.lastIndexOf('/')), { recursive: true })
  writeFileSync(path, text)
}
