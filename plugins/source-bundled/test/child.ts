import fs from 'node:fs'
import { readFile } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { createSkills, processHost } from '@skills/core'
import { bundledSource, extractFolder } from '../src/index.js'

// A separate program, for tests with several processes: `node child.mjs <cacheDir> <task> <count>`. It writes `ready`,
// waits for a line, extracts, and writes where, and whether everything is there, or its error. The task `folder`
// extracts to that folder itself.
const [cacheDir = '', task = '', count = '3'] = process.argv.slice(2)
const die = (): never => {
  process.kill(process.pid, 'SIGKILL')
  // The signal may take a moment.
  for (;;) continue
}

const { openSync } = fs
let made = 0
if (task === 'die-before-moving') fs.renameSync = die
if (task === 'die-while-writing')
  fs.openSync = (path, flags, ...all) => {
    if (typeof flags === 'number' && (flags & fs.constants.O_CREAT) !== 0 && ++made > Number(count) / 2) die()
    return openSync(path, flags, ...all)
  }
syncBuiltinESMExports()

const names = Array.from({ length: Number(count) }, (_, at) => `folder-${at % 7}/file-${at}.txt`)
const textOf = (name: string): string => `The text of ${name}. `.repeat(20)
const skills = createSkills({
  host: processHost({ cwd: '/' }),
  onDiagnostic: ({ code, message }) => process.stderr.write(`${code}: ${message}\n`),
  plugins: [
    bundledSource({
      cacheDir,
      skills: [{ name: 'carrier', body: 'Carry.', files: Object.fromEntries(names.map(name => [name, textOf(name)])) }],
    }),
  ],
})

try {
  process.stdout.write('ready\n')
  if (task === 'wait') await new Promise(resolve => process.stdin.once('data', resolve))
  process.stdin.destroy()
  if (task === 'folder') await extractFolder({ folder: cacheDir, files: { a: 'a' } })
  const command = (await skills.catalog()).get('carrier')?.command
  if (command?.type !== 'prompt') throw new Error('There is no such skill.')
  await command.load('', { signal: new AbortController().signal })
  const texts = await Promise.all(names.map(name => readFile(`${command.baseDir}/${name}`, 'utf8')))
  process.stdout.write(
    `${command.baseDir} ${texts.every((text, at) => text === textOf(names[at] ?? '')) ? 'whole' : 'not whole'}`,
  )
} catch (error) {
  process.stdout.write(
    error instanceof Error && 'code' in error ? `${String(error.code)}: ${error.message}` : String(error),
  )
  process.exitCode = 1
}
