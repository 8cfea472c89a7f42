import { SkillsError } from '@skills/core'
import { readLock, readManifest } from '@skills/install'
import { again, quoted } from '../engine/again.js'
import { withEngine } from '../engine/engine.js'
import { exitCodes, type Io } from '../io.js'
import { refText } from '../output/ref-text.js'
import type { InstallContext } from '@skills/install/internal'
import type { Invocation } from '../arguments/invocation.js'

/**
 * Runs work on installed skills. If it fails because a name is not installed, and agents find a skill of that name here,
 * the error says which skill that is, and that `explain` knows more.
 * @throws what the work throws
 */
export async function orFoundInstead<T>(
  invocation: Invocation,
  io: Io,
  { place }: InstallContext,
  work: () => T | Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!SkillsError.is(error) || error.code !== 'E_INSTALL_NOT_FOUND') throw error
    const installed = { ...readManifest(place.manifest).skills, ...readLock(place.lock, place.home) }
    const unknown = invocation.args.find(name => !Object.hasOwn(installed, name))
    const found = unknown === undefined ? undefined : await foundHere(unknown, invocation, io)
    if (found === undefined) throw error
    throw new SkillsError('E_INSTALL_NOT_FOUND', `${found} was not installed by skills add.`, {
      hint: `See everything about it: ${again(`explain ${quoted(unknown ?? '')}`, invocation, io)}`,
      cause: error,
    })
  }
}

/** Returns a skill of this name that agents find here, as a message names it. */
async function foundHere(name: string, invocation: Invocation, io: Io): Promise<string | undefined> {
  let found: string | undefined
  await withEngine(invocation, io, async ({ skills }) => {
    const command = (await skills.catalog()).get(name)?.command
    if (command !== undefined)
      found = refText(
        {
          name,
          source: command.source,
          ...(command.type === 'prompt' && command.filePath !== undefined && { path: command.filePath }),
        },
        io.cwd,
      )
    return exitCodes.ok
  })
  return found
}
