import { resolve } from 'node:path'
import { realPathOf } from '@skills/files/internal'
import { scaffoldPlugin, scaffoldSkill, standingOf, writeScaffold } from '@skills/authoring'
import { exitCodes, type Io } from '../../io.js'
import { newJson, printNew, printStanding, type NewSkill } from './text.js'
import { newSkillFolder } from './folder.js'
import { agentsAbout } from '../explain/agents.js'
import { printableLine } from '../../output/printable.js'
import { lookingFlags, refuseOptions } from '../../arguments/refuse-options.js'
import { asUsageError, UsageError } from '../../arguments/usage-error.js'
import { withEngine } from '../../engine/engine.js'
import { withShownPaths } from '../../output/shown-path.js'
import { writeJson } from '../../output/write-json.js'
import type { InvocationOf } from '../../arguments/invocation.js'
import type { command } from './command.js'

/** `skills new NAME`. See docs/reference/new-skills.md. */
export async function run(invocation: InvocationOf<typeof command>, io: Io): Promise<number> {
  const {
    args: [name = ''],
    has,
    text,
  } = invocation
  const [user, plugin] = [has('--user'), has('--plugin')]
  const [dir, description] = [text('--dir'), text('--description')]
  const { signal, cwd } = io
  if (dir !== undefined && user)
    throw new UsageError('Give --dir or --user, not both: each of them sets the folder of the new skill.')
  if (plugin && user)
    throw new UsageError('--user is for skills, not for plugins: leave it out, or name the folder with --dir.')
  if (plugin)
    refuseOptions(
      invocation,
      lookingFlags,
      `A new plugin goes into ${dir === undefined ? 'the working folder' : 'the folder of --dir'}, regardless of which skills there are`,
    )
  return withEngine(invocation, io, async ({ skills, agents }) => {
    const place = async (): Promise<string> =>
      newSkillFolder(await skills.catalog({ signal }), user ? 'user' : 'project', skills.host)
    const fields = has('--fields') ? { words: skills.words } : undefined
    const parent = dir !== undefined ? resolve(cwd, dir) : plugin ? skills.host.cwd : await place()
    const scaffold = await asUsageError(() =>
      (plugin ? scaffoldPlugin : scaffoldSkill)({ name, parent, description, fields, evals: has('--evals') }),
    )
    const written = await writeScaffold(scaffold, { signal, cwd: user ? undefined : skills.host.cwd })
    if ('problem' in written) {
      const { message, hint = '' } = written.problem
      io.stderr.write(`skills: ${printableLine(withShownPaths(`${message} ${hint}`, cwd))}\n`)
      return exitCodes.failed
    }
    const made: NewSkill = { name, isPlugin: plugin, folder: scaffold.folder, files: written.files }
    if (plugin) report(made)
    else {
      // Only a catalog with the new skill can tell which skill has its name.
      skills.invalidate()
      const path = `${scaffold.folder}/SKILL.md`
      const standing = standingOf(await skills.catalog({ signal }), path)
      const told = await agentsAbout(
        { name, path: realPathOf(path) ?? path },
        { skills, agents },
        { contextWindow: undefined, signal, looksForAgents: true },
      )
      report({ ...made, standing, agents: told, isUser: user })
      printStanding(standing, name, io)
    }
    return exitCodes.ok
  })

  function report(made: NewSkill): void {
    if (invocation.json) writeJson(newJson(made), io.stdout)
    else printNew(made, invocation, io)
  }
}
