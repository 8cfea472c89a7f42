// @ts-check
// node child.mjs ACTION FOLDER ARGUMENT: saves something once through the library, in a process that can be killed.
import fs from 'node:fs'
import { createSkills, processHost } from '@skills/core'
import { standard } from '@skills/distributions'
import { openState, trustFolder } from '@skills/distributions/trust'
import { permissionRules } from '@skills/permission-rules'
import { extractFolder } from '@skills/source-bundled'
import { bundledFiles, hostOf, settingsOf } from './places.mjs'

const [action = '', folder = '', argument = ''] = process.argv.slice(2)
const call = { signal: new AbortController().signal }
const host = processHost(hostOf(folder))
const state = openState(host, { dir: `${folder}/state`, report: () => {} })

/** @type {Readonly<Record<string, () => unknown>>} */
const actions = {
  async settings() {
    const rules = permissionRules({ files: [settingsOf(folder)] })
    rules.addRules({ behavior: 'allow', rules: [`Skill(${argument})`], destination: 'userSettings' })
    await rules.save('userSettings')
  },
  trust: () => trustFolder(state, `${folder}/projects/${argument}`, host, call),
  usage: () => state.update('usage', value => Number(value ?? 0) + 1, call),
  extraction: () => extractFolder({ folder: `${folder}/extracted`, files: bundledFiles(argument) }),
  async index() {
    const skills = createSkills(standard({ host: hostOf(folder), onDiagnostic: () => {} }))
    await skills.catalog()
    await skills.close()
  },
  /** Stops while it holds the lock, until it is told to continue. */
  stop: () =>
    state.update(
      'usage',
      value => {
        fs.writeFileSync(`${folder}/held`, '')
        process.kill(process.pid, 'SIGSTOP')
        return Number(value ?? 0) + 1
      },
      call,
    ),
}

try {
  await actions[action]?.()
} catch (error) {
  process.stdout.write(error instanceof Error && 'code' in error ? String(error.code) : String(error))
  process.exitCode = 1
}
