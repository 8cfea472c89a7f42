import { defineDistribution } from '../../define-distribution.js'
import { fileParts, largeFile, readAsFile } from '../../read-as-file.js'
import { geminiFrontmatter } from './frontmatter.js'
import { geminiSettings } from './settings.js'

const folders = [{ name: '.agents' }, { name: '.gemini' }]

/**
 * Distribution that follows Gemini CLI: skills of `.agents`, then of `.gemini`, first in the working folder and then in
 * the home folder, one folder deep. Name and description are read as YAML, or else as lines. Skills in
 * `skills.disabled` of its settings are not listed to a model. See docs/reference/distributions.md, "Distributions",
 * and docs/conformance.md.
 */
export const geminiCli = defineDistribution({
  ...readAsFile,
  name: 'gemini-cli',
  checked: { program: 'Gemini CLI', version: '0.61.0', on: '2026-11-22' },
  traces: { programs: ['gemini'], home: ['.gemini'], project: ['.gemini', 'GEMINI.md'] },
  says: '`.agents` and `.gemini` of the working folder and of the user, one folder deep, both fields required',
  precedence: ['project', 'user'],
  layout: {
    nested: true,
    mayBeSkill: true,
    depth: 1,
    otherCase: 'report',
    fileBytes: largeFile,
    dialect: geminiFrontmatter,
    names: 'field',
    fallback: { from: 'nothing', otherwise: '' },
    fields: { only: ['name', 'description'], keepsSpace: true },
  },
  plugins: [geminiSettings, ['project', { folders, reach: 'working-folder' }], ['user', { folders }], ...fileParts],
})
