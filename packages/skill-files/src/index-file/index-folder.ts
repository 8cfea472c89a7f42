import { SkillsError, type Host } from '@skills/core'
import { isInside, plainFolder, statOf } from '@skills/fs'
import { cacheFolderOf } from '@skills/state'

/**
 * The folder of the indexes in the user's cache, absolute, forward slashes. It need not exist. Undefined without a home folder,
 * unless a variable names another one: a home folder that is not there is nobody's to make.
 */
export function indexFolderOf(host: Pick<Host, 'env' | 'home' | 'platform'>): string | undefined {
  try {
    const folder = `${cacheFolderOf(host)}/index`
    const isAtHome = host.home !== '' && isInside(folder, plainFolder(host.home))
    return isAtHome && statOf(host.home)?.isDirectory() !== true ? undefined : folder
  } catch (error) {
    if (SkillsError.is(error) && error.code === 'E_STATE') return undefined
    throw error
  }
}
