// #region adapter
import type { HostSkills } from '@skills/host'

interface Message {
  readonly role: string
  readonly content: string | null
  readonly tool_call_id?: string
  readonly tool_calls?: readonly { readonly id: string; readonly function: { name: string; arguments: string } }[]
}

/** Runs an agent without a framework: its loop calls an endpoint of OpenAI's chat protocol with `fetch`. */
export async function ask(url: string, model: string, skills: HostSkills, line: string, restore?: unknown) {
  const session = await skills.session({ restore })
  try {
    const messages: Message[] = [{ role: 'user', content: (await session.send(line)).text }]
    for (;;) {
      const tools = session
        .tools()
        .map(({ name, description, inputSchema: parameters }) => ({
          type: 'function',
          function: { name, description, parameters },
        }))
      const system = { role: 'system', content: await session.system() }
      const response = await fetch(`${url}/chat/completions`, {
        method: 'POST',
        body: JSON.stringify({ model, messages: [system, ...messages], tools }),
      })
      const { choices } = (await response.json()) as { readonly choices: readonly { readonly message: Message }[] }
      const message = choices[0]?.message ?? { role: 'assistant', content: '' }
      messages.push(message)
      if (message.tool_calls === undefined) return { text: message.content, state: await session.value() }
      for (const { id, function: wanted } of message.tool_calls) {
        const tool = session.tools().find(({ name }) => name === wanted.name)
        const answer = await tool?.execute(JSON.parse(wanted.arguments), { toolUseId: id })
        messages.push({ role: 'tool', tool_call_id: id, content: answer?.text ?? `There is no ${wanted.name}.` })
      }
    }
  } finally {
    session.endTurn()
    await session.close()
  }
}
// #endregion adapter
import { openSkills } from '@skills/host'
import { modelServer } from '@skills/testing/model-server'
import { expect, onTestFinished, test } from 'vitest'
import { engineOver, skillMd } from '../../../packages/distributions/test/engine-over.js'

test('an adapter of forty lines runs a skill, and keeps its session', async () => {
  const server = await modelServer('openai', (_, at) =>
    at === 0 ? { calls: [{ id: 'c', name: 'Skill', input: { skill: 'deploy', args: 'prod' } }] } : { text: 'Done.' },
  )
  onTestFinished(() => server.close())
  const { distribution } = engineOver({
    'repo/.claude/skills/deploy/SKILL.md': skillMd('Deploys.', 'Deploy $ARGUMENTS now.'),
  })
  const skills = await openSkills(distribution)
  onTestFinished(() => skills.close())
  const { text, state } = await ask(server.url, 'small', skills, 'Ship it.')
  expect(text).toBe('Done.')
  expect(JSON.stringify(server.requests[1]?.body)).toContain('Deploy prod now.')
  const again = await ask(server.url, 'small', skills, 'And now?', state)
  expect(again.state.id).toBe(state.id)
})
