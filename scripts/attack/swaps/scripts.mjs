// @ts-check
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, linkSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { openState, trustFolder } from '@skills/distributions/trust'
import { Invoker } from '@skills/invocation'
import { engineIn } from '../engine.mjs'

/** Milliseconds that the other script stays in place: less than a check and a start take, about as much, and more. */
const spells = [0.05, 0.5, 5]

/**
 * Exchanges a script beside an approved skill for another, again and again, while the skill that names it is invoked.
 * The script is compared just before it starts, so a script that was in place all along never runs. One that is
 * exchanged between the comparison and the start does run, which no system prevents; the figure says how often.
 * @param {string} folder
 * @param {number} count
 * @returns {Promise<{ failures: string[], figures: Record<string, string | number> }>}
 */
export async function scriptSwaps(folder, count) {
  const skill = `${folder}/repo/.claude/skills/dep`
  for (const name of [skill, `${folder}/repo/.git`, `${folder}/home`]) mkdirSync(name, { recursive: true })
  writeFileSync(`${skill}/SKILL.md`, '---\ndescription: Deploys.\n---\n!`"${CLAUDE_SKILL_DIR}"/run.sh`\n')
  for (const word of ['good', 'evil']) {
    writeFileSync(`${folder}/${word}.sh`, `#!/bin/sh\nprintf %s%s ran- ${word}\n`)
    chmodSync(`${folder}/${word}.sh`, 0o755)
  }
  const file = path.join(import.meta.dirname, 'swap-script.mjs')
  const swapper = (/** @type {number} */ ms) =>
    spawn(process.execPath, [file, folder, String(ms)], { stdio: ['ignore', 'ignore', 'inherit'] })
  put(folder, 'good', skill)
  const { host, engine } = engineIn(
    { cwd: `${folder}/repo`, home: `${folder}/home` },
    { rules: { allow: ['Skill(dep)', 'Bash'] } },
  )
  /** @type {string[]} */
  const failures = []
  /** @type {Record<string, string | number>} */
  const figures = {}
  try {
    await trustFolder(openState(host, { report: () => {} }), host.cwd, host)
    let answer = /** @type {'allow' | 'deny'} */ ('allow')
    // An approval is for good only if the host saves it.
    const invoker = new Invoker(engine, {
      onAsk: async ({ approve }) => {
        if (answer === 'allow') await approve?.()
        return answer
      },
    })
    const outcome = async () => {
      try {
        const text = JSON.stringify((await invoker.invoke({ name: 'dep', caller: 'user' })).newMessages)
        return text.includes('ran-evil') ? 'evil' : text.includes('ran-good') ? 'good' : 'nothing run'
      } catch (error) {
        return error instanceof Error && 'code' in error ? String(error.code) : String(error)
      }
    }
    if ((await outcome()) !== 'good')
      throw new Error('The script does not run where no one touches it: the attack ' + 'would prove nothing.')
    answer = 'deny'
    put(folder, 'evil', skill)
    for (let at = 0; at < 5; at += 1)
      if ((await outcome()) === 'evil') failures.push('a script that was exchanged long ' + 'before ran unasked')
    for (const ms of spells) {
      const child = swapper(ms)
      const ended = once(child, 'exit')
      const found = new Map()
      for (let at = 0; at < count; at += 1) {
        const one = await outcome()
        found.set(one, (found.get(one) ?? 0) + 1)
      }
      child.kill('SIGKILL')
      await ended
      const told = [...found].map(([name, times]) => `${name} ${times}`).join(', ')
      figures[`a script exchanged for ${ms} ms at a time, of ${count} invocations`] = told
    }
  } finally {
    await engine.close()
  }
  return { failures, figures }
}

/** @param {string} folder @param {string} word @param {string} skill */
function put(folder, word, skill) {
  linkSync(`${folder}/${word}.sh`, `${folder}/next`)
  renameSync(`${folder}/next`, `${skill}/run.sh`)
}
