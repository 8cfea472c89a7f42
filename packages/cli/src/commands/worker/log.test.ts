import { SkillsError } from '@skills/core'
import { fakeClock } from '@skills/testing'
import { expect, test } from 'vitest'
import { workerLog, type LogEvent } from './log.js'

async function printed(
  hasJson: boolean,
  events: readonly (LogEvent | number)[],
): Promise<{ readonly out: string; readonly err: string }> {
  const written = { out: '', err: '' }
  const output = (to: 'out' | 'err') => ({
    isTerminal: false,
    columns: 80,
    write: (text: string) => {
      written[to] += text
    },
  })
  const io = { stdout: output('out'), stderr: output('err'), cwd: '/w', env: {} }
  const clock = fakeClock()
  const log = workerLog({ hasJson, isColorless: true }, io, clock)
  for (const event of events)
    if (typeof event === 'number') await clock.advance(event)
    else log(event)
  return written
}

const begun = { type: 'run-begun', run: 'a\u001b[2J', skill: 'deploy', takenBefore: 0, waitedMs: 40 } as const
const left = { type: 'run-left', run: 'a', skill: 'deploy', state: 'failed', ms: 1200, error: 'E_RUN_CHANGED' } as const

test('the log for people is one line an event, without control characters of a run', async () => {
  const { out, err } = await printed(false, [
    { type: 'started', skills: 3, health: 'http://127.0.0.1:8080' },
    begun,
    { ...begun, run: 'b', tenant: 'acme', takenBefore: 2 },
    left,
    { type: 'draining', runs: ['b', 'c'], drainMs: 20_000 },
    { type: 'error', error: new Error('Away.') },
    { type: 'closed' },
  ])
  expect(out).toBe('')
  expect(err).not.toContain('\u001b')
  expect(err.split('\n').slice(1)).toEqual([
    expect.stringMatching(/^Begins run a.* of deploy, submitted 40 ms ago\.$/),
    'Begins run b of deploy for acme, submitted 40 ms ago, taken 2 times before.',
    'Leaves run a as failed after 1.2 s: E_RUN_CHANGED',
    'Takes no more runs, and gives 20.0 s to b, c.',
    'skills: Away.',
    'Stopped.',
    '',
  ])
})

test('the log as JSON is one object a line, with its time', async () => {
  const error = new SkillsError('E_QUEUE', 'Away.', { hint: 'Start it.' })
  const { out, err } = await printed(true, [
    begun,
    { type: 'error', error },
    { type: 'error', error: new Error('No.') },
  ])
  expect(err).toBe('')
  expect(out).not.toContain('\u001b')
  const at = '2024-01-01T00:00:00.000Z'
  const { type, ...rest } = begun
  expect(
    out
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line) as unknown),
  ).toEqual([
    { at, event: type, ...rest },
    { at, event: 'error', code: 'E_QUEUE', message: 'Away. Start it.' },
    { at, event: 'error', code: null, message: 'No.' },
  ])
})

test('an error that comes again and again is told once a minute, with how often it came', async () => {
  const away = { type: 'error', error: new Error('Away.') } as const
  const events = [away, away, away, { type: 'error', error: new Error('Full.') }, 60_000, away, 60_000, away] as const
  expect((await printed(false, events)).err.split('\n')).toEqual([
    'skills: Away.',
    'skills: Full.',
    'skills: Away. (2 times more since the last line of it)',
    'skills: Away.',
    '',
  ])
  expect((await printed(true, events)).out).toContain('"message":"Away.","timesBefore":2}')
})
