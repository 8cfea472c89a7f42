import { constants } from 'node:fs'
import { open, readdir, realpath, stat } from 'node:fs/promises'
import {
  defineProvider,
  loadResult,
  messageOf,
  SkillsError,
  type Command,
  type Diagnostic,
  type FileIdentity,
  type PromptCommand,
  type Provider,
} from '@skills/core'

const headBytes = 4096

/** Makes a source of skill files that uses only Node, as a third party might write it. It keeps every rule. */
export function smallFileSource(root: string): Provider<'source'> {
  return defineProvider({
    kind: 'source',
    id: 'small',
    setup: ({ invalidate }) => ({
      source: 'user',
      async list({ signal }) {
        signal.throwIfAborted()
        const commands: Command[] = []
        const errors: Diagnostic[] = []
        let names: readonly string[] = []
        try {
          names = (await readdir(root)).toSorted()
        } catch (error) {
          if (!isMissing(error))
            errors.push({ severity: 'error', type: 'io', code: 'unreadable', path: root, message: messageOf(error) })
        }
        for (const name of names) {
          signal.throwIfAborted()
          const path = `${root}/${name}/SKILL.md`
          try {
            commands.push(await readCommand(name, path, invalidate))
          } catch (error) {
            errors.push({
              severity: 'error',
              type: 'parse',
              code: 'unreadable',
              name,
              path,
              line: 1,
              message: messageOf(error),
            })
          }
        }
        signal.throwIfAborted()
        return loadResult({ commands, errors })
      },
    }),
  })
}

async function readCommand(
  name: string,
  filePath: string,
  invalidate: (paths: readonly string[]) => void,
): Promise<PromptCommand> {
  // Without O_NONBLOCK, opening a pipe waits for a writer.
  const handle = await open(filePath, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const stats = await handle.stat()
    if (!stats.isFile()) throw new TypeError(`${filePath} is no file.`)
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(headBytes), 0, headBytes, 0)
    const [head, description] =
      /^---\n(?:.*\n)*?description: (.*)\n(?:.*\n)*?---\n/.exec(buffer.toString('utf8', 0, bytesRead)) ?? []
    if (head === undefined || description === undefined) throw new SyntaxError(`${filePath} has no frontmatter.`)
    const { dev, ino, size, mtimeMs, ctimeMs } = stats
    const file: FileIdentity = { realPath: await realpath(filePath), dev, ino, size, mtimeMs, ctimeMs }
    return {
      type: 'prompt',
      name,
      displayName: name,
      aliases: [],
      description,
      hasUserSpecifiedDescription: true,
      source: 'user',
      loadedFrom: 'skills',
      userInvocable: true,
      isHidden: false,
      isEnabled: () => true,
      argumentNames: [],
      contentLength: size - Buffer.byteLength(head),
      allowedTools: [],
      disallowedTools: [],
      context: 'inline',
      paths: [],
      shell: 'bash',
      requires: [],
      disableModelInvocation: false,
      isSkill: true,
      progressMessage: 'loading',
      metadata: {},
      filePath,
      file,
      async load(_args, { signal }) {
        signal.throwIfAborted()
        try {
          await stat(filePath)
          const whole = await open(filePath)
          const text = await whole.readFile({ encoding: 'utf8' }).finally(() => whole.close())
          signal.throwIfAborted()
          return { template: text.slice(text.indexOf('\n---\n') + '\n---\n'.length) }
        } catch (error) {
          if (!isMissing(error)) throw error
          invalidate([filePath])
          throw new SkillsError('E_FILE_CHANGED', `The skill "${name}" is gone.`, {
            hint: 'List the skills again.',
            cause: error,
          })
        }
      },
    }
  } finally {
    await handle.close()
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
