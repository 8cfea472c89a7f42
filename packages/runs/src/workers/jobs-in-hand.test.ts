import { expect, test } from 'vitest'
import { specOf } from '../../test/spec-of.js'
import { JobsInHand } from './jobs-in-hand.js'
import type { RunRecord } from '../run.js'

test('a job is delivered again if its run was lost before it was taken, and not if another process has taken it', () => {
  const record: RunRecord = {
    ...specOf('one'),
    version: 1,
    state: 'running',
    epoch: 1,
    holder: { name: 'other', process: { job: 'one.0', token: 'former' } },
    isCancelling: false,
    progress: { steps: 0, calls: 0 },
    queuedAt: 0,
    entries: 2,
  }
  const jobs = new JobsInHand()
  const job = { id: 'one.0', run: 'one', token: 'own', deliveries: 2, isBegun: false, lost: 1, since: 0 }
  jobs.begin(job)
  jobs.leave(record, true)
  expect(jobs.openRunOf(job)).toBeUndefined()
  jobs.leave(record, false)
  expect(jobs.openRunOf(job)).toBe(record)
  jobs.leave({ ...record, state: 'done' }, false)
  expect(jobs.openRunOf(job)).toBeUndefined()
})
