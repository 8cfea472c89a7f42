// @ts-check
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, linkSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { openState, trustFolder } from '@skills/distributions/trust'
import { Invoker } from '@skills/invocation'
import { engineIn } from './engine.mjs'
import { scriptSwaps } from './swaps/scripts.mjs'

/** The words that the two skills write when they run. Rules allow both; only one of them is approved. */
const good = 'approved'
const evil = 'replaced'

/** Times the planned invocations, after which a run of the approved skill is not waited for any more. */
const mostLonger = 50

/** @type {import('./attack.d.ts').Attack} */
export const attack = {
  name: 'swaps',
  title: 'an approved skill of a project is exchanged for another while it is invoked: only approved bytes run',
  counts: { short: 400, long: 20_000 },
  async run({ count, seed, folder, progress }) {
    prepare(folder)
    const rules = { allow: ['Skill(dep)', 'Bash(printf:*)'] }
    const { host, engine } = engineIn({ cwd: `${folder}/repo`, home: `${folder}/home` }, { rules })
    await trustFolder(openState(host, { report: () => {} }), host.cwd, host)
    let answer = /** @type {'allow' | 'deny'} */ ('allow')
    // An approval is for good only if the host saves it.
    const invoker = new Invoker(engine, {
      onAsk: async ({ approve }) => {
        if (answer === 'allow') await approve?.()
        return answer
      },
    })
    const invoke = async () => JSON.stringify((await invoker.invoke({ name: 'dep', caller: 'user' })).newMessages)
    if (!(await invoke()).includes(good))
      throw new Error('The skill does not run where no one touches it: the attack ' + 'would prove nothing.')
    answer = 'deny'

    const swapper = spawn(
      process.execPath,
      [path.join(import.meta.dirname, 'swaps/swapper.mjs'), folder, String(seed)],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    )
    const ended = once(swapper, 'exit')
    /** @type {Map<string, number>} */
    const outcomes = new Map()
    const failures = []
    let tried = 0
    try {
      // On a busy machine the swaps may outrun every look for a while: it goes on until an approved skill has run.
      for (; tried < count || (!outcomes.has(good) && tried < count * mostLonger); tried += 1) {
        const outcome = await outcomeOf(invoke)
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
        if (outcome === evil) failures.push(`invocation ${tried} ran the skill that was not approved`)
        // For a moment there may have been no skill, and nothing watches the folder.
        if (outcome === 'E_UNKNOWN_NAME') await engine.refresh()
        if (swapper.exitCode !== null) throw new Error('What exchanges the skills has ended.')
        progress(tried + 1)
      }
    } finally {
      swapper.kill('SIGKILL')
      await ended
      await engine.close()
    }
    if (!outcomes.has(good)) failures.push('no invocation ran what was approved, so that nothing was tried')
    const scripts = await scriptSwaps(`${folder}/scripts`, Math.ceil(count / 20))
    const told = [...outcomes].map(([name, times]) => [`invocations that ended with ${name}`, times])
    return {
      tried,
      failures: [...failures, ...scripts.failures],
      figures: { ...Object.fromEntries(told), ...scripts.figures },
    }
  },
}

/** @param {() => Promise<string>} invoke */
async function outcomeOf(invoke) {
  try {
    const text = await invoke()
    if (text.includes(evil)) return evil
    return text.includes(good) ? good : 'nothing run'
  } catch (error) {
    return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : String(error)
  }
}

/**
 * Makes a trusted project with the approved skill and its replacement. Both are in the project, so that links to them
 * count as its own.
 */
/** @param {string} folder */
function prepare(folder) {
  const time = new Date(1_700_000_000_000)
  for (const [name, word] of [
    ['good', good],
    ['evil', evil],
  ]) {
    mkdirSync(`${folder}/store/${name}`, { recursive: true })
    const file = `${folder}/store/${name}/SKILL.md`
    // The words never occur whole in the text of a skill: the command puts them together.
    const half = (word ?? '').length / 2
    const command = `printf %s%s ${word?.slice(0, half)} ${word?.slice(half)}`
    writeFileSync(file, `---\nname: dep\ndescription: Deploys.\n---\n!\`${command}\`\n`)
    utimesSync(file, time, time)
  }
  for (const one of ['home', 'repo/.git', 'repo/.claude/skills/dep']) mkdirSync(`${folder}/${one}`, { recursive: true })
  writeFileSync(`${folder}/repo/.git/HEAD`, '')
  cpSync(`${folder}/store`, `${folder}/repo/store`, { recursive: true, preserveTimestamps: true })
  linkSync(`${folder}/store/good/SKILL.md`, `${folder}/repo/.claude/skills/dep/SKILL.md`)
}
