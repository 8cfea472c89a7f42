import { expect, test } from 'vitest'
import { specOf } from '../test/spec-of.js'
import { Timeline } from './timeline.js'
import type { RunEntry, RunEvent } from './run.js'

const taken = (epoch: number, name: string): RunEvent => ({ type: 'taken', epoch, holder: { name } })
const [a, b] = ['build-1 (71)', 'build-2 (72)'] as const
const step = { key: 'tool 1', kind: 'tool', digest: 'd' } as const
const begun: RunEvent = { type: 'begun', epoch: 1, ...step, idempotent: false, title: 'Write a.txt' }
const finished = (epoch: number): RunEvent => ({ type: 'finished', epoch, ...step })
const failed = (epoch: number): RunEvent => ({ type: 'released', epoch, reason: 'It took too long.', isFailure: true })
const question = { id: 'q', kind: 'permission', tool: 'Bash', content: 'x', message: 'May it run x?' } as const
const ended = (state: 'done' | 'failed' | 'cancelled', message?: string): RunEvent => ({
  type: 'ended',
  epoch: 1,
  state,
  ...(message !== undefined && { error: { code: 'E_TIMEOUT', message } }),
})
const restarted: RunEvent = { type: 'restarted', epoch: 2 }

// What happened to the run, its entries after the submission, and the lines that tell it.
const cases: readonly (readonly [string, readonly RunEvent[], readonly string[]])[] = [
  ['it is done', [taken(1, a), begun, finished(1), ended('done')], [`taken by ${a}`, 'Write a.txt', 'done']],
  [
    'its worker was killed, frozen or cut off during a call, which a person does not want to be made again',
    [
      taken(1, a),
      begun,
      taken(2, b),
      { type: 'asked', epoch: 2, question: { ...question, kind: 'repeat', message: 'Repeat it?' } },
      { type: 'parked', epoch: 2 },
      { type: 'answered', question: 'q', answer: 'deny' },
      taken(3, a),
      finished(3),
    ],
    [
      `taken by ${a}`,
      `taken over from ${a}, which gives no sign of life, by ${b}; not finished: Write a.txt`,
      'asks: Repeat it?',
      'waits without a process',
      'answered: deny',
      `taken by ${a}`,
      'not made again: Write a.txt',
    ],
  ],
  [
    'its server was away for longer than the lock of its worker, which then went on with it',
    [taken(1, a), begun, taken(2, a)],
    [
      `taken by ${a}`,
      `taken again by ${a}, which was stopped or could not reach its server for a time; not finished: Write a.txt`,
    ],
  ],
  [
    'its server was away, or the engine closed, while a call was under way',
    [taken(1, a), begun, { type: 'released', epoch: 1, reason: 'The engine was closed.' }, taken(2, b)],
    [`taken by ${a}`, 'given back: The engine was closed.; not finished: Write a.txt', `taken by ${b}`],
  ],
  [
    'its attempts failed, and it was given up',
    [taken(1, a), failed(1), taken(2, b), failed(2), taken(3, a), ended('failed', 'It took too long.')],
    [
      `taken by ${a}`,
      'attempt 1 failed: It took too long.',
      `taken by ${b}`,
      'attempt 2 failed: It took too long.',
      `taken by ${a}`,
      'failed after 3 attempts: It took too long.',
    ],
  ],
  [
    'too many workers were lost',
    [taken(1, a), taken(2, b), ended('failed', '11 workers ended while they worked on this run.')],
    [
      `taken by ${a}`,
      `taken over from ${a}, which gives no sign of life, by ${b}`,
      'failed: 11 workers ended while they worked on this run.',
    ],
  ],
  [
    'its deadline passed during a call',
    [taken(1, a), begun, { type: 'cancelling', reason: 'The deadline of the run has passed.' }, ended('cancelled')],
    [
      `taken by ${a}`,
      'cancellation requested: The deadline of the run has passed.',
      'cancelled; not finished: Write a.txt',
    ],
  ],
  ['a person cancelled it', [{ type: 'cancelling' }, ended('cancelled')], ['cancellation requested', 'cancelled']],
  [
    'it asked, was parked and answered',
    [
      taken(1, a),
      { type: 'asked', epoch: 1, question },
      { type: 'parked', epoch: 1 },
      { type: 'answered', question: 'q', answer: 'allow' },
      taken(2, b),
    ],
    [`taken by ${a}`, 'asks: May it run x?', 'waits without a process', 'answered: allow', `taken by ${b}`],
  ],
  [
    'it was queued again after its end, and its runner starts over',
    [
      ended('failed'),
      { type: 'retried', isFresh: false },
      taken(2, b),
      restarted,
      ended('done'),
      { type: 'retried', isFresh: true },
      { type: 'delivered', session: 's' },
    ],
    [
      'failed',
      'queued again',
      `taken by ${b}`,
      'starts over: its runner does not record steps',
      'done',
      'queued again, from its beginning',
      'reported to the conversation s',
    ],
  ],
]

test.each(cases)('the timeline of a run tells that %s', (_what, events, lines) => {
  const timeline = new Timeline()
  const entries: readonly RunEntry[] = [
    { type: 'queued', version: 1, spec: specOf('one'), at: 0 },
    ...events.map((event, at): RunEntry => ({ ...event, at: at + 1 })),
  ]
  const told = entries.flatMap(entry => timeline.add(entry)?.text ?? [])
  expect(told).toEqual(['submitted', ...lines])
  expect(timeline.begun()).toEqual([])
})
