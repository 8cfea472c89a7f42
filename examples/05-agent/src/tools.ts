import { execFile } from 'node:child_process'
import { readdir, readFile, realpath, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { tool, type ToolSet } from 'ai'
import { z } from 'zod'

const inputPath = z.string().describe('A path in the working folder.')

/** Makes four tools that work in one folder. They do not check permissions; the conversation does. */
export function tools(cwd: string): ToolSet {
  return {
    Read: tool({
      description: 'Reads a text file.',
      inputSchema: z.object({ path: inputPath }),
      execute: async ({ path: given }, { abortSignal }) =>
        readFile(await inside(cwd, given), { encoding: 'utf8', signal: abortSignal }),
    }),
    Write: tool({
      description: 'Writes a text file, over one that is there.',
      inputSchema: z.object({ path: inputPath, content: z.string() }),
      async execute({ path: given, content }, { abortSignal }) {
        await writeFile(await inside(cwd, given), content, { signal: abortSignal })
        return `Wrote ${content.length} characters.`
      },
    }),
    Search: tool({
      description: 'Finds the lines that contain a text, in a file or a folder.',
      inputSchema: z.object({ path: inputPath, text: z.string() }),
      execute: async ({ path: given, text }) =>
        (await linesWith(cwd, await inside(cwd, given), text)).slice(0, 100).join('\n') || 'No line contains it.',
    }),
    Bash: tool({
      description: 'Runs a command in the working folder.',
      inputSchema: z.object({ command: z.string() }),
      async execute({ command }, { abortSignal }) {
        const { stdout, stderr } = await promisify(execFile)('bash', ['-c', command], {
          cwd,
          timeout: 120_000,
          signal: abortSignal,
        })
        return [stdout, stderr].join('').trimEnd()
      },
    }),
  }
}

/** Returns the text that permission rules are compared with. Each way to write a path gives the same text. */
export function contentOf(cwd: string, input: unknown): string {
  const fields = new Map<string, unknown>(typeof input === 'object' && input !== null ? Object.entries(input) : [])
  const [command, given] = [fields.get('command'), fields.get('path')]
  if (typeof command === 'string' && given === undefined) return command
  return typeof given === 'string' ? path.relative(cwd, path.resolve(cwd, given)) || '.' : JSON.stringify(input)
}

/** Returns the absolute path of a file in the folder. Throws if the path leads out of it, also through links. */
async function inside(cwd: string, given: string): Promise<string> {
  const whole = path.resolve(cwd, given)
  const real = await realpath(whole).catch(async () =>
    path.join(await realpath(path.dirname(whole)), path.basename(whole)),
  )
  const relative = path.relative(await realpath(cwd), real)
  if (relative.startsWith('..') || path.isAbsolute(relative)) throw new Error(`${given} is not in the working folder.`)
  return real
}

async function linesWith(cwd: string, place: string, text: string): Promise<readonly string[]> {
  if (!(await stat(place)).isDirectory()) {
    const lines = (await readFile(place, 'utf8')).split('\n')
    return lines.flatMap((line, at) => (line.includes(text) ? [`${path.relative(cwd, place)}:${at + 1}: ${line}`] : []))
  }
  const entries = await readdir(place, { withFileTypes: true })
  const shown = entries.filter(
    entry => !entry.isSymbolicLink() && !entry.name.startsWith('.') && entry.name !== 'node_modules',
  )
  return (await Promise.all(shown.map(({ name }) => linesWith(cwd, path.join(place, name), text)))).flat()
}
