import { checkedPlugin, pluginFolder } from '../../engine/checked-plugin.js'
import { checkJson, printCheck } from '../../output/plugin-text.js'
import { exitCodes, type Io } from '../../io.js'
import { writeJson } from '../../output/write-json.js'
import type { Invocation } from '../../arguments/parse-arguments.js'

/** `skills plugin check [DIR]`. See docs/reference/plugins.md, "Publishing a plugin". */
export async function pluginCheck(invocation: Invocation, io: Io): Promise<number> {
  const check = await checkedPlugin(pluginFolder(invocation, io), invocation.has('--npm'), io)
  if (invocation.json) writeJson(checkJson(check), io.stdout)
  else printCheck(check, invocation, io)
  return check.counts.errors > 0 ? exitCodes.failed : exitCodes.ok
}
