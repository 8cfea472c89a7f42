import { checkPluginFolder } from '@skills/authoring'
import { pluginFolder } from '../../arguments/plugin-folder.js'
import { checkJson, printCheck } from '../../output/plugin-text.js'
import { exitCodes, type Io } from '../../io.js'
import { writeJson } from '../../output/write-json.js'
import type { InvocationOf } from '../../arguments/invocation.js'
import type { command } from './command.js'

/** `skills plugin check [DIR]`. See docs/reference/plugins.md, "Publishing a plugin". */
export async function run(invocation: InvocationOf<typeof command>, io: Io): Promise<number> {
  const check = await checkPluginFolder(pluginFolder(invocation, io), invocation.has('--npm'), io)
  if (invocation.json) writeJson(checkJson(check), io.stdout)
  else printCheck(check, invocation, io)
  return check.counts.errors > 0 ? exitCodes.failed : exitCodes.ok
}
