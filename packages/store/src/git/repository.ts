import { SkillsError } from '@skills/core'
import { lstat } from 'node:fs/promises'
import type { Stats } from 'node:fs'

/**
 * Returns the folder in which git keeps a repository, or undefined if nothing is at the path. Refuses a repository that
 * refers to the objects of another repository, because files of the other repository would then be read as its own.
 */
export async function gitFolder(repository: string): Promise<string | undefined> {
  if ((await statsOf(repository)) === undefined) return undefined
  const inner = await statsOf(`${repository}/.git`)
  if (inner !== undefined && !inner.isDirectory()) throw elsewhere(`${repository}/.git`)
  const folder = inner === undefined ? repository : `${repository}/.git`
  const objects = await statsOf(`${folder}/objects`)
  if (objects === undefined || (await statsOf(`${folder}/HEAD`)) === undefined)
    throw new SkillsError('E_GIT_REPOSITORY', `${repository} is not a git repository.`, {
      hint: 'Give the path of a clone; a bare clone works too.',
    })
  if (!objects.isDirectory()) throw elsewhere(`${folder}/objects`)
  for (const file of ['objects/info/alternates', 'commondir'])
    if ((await statsOf(`${folder}/${file}`)) !== undefined) throw elsewhere(`${folder}/${file}`)
  return folder
}

function elsewhere(path: string): SkillsError {
  return new SkillsError('E_GIT_REPOSITORY', `${path} leads to another repository.`, {
    hint: 'Name that repository, or make a clone without --shared, --reference and worktrees.',
  })
}

async function statsOf(path: string): Promise<Stats | undefined> {
  return lstat(path).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return undefined
    throw error
  })
}
