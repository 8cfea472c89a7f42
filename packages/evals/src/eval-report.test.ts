import { expect, test } from 'vitest'
import { readReport } from './eval-report.js'

const share = { successes: 1, trials: 2, rate: 0.5, low: 0.1, high: 0.9 }
const transcript = [
  { role: 'user', content: 'Do it.' },
  {
    role: 'assistant',
    content: [{ type: 'tool-call', toolName: 'Skill', input: {} }, { type: 'text', text: 'Done.' }, { type: 'file' }],
  },
  { role: 'tool', content: [{ type: 'tool-result', toolName: 'Skill', output: { type: 'text', value: 'x' } }] },
]
const trial = { trial: 0, end: 'answered', steps: 1, transcript }
const query = { id: 'q', query: 'Do.', shouldTrigger: true, passed: true, invoked: { notes: 1 }, trials: [trial] }
const task = {
  id: 't',
  prompt: 'Do.',
  notAllowed: [],
  assertions: [{ what: 'it is', with: share, without: share }],
  trials: [{ ...trial, isWith: true }],
}
const report = {
  version: 1,
  model: 'small',
  stale: [{ skill: 'notes', id: 'q', changed: 'none' }],
  triggers: { skills: [{ name: 'notes', right: share, recall: share, precision: share, queries: [query] }] },
  outcomes: {
    skills: [
      {
        name: 'notes',
        with: share,
        without: share,
        invoked: share,
        difference: { difference: 0.1, low: 0, high: 0.2 },
        tasks: [task],
      },
    ],
  },
  against: { name: 'notes', verdict: 'same', own: share, other: share },
  comparison: { changes: [{ skill: 'notes', level: 'trigger', verdict: 'new', isBelow: false }] },
}

test('a report is read with all that is shown of it, and nothing less', () => {
  expect(readReport(JSON.stringify(report))).toEqual(report)
  expect(readReport('{"version":1,"model":"small","stale":[]}')).toBeDefined()
  expect(readReport('{')).toBeUndefined()
  expect(readReport('{"version":1,"stale":[]}')).toBeUndefined()
})

test('a report in which any piece is another is none', () => {
  /** Returns copies of the report, each with a value of another type in one place. */
  const broken = (value: unknown, rebuilt: (part: unknown) => unknown): readonly unknown[] => {
    if (typeof value !== 'object' || value === null) return [rebuilt({ type: 'img' }), rebuilt(null)]
    const own = [rebuilt([value])]
    return [
      ...own,
      ...Object.entries(value).flatMap(([key, one]) =>
        key === 'input' ||
        key === 'value' ||
        key === 'changed' ||
        one === 'file' ||
        (key === 'type' && one === 'text' && 'value' in value)
          ? []
          : broken(one, part =>
              rebuilt(
                Array.isArray(value)
                  ? value.map((old, at) => (String(at) === key ? part : old))
                  : { ...value, [key]: part },
              ),
            ),
      ),
    ]
  }
  const all = broken(report, whole => whole)
  expect(all.length).toBeGreaterThan(150)
  for (const one of all) expect(readReport(JSON.stringify(one)), JSON.stringify(one)).toBeUndefined()
})
