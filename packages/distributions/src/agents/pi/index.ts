import { defineDistribution } from '../../define-distribution.js'
import { namedFolders } from '../../program-settings.js'
import { fileParts, largeFile, readAsFile } from '../../read-as-file.js'
import { piFrontmatter } from './frontmatter.js'
import { piBase, piFolders, piIgnores } from './settings.js'
import type { SkillReading } from '../../parts.js'

const agents = [{ name: '.agents' }]
const named = { settings: piFolders, base: piBase, root: { mayBeSkill: true }, order: -1 }

/**
 * Distribution that follows pi: skills of `.pi` in the working folder, of `.agents` up to the repository's root, then
 * of `~/.pi/agent` and `~/.agents`. The folders that a `settings.json` names come before those of the same place.
 * Markdown files beside folders of skills are skills too. `.gitignore`, `.ignore`, `.fdignore` and the settings leave
 * skills out. See docs/reference/distributions.md, "Distributions", and docs/conformance.md.
 */
export const pi = defineDistribution({
  ...readAsFile,
  name: 'pi',
  checked: { program: 'pi', version: '0.87.1', on: '2026-11-22' },
  // Other programs are called `pi` too.
  traces: { programs: [], home: ['.pi'], project: ['.pi'] },
  says: '`.pi` and `.agents`, loose Markdown files, ignore files, strict YAML',
  tellsCaseTwins: true,
  precedence: ['project', 'user'],
  layout: {
    mayBeSkill: true,
    otherCase: 'load',
    depth: Infinity,
    folders: Infinity,
    fileBytes: largeFile,
    dialect: piFrontmatter,
    names: 'field',
    fallback: { from: 'nothing', otherwise: '' },
    fields: { only: ['name', 'description', 'disable-model-invocation'], booleans: 'only-true' },
  },
  plugins: ({ host }) => {
    // Loose Markdown files, `skill.md` included, are skills: beside the folders of skills in pi's own folders, and
    // inside those folders in the ones shared by all agents.
    const walk = ({ layout }: SkillReading, isProject: boolean, loose: 'root' | 'below') => ({
      layout: {
        ignores: piIgnores(host, isProject),
        ...layout,
        loose,
        ...(loose === 'root' && { otherCase: 'report' as const }),
      },
    })
    return [
      how =>
        namedFolders({
          id: 'project-settings',
          source: 'project',
          isProject: true,
          ...named,
          ...how,
          ...walk(how, true, 'root'),
        }),
      [
        'project',
        how => ({
          folders: [{ name: '.pi' }],
          reach: 'working-folder' as const,
          id: 'project-pi',
          ...walk(how, true, 'root'),
        }),
      ],
      [
        'project',
        how => ({ folders: agents, reach: 'repository-or-all' as const, order: 1, ...walk(how, true, 'below') }),
      ],
      how =>
        namedFolders({
          id: 'user-settings',
          source: 'user',
          isProject: false,
          ...named,
          ...how,
          ...walk(how, false, 'root'),
        }),
      ['user', how => ({ folders: [{ name: '.pi/agent' }], id: 'user-pi', ...walk(how, false, 'root') })],
      ['user', how => ({ folders: agents, order: 1, ...walk(how, false, 'below') })],
      ...fileParts,
    ]
  },
})
