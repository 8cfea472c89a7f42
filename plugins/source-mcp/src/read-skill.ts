import { SkillsError } from '@skills/core'
import { oneLine } from '@skills/invocation/skill-tool'
import { untimed } from './connection.js'
import { reasonOf } from './read-offers.js'
import { isRefusal, type Requests } from './requests.js'
import type { McpSkillFiles } from './skill-files.js'
import type { Skill, SkillFile } from '@modelcontextprotocol/client/ext/skills'

/** Makes the reader for the files that an entry lists. The files are read only from the server of the entry. */
export function filesOf(name: string, entry: Skill, requests: Requests): McpSkillFiles {
  return {
    paths: pathsOf(entry),
    async read(path, { signal }) {
      const { file } = await readVerified(name, { entry, path }, requests, signal)
      return { bytes: file.bytes, mimeType: file.mimeType, isUnverified: !file.verified }
    },
  }
}

interface Wanted {
  readonly entry: Skill
  readonly path?: string | undefined
  readonly mayChange?: boolean
}

/**
 * Reads a file of a skill and checks its size and its digest. For `SKILL.md` it also checks that the frontmatter equals
 * the listed one. If the skill has changed since it was listed, the current entry is requested once. This is not done
 * if a person agreed to the listed entry, because a person has to be asked again about the changed skill.
 * @param wanted.path path of a file of the skill; undefined for its `SKILL.md`
 * @param wanted.mayChange true if no one was asked about the entry
 * @throws SkillsError `E_FILE_CHANGED` if the content is not what the server lists
 */
export async function readVerified(
  name: string,
  { entry, path, mayChange = false }: Wanted,
  requests: Requests,
  signal: AbortSignal,
): Promise<{ readonly file: SkillFile; readonly held: Skill }> {
  return requests.request(
    `Reading ${path === undefined ? 'the skill' : `the file "${oneLine(path)}" of the skill`} "${name}"`,
    async ({ skills }, limited) => {
      if (skills === undefined) throw changed(name, 'the server does not serve skills any more')
      const read = async (held: Skill): Promise<{ file: SkillFile; held: Skill }> => ({
        file: await skills.read(held, path, { ...untimed(limited), cacheMode: 'bypass' }),
        held,
      })
      try {
        return await read(entry).catch(async (error: unknown) => {
          // A supporting file belongs to the text that the model has. A changed one would belong to another skill.
          if (!mayChange || !isMismatch(error) || path !== undefined || entry.resources === 'dynamic') throw error
          requests.forget()
          const { skill } = await skills.get(entry.uri, untimed(limited))
          if (skill.resources === 'dynamic') throw error
          return read(skill)
        })
      } catch (error) {
        if (!isMismatch(error) && !isRefusal(error)) throw error
        requests.forget()
        throw changed(name, reasonOf(error), error)
      }
    },
    signal,
  )
}

function pathsOf({ uri, resources }: Skill): readonly string[] {
  if (resources === 'dynamic') return []
  const root = uri.slice(0, -'SKILL.md'.length)
  return resources.flatMap(file => (file.uri !== uri && file.uri.startsWith(root) ? [file.uri.slice(root.length)] : []))
}

function isMismatch(error: unknown): boolean {
  return error instanceof Error && error.name === 'SkillVerificationError'
}

function changed(name: string, reason: string, cause?: unknown): SkillsError {
  return new SkillsError('E_FILE_CHANGED', `The skill "${name}" is not what its MCP server lists: ${reason}.`, {
    hint: 'The skill is listed again now: invoke it once more. If that fails too, do not use this server.',
    cause,
  })
}
