import { resolve } from 'node:path'
import { checkPluginFolder, packPlugin, scriptsOf } from '@skills/authoring'
import { pluginFolder } from '../../arguments/plugin-folder.js'
import { checkJson, printCheck, printPacked } from '../../output/plugin-text.js'
import { exitCodes, type Io } from '../../io.js'
import { writeJson } from '../../output/write-json.js'
import type { InvocationOf } from '../../arguments/invocation.js'
import type { command } from './command.js'

/** `skills plugin pack [DIR]`. See docs/reference/plugins.md, "Publishing a plugin". */
export async function run(invocation: InvocationOf<typeof command>, io: Io): Promise<number> {
  const folder = pluginFolder(invocation, io)
  const check = await checkPluginFolder(folder, true, io)
  if (check.counts.errors > 0) {
    if (invocation.json) writeJson({ ...checkJson(check), tarball: null }, io.stdout)
    else printCheck(check, invocation, io)
    io.stderr.write('skills: Nothing was packed, because the plugin has errors.\n')
    return exitCodes.failed
  }
  // `--out` is relative to the shell's folder, which completed the path, not to `--cwd`.
  const runsScripts = invocation.has('--scripts')
  const packed = await packPlugin(
    folder,
    check,
    { out: resolve(io.cwd, invocation.text('--out') ?? '.'), runsScripts, cwd: io.cwd },
    io,
  )
  const scripts = runsScripts ? [] : scriptsOf(folder)
  if (scripts.length > 0)
    io.stderr.write(
      `skills: ${scripts.join(' and ')} of package.json ${scripts.length === 1 ? 'was' : 'were'} not run: add --scripts to run the scripts for packing.\n`,
    )
  if (invocation.json)
    writeJson({ ...checkJson(check), tarball: packed.tarball, bytes: packed.bytes, packed: packed.files }, io.stdout)
  else printPacked(packed, check, invocation, io)
  return exitCodes.ok
}
