import { extractFolderOptions, type ExtractFolderOptions } from './extract-folder.js'

export type { BundledFiles, BundledSkill } from './bundled-skill.js'
export { bundledSource, type BundledSourceOptions } from './bundled-source.js'
export type { ExtractFolderOptions } from './extract-folder.js'

/**
 * Extracts files to one folder of a fixed name, which is then scanned like any other, and makes it anew whenever what
 * it was made of, which a marker in it says, differs. What users have changed in it is lost then. True when it was
 * made. See docs/reference/bundled.md, "Bundled skills".
 *
 *     await extractFolder({ folder: `${home}/.notes/skills-bundled`, files: { 'greet/SKILL.md': text } })
 *
 * @throws SkillsError `E_INVALID_OPTION` for a path outside the folder, `E_STATE` when something is there that was not
 * extracted
 *   before, or the system refuses; `E_FILE_CHANGED` when a folder of files cannot be read
 */
export async function extractFolder(given: ExtractFolderOptions): Promise<boolean> {
  const options = extractFolderOptions.read(given)
  const { extractFolderNow } = await import('./extract-folder.js')
  return extractFolderNow(options)
}
