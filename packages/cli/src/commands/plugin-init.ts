import { resolve } from 'node:path'
import { messageOf, SkillsError } from '@skills/core'
import { initPlugin } from '@skills/inspect'
import { exitCodes, type Io } from '../io.js'
import { oneLine } from '../printable.js'
import { printInitialized } from '../plugin-text.js'
import { UsageError } from '../usage-error.js'
import { withShownPaths } from '../shown-path.js'
import { writeJson } from '../write-json.js'
import type { Invocation } from '../parse-arguments.js'

/** `skills plugin init [NAME]`. See docs/reference.md, "Publishing a plugin". */
export async function pluginInit(invocation: Invocation, io: Io): Promise<number> {
  const { args: [name], cwd = '.' } = invocation
  const { signal } = io
  const folder = resolve(io.cwd, cwd, name === undefined ? '.' : name.replace(/^@[^/]*\//, ''))
  const made = await understood(() => initPlugin({ folder, name, description: invocation.text('--description'), signal }))
  if ('problem' in made) {
    const { message, hint = '' } = made.problem
    io.stderr.write(`skills: ${oneLine(withShownPaths(`${message} ${hint}`, io.cwd))}\n`)
    return exitCodes.failed
  }
  if (invocation.json) writeJson(made, io.stdout)
  else printInitialized(made, invocation, io)
  return exitCodes.ok
}

/** A name or a description that is not accepted is an argument that is not understood. */
async function understood<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (SkillsError.is(error) && error.code === 'E_INVALID_OPTION') throw new UsageError(messageOf(error), { cause: error })
    throw error
  }
}
