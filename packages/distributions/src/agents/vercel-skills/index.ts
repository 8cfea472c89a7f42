import { defineDistribution } from '../../define-distribution.js'
import { fileParts, largeFile, readAsFile } from '../../read-as-file.js'
import { projectFolders, userFolders } from './folders.js'
import { vercelFrontmatter } from './frontmatter.js'
import type { Host } from '@skills/core'
import type { AgentFolder } from '@skills/files/internal'

const inProject = projectFolders.map((folder): AgentFolder => ({ name: '.', skills: [folder] }))

/** Returns the user's folders. A variable of an agent moves its folder. */
function ofUser({ env, home }: Host): readonly AgentFolder[] {
  const base = (name: string, usual: string): string => env[name]?.trim() || `${home}/${usual}`
  const own = [
    ['CLAUDE_CONFIG_DIR', '.claude'],
    ['XDG_CONFIG_HOME', '.config'],
  ] as const
  return userFolders.map((folder): AgentFolder => {
    const [name, usual] = own.find(([, start]) => folder.startsWith(`${start}/`)) ?? []
    return name === undefined
      ? { name: '.', skills: [folder] }
      : { name: base(name, usual), skills: [folder.slice(usual.length + 1)] }
  })
}

/**
 * Distribution that follows the program `skills`, which fills the folders of many agents. It lists the skills in the
 * folders of all of them, in the working folder and in the home folder, one of each name in both. See
 * docs/reference/distributions.md, "Distributions", and docs/conformance.md.
 */
export const vercelSkills = defineDistribution({
  ...readAsFile,
  name: 'vercel-skills',
  checked: { program: 'skills', version: '1.7.4', on: '2026-11-22' },
  says: 'the folders of every agent that it fills',
  tellsCaseTwins: true,
  precedence: ['project', 'user'],
  qualifyLosers: true,
  identityOf: (_file, { name, source }) => `${source}:${name}`,
  layout: {
    walk: 'flat',
    otherCase: 'report',
    skipped: [],
    fileBytes: largeFile,
    dialect: vercelFrontmatter,
    names: 'field',
    fallback: { from: 'nothing', otherwise: '' },
    fields: { only: ['name', 'description'] },
  },
  plugins: [['project', { folders: inProject, reach: 'working-folder' }], ['user', { folders: ofUser }], ...fileParts],
})
