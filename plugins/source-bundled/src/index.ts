import { extractFolderOptions, type ExtractFolderOptions } from './extract-folder-options.js'

export type { BundledFiles, BundledSkill } from './bundled-skill.js'
export { bundledSource, type BundledSourceOptions } from './bundled-source.js'
export type { ExtractFolderOptions } from './extract-folder-options.js'

/**
 * Extracts files to a folder with a fixed name. A source can then read the folder like any other. If the marker in the
 * folder shows that it was made from other files, the folder is made again, and changes of users in it are lost.
 * Returns true if the folder was made. See docs/reference/bundled.md, "Bundled skills".
 *
 *     await extractFolder({ folder: `${home}/.notes/skills-bundled`, files: { 'greet/SKILL.md': text } })
 *
 * @throws SkillsError `E_INVALID_OPTION` for a path outside the folder; `E_STATE` if the existing folder was not
 * extracted, or if the system refuses; `E_FILE_CHANGED` if a folder of files cannot be read
 */
export async function extractFolder(given: ExtractFolderOptions): Promise<boolean> {
  const options = extractFolderOptions.read(given)
  const { extractFolderNow } = await import('./extract-folder.js')
  return extractFolderNow(options)
}
