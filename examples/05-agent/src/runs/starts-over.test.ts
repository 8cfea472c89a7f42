import { readFileSync } from 'node:fs'
import { createSkills, processHost, type Diagnostic, type Skills } from '@skills/core'
import { standard } from '@skills/distributions'
import { Invoker } from '@skills/invocation'
import { processRunner } from '@skills/runner-process'
import { embeddedRuns, openRuns, resumeRuns } from '@skills/runs'
import { tempTree } from '@skills/testing'
import { expect, onTestFinished, test, vi } from 'vitest'

/** An agent of the command line that keeps no steps: it says that it has begun, and the first time goes on forever. */
const program = `
  const fs = require('fs')
  fs.appendFileSync('begun', 'begun\\n')
  process.stdin.resume().on('end', () => {
    if (process.argv[1] === 'end') process.stdout.write('Done.')
    else setInterval(() => {}, 1000)
  })`

test('a fork of a program starts over where its process ended, and a warning says so', async () => {
  const { path, dispose } = tempTree({
    'home/.claude/skills/work/SKILL.md':
      '---\nname: work\ndescription: Works.\ncontext: fork\nbackground: true\n---\nDo it.\n',
  })
  onTestFinished(() => dispose())
  const told: Diagnostic[] = []
  const open = (last: string): Skills =>
    createSkills(
      standard({
        host: { cwd: path, home: `${path}/home`, env: { PATH: process.env['PATH'] } },
        onDiagnostic: diagnostic => void told.push(diagnostic),
        plugins: [
          embeddedRuns({ dir: `${path}/runs` }),
          processRunner({ command: process.execPath, args: ['-e', program, last], limits: 'ignore' }),
        ],
      }),
    )
  const first = open('go on')
  await new Invoker(first).invoke({ name: 'work', caller: 'user' })
  await vi.waitFor(() => expect(readFileSync(`${path}/begun`, 'utf8')).toBe('begun\n'))
  await first.close()
  const runs = openRuns(processHost({ home: path, env: {} }), { dir: `${path}/runs` })
  expect(await runs.find()).toMatchObject([{ state: 'queued', epoch: 1 }])
  expect(told.map(({ code }) => code)).not.toContain('run-starts-over')
  const second = open('end')
  onTestFinished(() => second.close())
  expect(await resumeRuns(second)).toMatchObject([{ state: 'done', result: 'Done.', epoch: 2 }])
  expect(readFileSync(`${path}/begun`, 'utf8')).toBe('begun\nbegun\n')
  expect(told).toMatchObject([
    {
      code: 'run-starts-over',
      severity: 'warning',
      name: 'work',
      message: expect.stringContaining('starts from the beginning'),
    },
  ])
})
