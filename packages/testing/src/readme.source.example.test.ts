// #region source
import { defineProvider, loadResult, promptCommand, SkillsError, type Provider } from '@skills/core'

/** Server that gives an index of its skills, and one text at a time. */
interface Shelf {
  index(
    signal: AbortSignal,
  ): Promise<readonly { readonly name: string; readonly about?: string; readonly bytes: number }[]>
  text(name: string, signal: AbortSignal): Promise<string | undefined>
}

function shelfSource(shelf: Shelf): Provider<'source'> {
  return defineProvider({
    kind: 'source',
    id: 'shelf',
    setup: ({ invalidate }) => ({
      source: 'shelf',
      async list({ signal }) {
        signal.throwIfAborted()
        const found = (await shelf.index(signal)).toSorted((a, b) => (a.name < b.name ? -1 : 1))
        signal.throwIfAborted()
        return loadResult({
          commands: found.flatMap(({ name, about, bytes }) =>
            about === undefined
              ? []
              : promptCommand({
                  name,
                  source: 'shelf',
                  description: about,
                  contentLength: bytes,
                  async load(_args, ctx) {
                    ctx.signal.throwIfAborted()
                    const template = await shelf.text(name, ctx.signal)
                    ctx.signal.throwIfAborted()
                    if (template !== undefined) return { template }
                    invalidate()
                    throw new SkillsError('E_FILE_CHANGED', `The skill "${name}" is no longer on the shelf.`, {
                      hint: 'List the skills again.',
                    })
                  },
                }),
          ),
          errors: found.flatMap(({ name, about }) =>
            about !== undefined
              ? []
              : {
                  severity: 'error',
                  type: 'validation',
                  code: 'no-description',
                  name,
                  message: `The skill "${name}" on the shelf has no description.`,
                },
          ),
        })
      },
    }),
  })
}
// #endregion source

// #region fixture
import { sourceContract, type SampleSkill, type SourceFixture } from '@skills/testing'

function shelfFixture(): SourceFixture {
  const skills = new Map<string, Partial<SampleSkill>>()
  const count = { reads: 0, bytes: 0, stop() {} }
  let answer: Promise<void> | undefined
  const shelf: Shelf = {
    async index() {
      count.reads++
      await answer
      return [...skills].map(([name, { description, body = '' }]) => ({
        name,
        ...(description !== undefined && { about: description }),
        bytes: Buffer.byteLength(body),
      }))
    },
    async text(name) {
      const body = skills.get(name)?.body
      count.reads++
      count.bytes += body?.length ?? 0
      await answer
      return body
    },
  }
  return {
    provider: shelfSource(shelf),
    store: {
      put(added) {
        for (const skill of added) skills.set(skill.name, skill)
      },
      remove: name => void skills.delete(name),
      putBroken(name) {
        skills.set(name, {})
        return {}
      },
      shut() {
        answer = Promise.reject(new Error('The shelf does not answer.'))
        answer.catch(() => {})
        return () => {
          answer = undefined
        }
      },
      stall() {
        let goOn = (): void => {}
        answer = new Promise(resolve => {
          goOn = resolve
        })
        return () => {
          answer = undefined
          goOn()
        }
      },
      countReads: () => Object.assign(count, { reads: 0, bytes: 0 }),
    },
  }
}

const shelfContract = sourceContract(shelfFixture, {
  without: {
    deny: 'A caller that may see the shelf may see all of it.',
    putEndless: 'The shelf answers for all its skills at once.',
    pathOf: 'What is on the shelf has no path.',
    refresh: 'The shelf is asked anew each time.',
    identity: 'The shelf does not say what is the same text.',
    turns: 'One answer holds all there is.',
  },
})
// #endregion fixture

// #region vitest
import { testContract } from '@skills/testing/vitest'

testContract('a source over a shelf', shelfContract)
// #endregion vitest

import { smallFileSource } from '../test/small-file-source.js'
// #region file-source
import { fileSourceContract } from '@skills/testing'

testContract(
  'a source of files',
  fileSourceContract({
    root: 'home/.notes',
    provider: tree => smallFileSource(`${tree}/home/.notes`),
    host: tree => ({ home: `${tree}/home` }),
    without: { refresh: 'It lists anew each time.' },
  }),
)
// #endregion file-source
