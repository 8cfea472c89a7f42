import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { agentAt, never, protocols } from './agent-at.js'

const style = [
  '---',
  'description: Write in a style.',
  'argument-hint: <style>',
  'allowed-tools: Read',
  'disallowed-tools: Bash',
  'model: small-model',
  'effort: low',
  '---',
  'Write in the style of $ARGUMENTS.',
  '',
].join('\n')
const count = [
  '---',
  'description: Count lines.',
  'context: fork',
  'model: small-model',
  'allowed-tools: Read, Bash(echo:*)',
  '---',
  'Count the lines of $ARGUMENTS.',
  '',
].join('\n')
const skills = { '.claude/skills/style/SKILL.md': style, '.claude/skills/count/SKILL.md': count }

const skillCall = { id: 'call_1', name: 'Skill', input: { skill: 'style', args: 'a poet' } }
const listing = ['<system-reminder>', 'The following skills are available for use with the Skill tool:', '']

describe('in the protocol of Anthropic', () => {
  it('is sent: the listing, the tools with their schemas, and the stream is asked for', async () => {
    const { agent, server, shown, problems } = await agentAt(
      'anthropic',
      [{ text: 'Hello there, how are you?' }],
      skills,
    )
    await agent.type('Hello.', never)
    const { body, headers, path } = server.requests[0] ?? {}
    expect(path).toBe('/v1/messages')
    expect(headers).toMatchObject({ 'x-api-key': 'none', 'anthropic-version': expect.any(String) })
    expect(body).toMatchObject({
      model: 'main-model',
      stream: true,
      max_tokens: 1000,
      system: [{ type: 'text', text: expect.stringContaining('You are an agent in a terminal.') }],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Hello.' },
            { type: 'text', text: expect.stringContaining(listing.join('\n')) },
          ],
        },
      ],
      tools: [
        { name: 'Read' },
        { name: 'Write' },
        { name: 'Search' },
        { name: 'Bash' },
        {
          name: 'Skill',
          description: expect.stringContaining('Runs a skill'),
          input_schema: {
            type: 'object',
            properties: { skill: { type: 'string' }, args: { type: 'string' } },
            required: ['skill'],
          },
        },
      ],
    })
    expect(JSON.stringify(body)).toContain('- style: Write in a style.')
    expect(shown()).toBe('Hello there, how are you?\n')
    expect(problems).toEqual([])
  })

  it('are sent after a skill: its text, the tool result, and the model, effort and tools that it asks for', async () => {
    const { agent, server, questions, problems } = await agentAt(
      'anthropic',
      [{ text: 'I see.', calls: [skillCall] }, { text: 'Roses are red.' }, { text: 'Back again.' }],
      skills,
    )
    await agent.type('Write something.', never)
    await agent.type('And now?', never)
    const [, second, third] = server.requests
    expect(second?.body).toMatchObject({
      model: 'small-model',
      output_config: { effort: 'low' },
      messages: [
        { role: 'user' },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'I see.' },
            { type: 'tool_use', id: 'call_1', name: 'Skill', input: { skill: 'style', args: 'a poet' } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'call_1', content: 'Launching skill: style' },
            { type: 'text', text: expect.stringContaining('Write in the style of a poet.') },
          ],
        },
      ],
      tools: [{ name: 'Read' }, { name: 'Write' }, { name: 'Search' }, { name: 'Skill' }],
    })
    // What a skill asks for ends with the turn.
    expect(third?.body).toMatchObject({
      model: 'main-model',
      tools: [{ name: 'Read' }, { name: 'Write' }, { name: 'Search' }, { name: 'Bash' }, { name: 'Skill' }],
    })
    expect(third?.body).not.toHaveProperty('output_config')
    expect(questions).toEqual(['Skill style'])
    expect(problems).toEqual([])
  })

  it('is sent for a fork: its text alone, its model, the tools of its list, and what they gave', async () => {
    const { agent, server, shown, problems } = await agentAt(
      'anthropic',
      [
        {
          calls: [
            { id: 'call_1', name: 'Read', input: { path: 'notes.txt' } },
            { id: 'call_2', name: 'Bash', input: { command: 'rm notes.txt' } },
          ],
        },
        { text: 'Two lines.' },
      ],
      skills,
    )
    await agent.type('/count notes.txt', never)
    const [first, second] = server.requests
    expect(first?.body).toMatchObject({
      model: 'small-model',
      tools: [{ name: 'Read' }, { name: 'Bash' }],
      messages: [{ role: 'user', content: [{ type: 'text', text: expect.stringContaining('lines of notes.txt.') }] }],
    })
    expect(JSON.stringify(first?.body)).not.toContain('system-reminder')
    expect(second?.body).toMatchObject({
      messages: [
        {},
        {},
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'call_1', content: 'One.\nTwo.\n' },
            {
              type: 'tool_result',
              tool_use_id: 'call_2',
              is_error: true,
              content: expect.stringContaining('Bash(echo:*)'),
            },
          ],
        },
      ],
    })
    expect(shown()).toBe(
      '[Bash rm notes.txt] no: The skill "count" may use only Read, Bash(echo:*), which does not include this call of Bash.\nTwo lines.\n',
    )
    expect(problems).toEqual([])
  })
})

describe('in the chat protocol of OpenAI', () => {
  it('is sent: the listing, the tools with their schemas, and the stream is asked for', async () => {
    const { agent, server, shown, problems } = await agentAt('openai', [{ text: 'Hello there, how are you?' }], skills)
    await agent.type('Hello.', never)
    const { body, path } = server.requests[0] ?? {}
    expect(path).toBe('/v1/chat/completions')
    expect(body).toMatchObject({
      model: 'main-model',
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 1000,
      messages: [
        { role: 'system', content: expect.stringContaining('You are an agent') },
        { role: 'user', content: 'Hello.' },
        { role: 'user', content: expect.stringContaining(listing.join('\n')) },
      ],
      tools: [
        {},
        {},
        {},
        {},
        {
          type: 'function',
          function: {
            name: 'Skill',
            description: expect.stringContaining('Runs a skill'),
            parameters: {
              type: 'object',
              properties: { skill: { type: 'string' }, args: { type: 'string' } },
              required: ['skill'],
            },
          },
        },
      ],
    })
    expect(JSON.stringify(body)).toContain('- style: Write in a style.')
    expect(shown()).toBe('Hello there, how are you?\n')
    expect(problems).toEqual([])
  })

  it('are sent after a skill: its text, the tool result, and the model, effort and tools that it asks for', async () => {
    const { agent, server, problems } = await agentAt(
      'openai',
      [{ text: 'I see.', calls: [skillCall] }, { text: 'Roses are red.' }, { text: 'Back again.' }],
      skills,
    )
    await agent.type('Write something.', never)
    await agent.type('And now?', never)
    const [, second, third] = server.requests
    expect(second?.body).toMatchObject({
      model: 'small-model',
      reasoning_effort: 'low',
      messages: [
        { role: 'system' },
        { role: 'user' },
        { role: 'user' },
        {
          role: 'assistant',
          content: 'I see.',
          tool_calls: [
            {
              id: 'call_1',
              type: 'function',
              function: { name: 'Skill', arguments: '{"skill":"style","args":"a poet"}' },
            },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'Launching skill: style' },
        { role: 'user', content: expect.stringContaining('Write in the style of a poet.') },
      ],
      tools: [
        { function: { name: 'Read' } },
        { function: { name: 'Write' } },
        { function: { name: 'Search' } },
        { function: { name: 'Skill' } },
      ],
    })
    expect(third?.body).toMatchObject({ model: 'main-model', tools: [{}, {}, {}, { function: { name: 'Bash' } }, {}] })
    expect(third?.body).not.toHaveProperty('reasoning_effort')
    expect(problems).toEqual([])
  })

  it('is sent for a fork: its text alone, its model, the tools of its list, and what they gave', async () => {
    const { agent, server, shown } = await agentAt(
      'openai',
      [
        {
          calls: [
            { id: 'call_1', name: 'Read', input: { path: 'notes.txt' } },
            { id: 'call_2', name: 'Bash', input: { command: 'rm notes.txt' } },
          ],
        },
        { text: 'Two lines.' },
      ],
      skills,
    )
    await agent.type('/count notes.txt', never)
    const [first, second] = server.requests
    expect(first?.body).toMatchObject({
      model: 'small-model',
      tools: [{ function: { name: 'Read' } }, { function: { name: 'Bash' } }],
      messages: [{ role: 'system' }, { role: 'user', content: expect.stringContaining('lines of notes.txt.') }],
    })
    expect(second?.body).toMatchObject({
      messages: [
        {},
        {},
        {},
        { role: 'tool', tool_call_id: 'call_1', content: 'One.\nTwo.\n' },
        { role: 'tool', tool_call_id: 'call_2', content: expect.stringContaining('Bash(echo:*)') },
      ],
    })
    expect(shown()).toMatch(/^\[Bash rm notes\.txt\] no: .*"count" .*Read, Bash\(echo:\*\).*\nTwo lines\.\n$/)
  })
})

describe.each(protocols)('in the protocol of %s', protocol => {
  it('each of several calls at once is answered, a wrong one too, in their order', async () => {
    const { agent, server, questions, problems } = await agentAt(protocol, [
      {
        calls: [
          { id: 'a', name: 'Read', input: { path: 'notes.txt' } },
          { id: 'b', name: 'Write', input: { path: 'made.txt', content: 'Made.' } },
          { id: 'c', name: 'Read', input: { path: '../../outside.txt' } },
          { id: 'd', name: 'Read', input: { file: 3 } },
          { id: 'e', name: 'Fly', input: {} },
        ],
      },
      { text: 'Done.' },
    ])
    await agent.type('Do it all.', never)
    const sent = JSON.stringify(server.requests[1]?.body['messages'])
    for (const part of [
      'One.',
      'Wrote 5 characters.',
      'outside.txt',
      'Invalid input for tool Read',
      "unavailable tool 'Fly'",
    ])
      expect(sent).toContain(part)
    for (const id of ['a', 'b', 'c', 'd', 'e'])
      expect(sent.split(`"${protocol === 'anthropic' ? 'tool_use_id' : 'tool_call_id'}":"${id}"`), id).toHaveLength(2)
    expect(questions).toEqual(['Write made.txt'])
    expect(problems).toEqual([])
  })

  it('the listing is sent once, and again after the conversation was shortened, with the skills that were at work', async () => {
    const { agent, server } = await agentAt(
      protocol,
      [{ calls: [skillCall] }, { text: 'A poem.' }, { text: 'A poem was written.' }, { text: 'Yes.' }],
      skills,
    )
    await agent.type('Write something.', never)
    await agent.type('/compact', never)
    await agent.type('Still there?', never)
    const texts = server.requests.map(({ body }) => JSON.stringify(body['messages']))
    expect(texts.map(text => text.split('- style: Write in a style.').length - 1)).toEqual([1, 1, 1, 1])
    expect(texts[3]).toContain('What happened so far: A poem was written.')
    expect(texts[3]).toContain('Write in the style of a poet.')
    expect(texts[3]).not.toContain('call_1')
  })
  it('a conversation stays as it is where the model sums nothing up, and speaks of no tool that is not there', async () => {
    const calls = [{ id: 'call_1', name: 'Read', input: { path: 'notes.txt' } }]
    const { agent, server, shown } = await agentAt(protocol, [
      { calls },
      { text: 'Two lines.' },
      { calls },
      { text: 'Still two.' },
    ])
    await agent.type('How many lines?', never)
    await agent.type('/compact', never)
    await agent.type('And now?', never)
    expect(shown()).toMatch(/gave an empty summary/)
    expect(server.requests.map(({ body }) => Array.isArray(body['tools']) && body['tools'].length)).toEqual([
      5, 5, 5, 5,
    ])
    expect(JSON.stringify(server.requests[3]?.body)).toContain('Two lines.')
  })

  it('a conversation that has no room left is shortened by itself, with the skills that are at work', async () => {
    const { agent, server, shown } = await agentAt(
      protocol,
      [{ calls: [skillCall] }, { text: 'A poem was asked for.' }, { text: 'Roses are red.' }],
      skills,
      120,
    )
    await agent.type('Write something.', never)
    expect(shown()).toMatch(/ shortened\. .*: style\.\n/)
    const last = JSON.stringify(server.requests[2]?.body)
    for (const part of ['What happened so far: A poem was asked for.', 'Write in the style of a poet.'])
      expect(last).toContain(part)
    expect(last).not.toContain('call_1')
  })

  it('a tool that a skill does without is not used either where it was called beside the skill', async () => {
    const { agent, server, tree } = await agentAt(
      protocol,
      [{ calls: [skillCall, { id: 'call_2', name: 'Bash', input: { command: 'touch made.txt' } }] }, { text: 'Done.' }],
      skills,
    )
    await agent.type('Write something.', never)
    expect(JSON.stringify(server.requests[1]?.body)).toMatch(/ forbids Bash\./)
    expect(readdirSync(`${tree.path}/project`)).not.toContain('made.txt')
  })

  it('what a skill found in the background is news for the next turn', async () => {
    const files = {
      '.claude/skills/later/SKILL.md':
        '---\ndescription: Look later.\ncontext: fork\nbackground: true\nallowed-tools: Read\n---\nLook at it.\n',
    }
    const { agent, server, shown } = await agentAt(
      protocol,
      request =>
        JSON.stringify(request.body).includes('Look at it.') ? { text: 'It is green.' } : { text: 'I heard.' },
      files,
    )
    const ended = new Promise<unknown>(resolve => {
      agent.skills.hook('fork:ended', resolve)
    })
    await agent.type('/later', never)
    await ended
    await agent.type('Well?', never)
    expect(shown()).toMatch(/^"later" .*background\.\nI heard\.\n$/)
    expect(JSON.stringify(server.requests.at(-1)?.body)).toMatch(/\\"later\\" .*: It is green\./)
  })

  it('a hook that a skill brings blocks a tool, and the model reads why', async () => {
    const hook = {
      PreToolUse: [
        { matcher: 'Bash|Skill', hooks: [{ type: 'command', command: 'cat > seen.json; echo Not here. >&2; exit 2' }] },
      ],
    }
    const files = {
      '.claude/skills/careful/SKILL.md': `---\ndescription: Be careful.\nhooks: ${JSON.stringify(hook)}\n---\nBe careful.\n`,
    }
    const { agent, server, questions, tree } = await agentAt(
      protocol,
      [
        {
          text: 'I am.',
          calls: [
            { id: 'call_1', name: 'Skill', input: { skill: 'careful' } },
            { id: 'call_2', name: 'Bash', input: { command: 'touch made.txt' } },
          ],
        },
        { text: 'I may not.' },
      ],
      files,
    )
    await agent.type('/careful', never)
    expect(JSON.stringify(server.requests[1]?.body).split('Not here.')).toHaveLength(3)
    // Typing its name was the answer, and what is blocked already is no question.
    expect(questions).toEqual([])
    expect(readdirSync(`${tree.path}/project`)).not.toContain('made.txt')
    expect(JSON.parse(readFileSync(`${tree.path}/project/seen.json`, 'utf8'))).toMatchObject({
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command: 'touch made.txt' },
    })
  })
})
