import { sourceContract, type SampleSkill, type SourceFixture } from '@skills/testing'
import { testContract } from '@skills/testing/vitest'
import { bundledSource, type BundledSkill } from './index.js'

/** Makes the source over a list that the contract fills, breaks and stalls. */
function bundledFixture(): SourceFixture {
  const skills = new Map<string, BundledSkill>()
  let answer: Promise<void> | undefined
  return {
    provider: bundledSource({
      async skills() {
        await answer
        return [...skills.values()]
      },
    }),
    store: {
      put(added: readonly SampleSkill[]) {
        for (const skill of added) skills.set(skill.name, { ...skill })
      },
      remove: name => void skills.delete(name),
      putBroken(name) {
        skills.set(name, { name, body: '', files: { '../escape.txt': '' } })
        return {}
      },
      shut() {
        answer = Promise.reject(new Error('The list cannot be had.'))
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
    },
  }
}

testContract(
  'the source of bundled skills',
  sourceContract(bundledFixture, {
    without: {
      deny: 'Code has no permissions of its own: a list is there or it is not.',
      putEndless: 'One answer gives the whole list.',
      countReads: 'What is registered is in memory, and nothing is read to list it.',
      pathOf: 'What is registered has no path.',
      identity: 'Nothing tells whether two pieces of code do the same.',
      turns: 'Thousands of skills in memory are listed in a few milliseconds.',
    },
  }),
)
