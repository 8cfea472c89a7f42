import { dirname } from 'node:path/posix'
import { findProjectFolders } from '@skills/files'
import { pathOf, type Note, type Skills } from '@skills/core'
import { walkForSkills } from './skill-walk.js'

/**
 * Returns a note for each skill of a name that is found once a file below its folder is used. Finds the files of this
 * name in the project, reports them to the engine as an agent that uses them would, and explains the name again.
 * @param name name that the engine does not know
 */
export async function nestedNotes(
  name: string,
  skills: Skills,
  signal: AbortSignal | undefined,
): Promise<readonly Note[]> {
  if (!skills.use('source').ids.includes('nested')) return []
  const { files } = await walkForSkills(findProjectFolders(skills.host).top, signal)
  const wanted = files.filter(path => path.split('/').at(-2)?.toLowerCase() === name.toLowerCase())
  if (wanted.length === 0) return []
  skills.emit('file:touched', { paths: wanted })
  const { answers } = await skills.explain(name, { signal })
  return answers.flatMap(answer => {
    const { path } = answer.command === undefined ? answer : pathOf(answer.command)
    if (path === undefined || !wanted.includes(path)) return []
    // The folder that has the agent's own folder: of `api/.claude/skills/x/SKILL.md` it is `api`.
    const folder = dirname(dirname(dirname(dirname(path))))
    return [
      {
        path,
        text: `"${name}" lies elsewhere in the project: ${path}. The model is told of it, as ${answer.name}, once a file below ${folder} is used.`,
      },
    ]
  })
}
