import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { tempTree } from '@skills/testing'
import { expect, it, onTestFinished } from 'vitest'
import { watching } from '../test/watching.js'
import { queueLength } from './watch-overflow.js'

it.runIf(process.platform === 'linux' && queueLength() <= 100_000)(
  'what happened after the queue of the system was full is told, and what comes later',
  async () => {
    const { path, dispose } = tempTree({ 'busy/one': '', 'busy/two': '', 'root/a/SKILL.md': 'a' })
    onTestFinished(dispose)
    const { told, diagnostics } = await watching([`${path}/busy`, `${path}/root`])
    // The system merges equal events in a row, so the files alternate. Nothing reads the queue while this runs.
    for (let at = 0; at < queueLength() + 10; at++) utimesSync(`${path}/busy/${at % 2 === 0 ? 'one' : 'two'}`, at, at)
    mkdirSync(`${path}/root/new`)
    await told(`${path}/root`)
    writeFileSync(`${path}/root/new/SKILL.md`, 'in a folder that no one told of')
    await told(`${path}/root/new/SKILL.md`)
    expect(diagnostics).toEqual([])
  },
)
