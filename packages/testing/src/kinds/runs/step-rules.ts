import { setImmediate } from 'node:timers/promises'
import { hostileText } from '../runner/answer-rules.js'
import { question, toolStep, type RunsRule } from './runs-trial.js'

const model = toolStep({ kind: 'model', key: 'model 0', input: { prompt: hostileText }, idempotent: true })

/** Rules for which steps of a run are executed once, and which are repeated. */
export const stepRules: readonly RunsRule[] = [
  {
    name: 'once',
    rule: 'a step that is finished is not made again by a process that takes the run over, and gives what it gave',
    async check(trial) {
      const { runs, other } = await trial.runs()
      const held = await trial.held(runs)
      const value = { text: hostileText, list: [1, null, true], bytes: new Uint8Array([0, 255]), at: new Date(7) }
      trial.expectSame('a step that was made', (await trial.stepOf(held, model, value))[1], 1)
      await trial.stepOf(held, toolStep(), 'pushed')
      const second = await trial.takenOver(other, held)
      const [given, times] = await trial.stepOf(second, model)
      trial.expectSame('how often it was made again', times, 0)
      trial.expectSame('what it gave', given, value)
      if (!(given instanceof Object && Reflect.get(given, 'bytes') instanceof Uint8Array))
        trial.broken('bytes did not come back as bytes.')
      trial.expectSame('what the tool gave', await trial.stepOf(second, toolStep()), ['pushed', 0])
      const { progress, epoch } = second.record
      trial.expectSame('progress', [progress.steps, progress.calls, epoch], [1, 1, 2])
    },
  },
  {
    name: 'repeats',
    rule: 'a step that was under way is made again where it is idempotent',
    async check(trial) {
      const { runs, other } = await trial.runs()
      const held = await trial.held(runs)
      await trial.underWay(held, model)
      trial.expectSame(
        'what the answer of the model was',
        await trial.stepOf(await trial.takenOver(other, held), model, 'again'),
        ['again', 1],
      )
    },
  },
  {
    name: 'indeterminate',
    rule: 'a step that was under way and is not idempotent is made again only after a person said so, and else gives what stands for it',
    async check(trial) {
      for (const answer of ['allow', 'deny'] as const) {
        const { runs, other } = await trial.runs()
        const held = await trial.held(runs)
        const { id } = held.record
        await trial.underWay(held, toolStep())
        const second = await trial.takenOver(other, held)
        const step = toolStep({ instead: 'not known' })
        const ended = await trial.ended('a step that waits', () =>
          second.journal.step(step, () => trial.broken('it was made again without a question.')),
        )
        if (!('error' in ended) || !second.signal.aborted || !second.isParked)
          trial.broken('the run was not parked, although a call was under way that may not be repeated.')
        const { state, question: asked, holder } = await runs.get(id)
        trial.expectSame('its state', [state, asked?.kind, holder], ['indeterminate', 'repeat', undefined])
        const { state: now } = await trial.answer('answer()', () => runs.answer(id, asked?.id ?? '', answer))
        trial.expectSame('its state after the answer', now, 'queued')
        const third = await trial.answer('take()', () => runs.take(id))
        trial.expectSame(
          'what the step gave',
          await trial.stepOf(third, step, 'again'),
          answer === 'allow' ? ['again', 1] : ['not known', 0],
        )
      }
    },
  },
  {
    name: 'changed',
    rule: 'a step that is made with something else than was recorded is E_RUN_CHANGED, and the run has to end',
    async check(trial) {
      const { runs, other } = await trial.runs()
      const held = await trial.held(runs)
      await trial.stepOf(held, model)
      // An answer is recorded at the latest before the next call of a tool begins.
      await trial.stepOf(held, toolStep())
      const second = await trial.takenOver(other, held)
      await trial.expectCode('the step', 'E_RUN_CHANGED', () =>
        second.journal.step({ ...model, input: 'another prompt' }, async () => 'made'),
      )
      if (!second.signal.aborted) trial.broken('its signal did not abort.')
    },
  },
  {
    name: 'failing',
    rule: 'a step that fails is not recorded, so that it is made again',
    async check(trial) {
      const { runs } = await trial.runs()
      const held = await trial.held(runs)
      const ended = await trial.ended('a step that fails', () =>
        held.journal.step(model, async begin => {
          await begin()
          throw new Error('The well is dry')
        }),
      )
      if (!('error' in ended)) trial.broken('it gave something all the same.')
      trial.expectSame('the step', await trial.stepOf(held, model), ['made', 1])
    },
  },
  {
    name: 'fence',
    rule: 'a process whose run was taken over may write nothing more: E_RUN_LOST, and its signal aborts',
    async check(trial) {
      const { runs, other } = await trial.runs()
      const held = await trial.held(runs)
      const second = await trial.takenOver(other, held)
      await trial.stepOf(second, toolStep(), 'of the second')
      const before = JSON.stringify(await other.journal(held.record.id))
      await trial.expectCode('a step of the first', 'E_RUN_LOST', () =>
        held.journal.step(toolStep({ key: 'tool 2' }), async begin => {
          await begin()
          return trial.broken('it was made.')
        }),
      )
      await trial.expectCode('end() of the first', 'E_RUN_LOST', () => held.end({ state: 'done', result: 'late' }))
      if (!held.signal.aborted) trial.broken('its signal did not abort.')
      trial.expectSame('the journal', JSON.stringify(await other.journal(held.record.id)), before)
      await trial.answer('end() of the second', () => second.end({ state: 'done', result: 'Done.' }))
      trial.expectSame('the result', (await runs.get(held.record.id)).result, 'Done.')
    },
  },
  {
    name: 'parks',
    rule: 'a question parks its run once what is under way has ended; any process answers, and the answer counts from then on',
    async check(trial) {
      const { runs, other } = await trial.runs()
      const held = await trial.held(runs)
      const { id } = held.record
      let finish = (): void => {}
      const underWay = held.journal.step(toolStep(), async begin => {
        await begin()
        await new Promise<void>(resolve => {
          finish = resolve
        })
        return 'pushed'
      })
      while (!(await runs.journal(id)).some(({ type }) => type === 'begun')) await setImmediate()
      const asked = trial.ended('ask()', () => held.ask(question))
      while ((await runs.get(id)).question === undefined) await setImmediate()
      if (held.signal.aborted) trial.broken('it was parked while a call was under way.')
      finish()
      trial.expectSame('what was under way', await trial.answer('the step', () => underWay), 'pushed')
      if (!('error' in (await asked)) || !held.isParked) trial.broken('it was not parked.')
      trial.expectSame('its state', (await other.settled(id)).state, 'waiting')
      await trial.expectCode('an answer to another question', 'E_RUN_STATE', () => other.answer(id, 'other', 'allow'))
      await trial.expectCode('take()', 'E_RUN_STATE', () => other.take(id))
      await trial.answer('answer()', () => other.answer(id, question.id, 'deny'))
      const second = await trial.answer('take()', () => runs.take(id))
      trial.expectSame('the answer', await trial.answer('ask()', () => second.ask(question)), 'deny')
      trial.expectSame('the call', await trial.stepOf(second, toolStep()), ['pushed', 0])
    },
  },
  {
    name: 'host',
    rule: 'a question that the host answers holds the run, which goes on with its answer, or with that of another process',
    async check(trial) {
      const { runs, other } = await trial.runs()
      const held = await trial.held(runs)
      const { id } = held.record
      trial.expectSame('the answer', await trial.answer('ask()', () => held.ask(question, () => 'allow')), 'allow')
      trial.expectSame('its state', (await runs.get(id)).state, 'running')
      const next = { ...question, id: 'question-2' }
      const asked = trial.answer('ask()', () => held.ask(next, () => new Promise(() => {})))
      while ((await other.get(id)).question === undefined) await setImmediate()
      await trial.answer('answer()', () => other.answer(id, next.id, 'deny'))
      trial.expectSame('the answer of another process', await asked, 'deny')
      trial.expectSame('its state', (await runs.get(id)).state, 'running')
    },
  },
]
