import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { tempTree, type TempTree } from '@skills/testing'
import { cleanEnv } from './built.js'
import { plain, runIn } from './console.js'

let tree: TempTree
afterEach(() => tree.dispose())

const root = fileURLToPath(new URL('../../..', import.meta.url))

interface Block {
  readonly language: string
  readonly text: string
  /** File name from the comment before the block. */
  readonly file?: string | undefined
}

/** Returns the blocks of a page, in order. */
function blocksOf(page: string): readonly Block[] {
  const blocks = /(?:<!-- file: (\S+) -->\n(?:<!-- from \S+ -->\n)?)?```(\w+)\n([^]*?)```/g
  return Array.from(page.matchAll(blocks), ([, file, language = '', text = '']) => ({ language, text, file }))
}

/** Links the built packages of this repository, as `npm install` would install them. */
function install(cwd: string, names: readonly string[]): void {
  for (const name of names) {
    const link = path.join(cwd, 'node_modules', name)
    mkdirSync(path.dirname(link), { recursive: true })
    symlinkSync(path.join(root, 'packages', path.basename(name)), link)
  }
}

/** Returns what a terminal of 80 columns shows for one command. */
async function played(command: string, cwd: string, home: string): Promise<string> {
  if (/^skills( |$)/.test(command)) {
    const argv = command.split(' ').slice(1)
    const { stdout, stderr } = await runIn(argv, { cwd, home, isTerminal: true, env: { PATH: process.env['PATH'] } })
    // oxlint-disable-next-line no-control-regex -- how far a slow machine is stands on a line that is erased
    return plain((stdout + stderr).replaceAll(/[^\n]*\r\u001b\[K/g, ''))
  }
  return execFileSync('sh', ['-c', `${command} 2>&1`], { cwd, env: cleanEnv({ HOME: home }), encoding: 'utf8' })
}

// Each page is followed exactly in an empty folder. UPDATE_README=1 writes the current output of the commands.
test.each(['skill-author', 'plugin-author', 'source-author', 'host-builder'])(
  'who follows the tutorial %s sees what it shows',
  async name => {
    const page = path.join(root, 'docs/tutorials', `${name}.md`)
    const text = readFileSync(page, 'utf8')
    tree = tempTree({ 'home/project/.git': { dir: true } })
    const home = `${tree.path}/home`
    const cwd = `${home}/project`
    let shown = text
    for (const { language, text: content, file } of blocksOf(text)) {
      if (file !== undefined) {
        mkdirSync(path.dirname(path.join(cwd, file)), { recursive: true })
        writeFileSync(path.join(cwd, file), content)
      } else if (language === 'sh') {
        for (const [, names = ''] of content.matchAll(/^npm install (?!--global)(.+)$/gm))
          install(cwd, names.split(' '))
      } else if (language === 'console') {
        let session = ''
        for (const [line, command = ''] of content.matchAll(/^\$ (.+)$/gm)) {
          const output = await played(command, cwd, home)
          session += `${line}\n${output.replaceAll(home, '/home/me')}${output === '' || output.endsWith('\n') ? '' : '\n'}`
        }
        shown = shown.replace(`\`\`\`console\n${content}\`\`\``, () => `\`\`\`console\n${session}\`\`\``)
      }
    }
    if (process.env['UPDATE_README'] === '1') writeFileSync(page, shown)
    expect(shown).toBe(readFileSync(page, 'utf8'))
  },
  // The contract of a source waits for a source that is supposed to hang.
  120_000,
)
