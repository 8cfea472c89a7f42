import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { loadResult, type LoadResult, type Provider } from '@skills/core'
import { fileSourceContract, runContract } from '@skills/testing'
import { testContract } from '@skills/testing/vitest'
import { describe, expect, test } from 'vitest'
import { smallFileSource } from '../../test/small-file-source.js'

const without = { refresh: 'It lists anew each time.' }

testContract(
  'a small source of files',
  fileSourceContract({ root: 'skills', provider: tree => smallFileSource(`${tree}/skills`), without }),
)

/** Returns the cases that fail when the result of the small source is changed, by name. */
async function failures(
  change: (result: LoadResult, root: string) => LoadResult | Promise<LoadResult>,
): Promise<readonly string[]> {
  const provider = (tree: string): Provider<'source'> => {
    const { setup, ...rest } = smallFileSource(`${tree}/skills`)
    return {
      ...rest,
      async setup(ctx) {
        const source = await setup(ctx)
        return { ...source, list: async call => change(await source.list(call), `${tree}/skills`) }
      },
    }
  }
  // These two cases would make thousands of files for each fault, and no fault depends on their number.
  const cases = fileSourceContract({ root: 'skills', provider, without }).filter(
    ({ name }) => name !== 'many' && name !== 'abort-list',
  )
  const outcomes = await runContract(cases)
  return outcomes.filter(({ outcome }) => outcome === 'failed').map(({ name, message }) => `${name}: ${message}`)
}

function pathsOf(result: LoadResult): readonly string[] {
  return result.commands.flatMap(command => (command.type === 'prompt' ? (command.filePath ?? []) : []))
}

describe('a source of files that', () => {
  test('reads whole files to list them fails "lazy-list" alone, however it reads', async () => {
    const few = (result: LoadResult): readonly string[] => (pathsOf(result).length === 20 ? pathsOf(result) : [])
    for (const readAll of [
      async (result: LoadResult) => {
        await Promise.all(few(result).map(path => readFile(path)))
        return result
      },
      (result: LoadResult) => {
        for (const path of few(result)) readFileSync(path)
        return result
      },
    ])
      expect(await failures(readAll)).toEqual([expect.stringMatching(/^lazy-list: .* \d{7} bytes of 20 /)])
  })

  test('opens a named pipe as if it were a file is freed, and fails "endless" alone', async () => {
    for (const waitForEnd of [(path: string) => readFile(path), (path: string) => readFileSync(path)]) {
      const failed = await failures(async (result, root) => {
        if (result.errors.some(({ name }) => name === 'endless')) await waitForEnd(`${root}/endless/SKILL.md`)
        return result
      })
      expect(failed).toEqual([expect.stringMatching(/^endless: ContractError: .* list\(\) .*"endless"/)])
    }
  })

  test('names a file that is not the one it read fails "identity" alone', async () => {
    const withFile = (file: object) => (result: LoadResult) =>
      loadResult({
        ...result,
        commands: result.commands.map(command =>
          command.type === 'prompt' && command.file !== undefined
            ? { ...command, file: { ...command.file, ...file } }
            : command,
        ),
      })
    expect(await failures(withFile({ size: 1 }))).toEqual([expect.stringMatching(/^identity: .*"alpha" .* 1 bytes/)])
    expect(await failures(withFile({ dev: -1 }))).toEqual([
      expect.stringMatching(/^identity: .*"alpha" .* -1 \(dev\); it has \d/),
    ])
    expect(await failures(withFile({ ctimeMs: 1 }))).toEqual([
      expect.stringMatching(/^identity: .*"alpha" .* 1 .*\(ctimeMs\); it has \d/),
    ])
    expect(await failures(withFile({ mtimeMs: 1 }))).toEqual([
      expect.stringMatching(/^identity: .*"alpha" .* 1 .*\(mtimeMs\); it has \d/),
    ])
    expect(
      await failures(result =>
        loadResult({
          ...result,
          commands: result.commands.map(command =>
            command.type === 'prompt' && command.file !== undefined
              ? { ...command, file: { ...command.file, realPath: `${command.file.realPath}.other` } }
              : command,
          ),
        }),
      ),
    ).toEqual([expect.stringMatching(/^identity: .*"alpha" .*SKILL\.md\.other; it /)])
  })

  test('has no fitting refresh() says why, and what no disk can do is skipped with a reason', () => {
    const skipped = fileSourceContract({ root: 'skills', provider: tree => smallFileSource(tree), without }).filter(
      ({ skip }) => skip !== undefined,
    )
    expect(skipped.map(({ name }) => name)).toEqual(['hung', 'abort-stalled', 'refresh-nothing', 'refresh-path'])
  })
})
