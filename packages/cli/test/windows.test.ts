import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { commandsOf, startedBy } from './sessions/sessions.js'
import { comparable, needsOthers, nodeExe, onLinux, onWindows } from './windows/wine.js'

const docs = path.resolve(import.meta.dirname, '../../../docs')
const pages = readdirSync(docs, { recursive: true, encoding: 'utf8' })
  .filter(name => name.endsWith('.md'))
  .toSorted()
const text = (page: string): string => readFileSync(path.join(docs, page), 'utf8')

/** Pages that Wine alone makes different, with the reason. */
const ofWine: Readonly<Record<string, string>> = { 'commands/doctor.md': 'Wine does not show a link to nothing.' }

// npm run windows: the built program with Windows' Node says what it says on Linux.
test
  .runIf(nodeExe !== undefined)
  .each(pages.filter(page => commandsOf(text(page)).length > 0 && ofWine[page] === undefined))(
  'who types the commands of %s on Windows sees what is seen on Linux',
  async page => {
    const [linux, windows] = [await startedBy(text(page), onLinux), await startedBy(text(page), onWindows)]
    const isCompared = (_one: unknown, at: number): boolean => !needsOthers(windows[at]?.output ?? '')
    const said = (all: typeof linux): readonly string[] =>
      all
        .filter(isCompared)
        .map(({ command, code, output, home }) => `$ ${command}\n${comparable(output, home)}[${code}]`)
    expect(windows.filter(isCompared)).not.toEqual([])
    expect(said(windows)).toEqual(said(linux))
  },
  300_000,
)
