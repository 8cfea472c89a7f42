// @ts-check
import { readFile } from 'node:fs/promises'
import { defineProvider, loadResult, promptCommand, SkillsError } from '@skills/core'

/**
 * Skills of one file: `{ "name": { "description": "…", "text": "…" } }`.
 * @param {string} file
 */
export function jsonSource(file) {
  return defineProvider({
    kind: 'source',
    id: 'json',
    setup({ invalidate }) {
      /**
       * @param {AbortSignal} signal
       * @returns {Promise<Record<string, { description?: string, text: string }>>}
       */
      async function read(signal) {
        const text = await readFile(file, { encoding: 'utf8', signal }).catch(error => {
          if (error.code === 'ENOENT') return '{}'
          throw error
        })
        signal.throwIfAborted()
        return JSON.parse(text)
      }
      return {
        source: 'json',
        async list({ signal }) {
          const skills = Object.entries(await read(signal)).toSorted(([a], [b]) => (a < b ? -1 : 1))
          return loadResult({
            commands: skills.flatMap(([name, { description, text }]) =>
              description === undefined
                ? []
                : promptCommand({
                    name,
                    source: 'json',
                    description,
                    contentLength: Buffer.byteLength(text),
                    async load(_args, ctx) {
                      const template = (await read(ctx.signal))[name]?.text
                      if (template !== undefined) return { template }
                      invalidate()
                      throw new SkillsError('E_FILE_CHANGED', `The skill "${name}" is no longer in ${file}.`, {
                        hint: 'List the skills again.',
                      })
                    },
                  }),
            ),
            errors: skills.flatMap(([name, { description }]) =>
              description !== undefined
                ? []
                : {
                    severity: /** @type {const} */ ('error'),
                    type: /** @type {const} */ ('validation'),
                    code: 'no-description',
                    name,
                    message: `The skill "${name}" in ${file} has no description.`,
                  },
            ),
          })
        },
      }
    },
  })
}
