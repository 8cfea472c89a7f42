import { saidIn } from './server/said.js'
import type { ModelAnswer, ModelRequest } from '@skills/testing/model-server'

let calls = 0
const call = (name: string, input: unknown): NonNullable<ModelAnswer['calls']>[number] => ({
  id: `call_${++calls}`,
  name,
  input,
})

/**
 * Makes a model that follows a script. Its answers repeat parts of the request, so that an answer is right only if the
 * request had these parts.
 */
export function scriptedAnswer(request: ModelRequest): ModelAnswer {
  const { system, news, all } = saidIn(request)
  const heard = news.join('\n')
  if (system.startsWith('You do one task for another agent')) return forked(heard)
  if (heard.includes('Sum this conversation up'))
    return { text: 'NOTES.md has the release notes of 1.2; a hook blocked that they were published.' }
  if (heard.includes('What have you written')) return { text: answerAfterCompacting(all) }
  if (/release notes of 1\.2, and publish them/.test(heard)) {
    // Only the listing names this skill.
    return all.includes('- release-notes')
      ? { text: 'There is a skill for that.', calls: [call('Skill', { skill: 'release-notes', args: '1.2' })] }
      : { text: 'I know of no skill for that.' }
  }
  if (heard.includes('Write the release notes of version 1.2 into NOTES.md')) {
    return {
      text: 'I read the changes and have them counted.',
      calls: [call('Read', { path: 'CHANGES.md' }), call('Skill', { skill: 'count-changes', args: 'CHANGES.md' })],
    }
  }
  const counted = /\d+ added, \d+ fixed/.exec(heard)?.[0]
  if (counted !== undefined) {
    const lines = heard
      .split('\n')
      .filter(line => line.startsWith('- '))
      .map(line => line.replace(/^- (?:added|fixed): /, '- '))
    return {
      text: 'I write them, and publish.',
      calls: [
        call('Write', { path: 'NOTES.md', content: `# 1.2\n\n${counted}\n\n${lines.join('\n')}\n` }),
        call('Bash', { command: 'git push --tags' }),
      ],
    }
  }
  if (heard.includes('Wrote '))
    return {
      text: `NOTES.md is written. It is not published: ${news.find(text => text.includes('publish')) ?? 'no one says why.'}`,
    }
  return { text: 'My script has nothing for this.' }
}

/** Answers as the sub-agent, which gets only its own task and nothing of the conversation. */
function forked(heard: string): ModelAnswer {
  const [, file] = /^Count the entries of each kind in (\S+)\./m.exec(heard) ?? []
  if (file !== undefined)
    return {
      calls: [call('Search', { path: file, text: 'fixed:' }), call('Bash', { command: `grep -c added: ${file}` })],
    }
  const fixed = heard.split('\n').filter(line => line.includes('fixed:')).length
  const added = heard.split('\n').find(line => /^\d+$/.test(line))
  return { text: `${added ?? 'no'} added, ${fixed} fixed` }
}

function answerAfterCompacting(all: string): string {
  const remembers = all.includes('NOTES.md has the release notes of 1.2')
  const hasSkill = all.includes('Never publish anything.')
  return `${remembers ? 'The release notes of 1.2, in NOTES.md.' : 'I do not know.'} ${hasSkill ? 'The skill that I followed is still at hand.' : 'I have no skill any more.'}`
}
