import { resolve } from 'node:path'
import { initPlugin } from '@skills/authoring'
import { exitCodes, type Io } from '../../io.js'
import { printableLine } from '../../output/printable.js'
import { printInitialized } from '../../output/plugin-text.js'
import { asUsageError } from '../../arguments/usage-error.js'
import { withShownPaths } from '../../output/shown-path.js'
import { writeJson } from '../../output/write-json.js'
import type { InvocationOf } from '../../arguments/invocation.js'
import type { command } from './command.js'

/** `skills plugin init [NAME]`. See docs/reference/plugins.md, "Publishing a plugin". */
export async function run(invocation: InvocationOf<typeof command>, io: Io): Promise<number> {
  const {
    args: [name],
    cwd = '.',
  } = invocation
  const { signal } = io
  const folder = resolve(io.cwd, cwd, name === undefined ? '.' : name.replace(/^@[^/]*\//, ''))
  const made = await asUsageError(() =>
    initPlugin({
      folder,
      name,
      standard: invocation.has('--standard'),
      description: invocation.text('--description'),
      signal,
    }),
  )
  if ('problem' in made) {
    const { message, hint = '' } = made.problem
    io.stderr.write(`skills: ${printableLine(withShownPaths(`${message} ${hint}`, io.cwd))}\n`)
    return exitCodes.failed
  }
  if (invocation.json) writeJson(made, io.stdout)
  else printInitialized(made, invocation, io)
  return exitCodes.ok
}
