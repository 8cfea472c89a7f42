import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { anthropicEvents } from '@skills/testing/model-server'
import { openTerminal, type Terminal } from './terminal.js'
import { agentAt, type AgentAt } from './wire/agent-at.js'

const skills = {
  '.claude/skills/style/SKILL.md':
    '---\ndescription: Write in a style.\nargument-hint: <style>\n---\nWrite in the style of $ARGUMENTS.\n',
  '.claude/skills/story/SKILL.md': '---\ndescription: Tell a story.\nuser-invocable: false\n---\nTell a story.\n',
}

/** A person at a keyboard: writes, and waits for what is shown. */
function keyboard(): {
  readonly terminal: Terminal
  readonly press: (keys: string) => void
  readonly until: (text: string) => Promise<void>
  readonly screen: () => string
} {
  const [input, output] = [new PassThrough(), new PassThrough()]
  let screen = ''
  const waiting: { readonly text: string; readonly resolve: () => void }[] = []
  output.on('data', (chunk: Buffer) => {
    screen += chunk.toString()
    for (const { text, resolve } of waiting) if (screen.includes(text)) resolve()
  })
  return {
    terminal: openTerminal(input, output, true),
    press: keys => void input.write(keys),
    screen: () => screen,
    until: text =>
      new Promise(resolve => {
        waiting.push({ text, resolve })
        if (screen.includes(text)) resolve()
      }),
  }
}

async function atWork(
  replies: Parameters<typeof agentAt>[1],
): Promise<AgentAt & ReturnType<typeof keyboard> & { readonly ended: Promise<void> }> {
  const at = await agentAt('anthropic', replies, skills)
  const person = keyboard()
  return { ...at, ...person, ended: person.terminal.run(at.agent) }
}

it('completes the names of what a person may invoke, and invokes it', async () => {
  const { press, until, ended, server, shown } = await atWork([{ text: 'Roses are red.' }])
  await until('> ')
  press('/sty\t')
  await until('/style ')
  press('a poet\r')
  press('\u0004')
  await ended
  expect(JSON.stringify(server.requests[0]?.body)).toContain('style of a poet.')
  expect(shown()).toBe('Roses are red.\n')
})

it('shows all names that begin so, and none that is not for a person', async () => {
  const { press, until, ended, screen } = await atWork([])
  await until('> ')
  press('/s\t')
  await new Promise(resolve => {
    setImmediate(resolve)
  })
  press('\t')
  await until('/skills')
  press('\u0003')
  await ended
  expect(screen()).toContain('/style')
  expect(screen()).not.toContain('/story')
})

it('shows what there is, without a model', async () => {
  const { agent, shown, server } = await agentAt('anthropic', [], skills)
  await agent.type('/help', new AbortController().signal)
  expect(shown()).toContain('/style <style>')
  expect(server.requests).toEqual([])
})

it('stops an answer with Ctrl+C and goes on', async () => {
  const { press, until, ended, onWrite, shown } = await atWork([
    { events: anthropicEvents({ text: 'On and on' }, 'main-model').slice(0, 4), ending: 'silence' },
    { text: 'Well.' },
  ])
  onWrite(text => {
    if (text === 'and ') press('\u0003')
  })
  await until('> ')
  press('Talk.\r')
  await until('Stopped.')
  press('And now?\r')
  press('\u0004')
  await ended
  expect(shown()).toBe('On and Well.\n')
})

it('says what went wrong, and reads the next line', async () => {
  const { press, until, ended } = await atWork([])
  await until('> ')
  press('/stile\r')
  await until('Did you mean')
  press('\u0004')
  await expect(ended).resolves.toBeUndefined()
})

it('asks one question after the other', async () => {
  const { terminal, press, until, screen } = keyboard()
  const ask = (content: string) =>
    terminal.onAsk({
      request: { tool: 'Bash', content },
      decision: { message: '' },
      signal: new AbortController().signal,
    } as Parameters<Terminal['onAsk']>[0])
  const answers = Promise.all([ask('ls'), ask('rm x')])
  await until('Use Bash: ls?')
  expect(screen()).not.toContain('rm x')
  press('y\r')
  await until('Use Bash: rm x?')
  press('\r')
  expect(await answers).toEqual(['allow', 'deny'])
})

it('answers no for a person who is not there, and takes what is piped for what it is', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const terminal = openTerminal(input, output, false)
  expect(await terminal.confirm('Well?')).toBe(false)
  const { agent, server } = await agentAt('anthropic', [{ text: 'One.' }, { text: 'Two.' }], skills)
  input.end('First.\n\nSecond.\n')
  await terminal.run(agent)
  expect(server.requests.map(({ body }) => JSON.stringify(body).match(/First|Second/g))).toEqual([
    ['First'],
    ['First', 'Second'],
  ])
})
