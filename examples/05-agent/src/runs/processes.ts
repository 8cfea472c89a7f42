import { spawn, type ChildProcess } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { modelServer, type ModelAnswer, type ModelRequest, type ModelServer } from '@skills/testing/model-server'

const inRepository = (path: string): string => fileURLToPath(new URL(`../../../../${path}`, import.meta.url))

/** Makes a program of `child.ts`, or of another file, and all that it imports. */
export async function bundledChild(folder: string, file = 'child'): Promise<string> {
  await build({
    entryPoints: [fileURLToPath(new URL(`${file}.ts`, import.meta.url))],
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    external: ['bullmq', 'ioredis', 'pg'],
    mainFields: ['module', 'main'],
    platform: 'node',
    format: 'esm',
    logLevel: 'silent',
    tsconfig: inRepository('tsconfig.json'),
    banner: { js: "import { createRequire as make } from 'node:module'; const require = make(import.meta.url);" },
  })
  return `${folder}/${file.split('/').at(-1) ?? file}.mjs`
}

/** Answers as a model that calls Write, then Write and Look, and then says that the job is done. */
export function workAnswer({ body }: ModelRequest): ModelAnswer {
  const text = JSON.stringify(body['messages'])
  const run = /Do (job-\d+)\./.exec(text)?.[1] ?? 'none'
  const at = text.split('"role":"assistant"').length - 1
  const write = { id: `write_${at}`, name: 'Write', input: { run, at } }
  if (at === 0) return { text: 'I begin.', calls: [write] }
  if (at === 1) return { calls: [write, { id: 'look', name: 'Look', input: { run } }] }
  return { text: `${run} is done.` }
}

export interface Field {
  readonly folder: string
  readonly server: ModelServer
  /** Starts a process, and kills it at a request to the model or at an effect. Returns its output. */
  run(mode: 'start' | 'resume', options?: { readonly count?: number; readonly killAt?: number }): Promise<RanChild>
  /** Returns the effects so far, in order. */
  ledger(): Promise<readonly string[]>
}

export interface RanChild {
  readonly said: string
  readonly moments: number
  readonly wasKilled: boolean
}

/** Makes a folder with a skill that runs as a fork, and a model on loopback. */
export async function openField(program: string, folder: string): Promise<Field> {
  let child: ChildProcess | undefined
  let [moments, killAt] = [0, Infinity]
  const moment = (): void => {
    moments += 1
    if (moments >= killAt) child?.kill('SIGKILL')
  }
  const server = await modelServer('anthropic', request => {
    moment()
    return workAnswer(request)
  })
  await mkdir(`${folder}/home/.claude/skills/work`, { recursive: true })
  await writeFile(
    `${folder}/home/.claude/skills/work/SKILL.md`,
    '---\nname: work\ndescription: Does a job.\ncontext: fork\nbackground: true\n---\nDo $ARGUMENTS.\n',
  )
  return {
    folder,
    server,
    async run(mode, { count = 1, killAt: at = Infinity } = {}) {
      ;[moments, killAt] = [0, at]
      const started = spawn(process.execPath, [program, mode, folder, server.url, String(count)])
      child = started
      let [said, errors] = ['', '']
      started.stdout.setEncoding('utf8').on('data', (text: string) => {
        said += text
        for (let left = text.split('effect\n').length - 1; left > 0; left--) moment()
      })
      started.stderr.setEncoding('utf8').on('data', (text: string) => void (errors += text))
      const signal = await new Promise<string | null>(resolve => started.on('close', (_code, by) => resolve(by)))
      if (signal === null && started.exitCode !== 0) throw new Error(errors)
      return { said: said.replaceAll('effect\n', ''), moments, wasKilled: signal === 'SIGKILL' }
    },
    async ledger() {
      try {
        return (await readFile(`${folder}/ledger`, 'utf8')).split('\n').filter(line => line !== '')
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
        throw error
      }
    },
  }
}
