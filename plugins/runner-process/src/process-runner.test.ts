import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { createSkills, systemClock, type Diagnostic } from '@skills/core'
import { fakeHost, tempTree } from '@skills/testing'
import { runnerKind, type RunRequest, type RunResult } from '@skills/invocation'
import { isAlive } from '../test/agent-program.js'
import { processRunner, type ProcessRunnerOptions } from './index.js'

const empty = tempTree()
afterAll(() => empty.dispose())
const nowhere = `${empty.path}/nowhere`

interface Ran {
  readonly result: RunResult
  readonly told: readonly Diagnostic[]
  readonly progress: readonly unknown[]
}

function requestOf(parts: Partial<RunRequest> = {}, progress: unknown[] = []): RunRequest {
  return {
    agentId: 'a1',
    agentType: 'reviewer',
    messages: [[{ type: 'text', text: 'Do it.' }]],
    tools: { without: ['Skill'] },
    maxSteps: 50,
    depth: 1,
    authorize: async () => ({ behavior: 'allow', message: '', decisionReason: { type: 'default' } }),
    used: async () => {},
    progress: event => void progress.push(event),
    ...parts,
  }
}

async function ran(options: ProcessRunnerOptions, parts: Partial<RunRequest> = {}, signal?: AbortSignal): Promise<Ran> {
  const told: Diagnostic[] = []
  const progress: unknown[] = []
  const tree = tempTree()
  onTestFinished(() => tree.dispose())
  const skills = createSkills({
    kinds: [runnerKind],
    plugins: [processRunner(options)],
    host: fakeHost({ cwd: tree.path, clock: systemClock, env: { PATH: process.env['PATH'], KEPT: 'kept' } }),
    onDiagnostic: one => told.push(one),
  })
  onTestFinished(() => skills.close())
  const result = await skills
    .use('runner')
    .first((runner, call) => runner.run(requestOf(parts, progress), call), { signal })
  if (result === undefined) throw new Error('The runner gave nothing.')
  return { result, told, progress }
}

const script = (code: string, ...args: NonNullable<ProcessRunnerOptions['args']>): ProcessRunnerOptions => ({
  command: process.execPath,
  args: ['-e', code, '--', ...args],
})
const lines = (...values: readonly unknown[]): ProcessRunnerOptions => ({
  ...script(
    `process.stdout.write(${JSON.stringify(values.map(value => `${typeof value === 'string' ? value : JSON.stringify(value)}\n`).join(''))})`,
  ),
  format: 'json-lines',
})
const telling = `console.log(JSON.stringify(process.argv.slice(1)))`

describe('a program', () => {
  test('is told what the fork has by its arguments, and nothing that there is not', async () => {
    const args = [
      ['--model', '{model}'],
      ['--effort', '{effort}'],
      '--steps={maxSteps}',
      ['--tools', '{tools}'],
      ['--not', '{withoutTools}'],
      '{agentId}/{agentType}/{depth}',
      '{other}',
      '{model}',
    ] as const
    expect(JSON.parse((await ran(script(telling, ...args))).result.text)).toEqual([
      '--steps=50',
      '--not',
      'Skill',
      'a1/reviewer/1',
      '{other}',
    ])
    expect(
      JSON.parse(
        (
          await ran(script(telling, ...args), {
            model: '{effort} $& "x"',
            effort: 'high',
            tools: { only: ['Read', 'Bash(git:*)'], without: [] },
          })
        ).result.text,
      ),
    ).toEqual([
      '--model',
      '{effort} $& "x"',
      '--effort',
      'high',
      '--steps=50',
      '--tools',
      'Read,Bash(git:*)',
      'a1/reviewer/1',
      '{other}',
      '{effort} $& "x"',
    ])
  })

  test('gets the system prompt on standard input, unless an argument says it', async () => {
    const echo = 'process.stdin.pipe(process.stdout)'
    const parts = {
      system: 'You are careful.',
      messages: [
        [
          { type: 'text', text: 'One.' },
          { type: 'image', data: 'aGk=', mimeType: 'image/png' },
        ],
        [{ type: 'text', text: 'Two.' }],
      ],
    } as const
    expect((await ran(script(echo), parts)).result.text).toBe(
      'You are careful.\n\nOne.\n[image/png that is not shown here]\n\nTwo.',
    )
    expect((await ran(script(echo, '{system}'), parts)).result.text).toBe(
      'One.\n[image/png that is not shown here]\n\nTwo.',
    )
  })

  test('has the environment of the host, with what is put in and taken away', async () => {
    const { result } = await ran({
      ...script('console.log(JSON.stringify([process.env.KEPT, process.env.ADDED, process.env.PATH]))'),
      env: { ADDED: 'added', PATH: undefined },
    })
    expect(JSON.parse(result.text)).toEqual(['kept', 'added', null])
  })

  test('that does not read what it is told ends well all the same', async () => {
    const { result } = await ran(script('process.stdin.destroy(); console.log("Done.")'), {
      messages: [[{ type: 'text', text: 'x'.repeat(1_000_000) }]],
    })
    expect(result.text).toBe('Done.')
  })

  test('that is not told of limited tools does not run, unless that is meant', async () => {
    const tools = { only: ['Read'], without: [] }
    await expect(ran(script(telling), { tools })).rejects.toMatchObject({
      code: 'E_PROVIDER_FAILED',
      message: expect.stringContaining('only Read'),
    })
    expect((await ran({ ...script(telling), limits: 'ignore' }, { tools })).result.text).toBe('[]')
  })

  test('that is not told of tools that are taken away does not run, unless that is meant', async () => {
    const tools = { without: ['Skill', 'Agent', 'Task', 'Bash', 'Read(secret/**)'] }
    await expect(ran(script(telling, '{tools}'), { tools })).rejects.toMatchObject({
      code: 'E_PROVIDER_FAILED',
      message: expect.stringContaining('Bash, Read(secret/**)'),
      hint: expect.stringContaining('Pass {withoutTools}'),
    })
    expect((await ran({ ...script(telling), limits: 'ignore' }, { tools })).result.text).toBe('[]')
    expect(JSON.parse((await ran(script(telling, '{withoutTools}'), { tools })).result.text)).toEqual([
      'Skill,Agent,Task,Bash,Read(secret/**)',
    ])
  })

  test('has to be told of both limits where there are both', async () => {
    const tools = { only: ['Bash'], without: ['Bash(git push:*)'] }
    await expect(ran(script(telling, '{tools}'), { tools })).rejects.toThrow('may not use Bash(git push:*)')
    await expect(ran(script(telling, '{withoutTools}'), { tools })).rejects.toMatchObject({
      code: 'E_PROVIDER_FAILED',
      message: expect.stringContaining('only Bash'),
    })
    expect(JSON.parse((await ran(script(telling, '{tools}', '{withoutTools}'), { tools })).result.text)).toEqual([
      'Bash',
      'Bash(git push:*)',
    ])
  })

  test('need not be told of what every fork goes without', async () => {
    // The second list is the one that the distribution `mini` takes away.
    for (const without of [['Skill', 'Agent', 'Task'], ['agent']])
      expect((await ran(script(telling), { tools: { without } })).result.text).toBe('[]')
    await expect(ran(script(telling), { tools: { without: ['Agent(reviewer)'] } })).rejects.toThrow(
      'may not use Agent(reviewer)',
    )
  })

  test.each([
    [
      'ends with a code',
      script('console.error("The well is dry."); process.exit(7)'),
      'ended with code 7: The well is dry.',
    ],
    [
      'is ended by a signal',
      script('process.kill(process.pid, "SIGKILL"); setInterval(() => {}, 1000)'),
      'was ended by SIGKILL',
    ],
    ['is not there', { command: './no-such-agent' }, 'could not be started'],
    [
      'has no working folder',
      { command: process.execPath, cwd: nowhere },
      `could not be started: the working folder ${nowhere} does not exist`,
    ],
    ['cannot be a name', { command: 'a\0b' }, 'could not be started'],
    [
      'writes too much',
      { ...script('process.stdout.write("x".repeat(100_000)); setInterval(() => {}, 1000)'), maxOutputBytes: 1000 },
      'wrote more than 1000 bytes',
    ],
  ] as const)('that %s is an error that says so', async (_what, options, says) => {
    await expect(ran(options)).rejects.toMatchObject({
      code: 'E_PROVIDER_FAILED',
      message: expect.stringContaining(says),
    })
  })

  test('is told of with the end of what it complained about, and not with all of it', async () => {
    const failure: unknown = await ran(
      script('process.stderr.write("x".repeat(100_000) + "The well is dry."); process.exitCode = 1'),
    ).catch((error: unknown) => error)
    expect(failure).toMatchObject({ message: expect.stringContaining('The well is dry.') })
    expect(String(failure).length).toBeLessThan(5000)
  })

  test('that does not heed being asked to end is killed with all that it started', async () => {
    const controller = new AbortController()
    const pids: number[] = []
    const code =
      'process.on("SIGTERM", () => {}); const c = require("child_process").spawn("sleep", ["1000"], { stdio: "ignore" }); console.log(JSON.stringify({ pids: [process.pid, c.pid] })); setInterval(() => {}, 1000)'
    const given = ran(
      {
        ...script(code),
        format: 'json-lines',
        graceMs: 50,
        readLine: line => {
          pids.push(...(line as { pids: number[] }).pids)
          controller.abort()
          return undefined
        },
      },
      {},
      controller.signal,
    )
    await expect(given).rejects.toMatchObject({ name: 'AbortError' })
    expect(pids).toHaveLength(2)
    // The call rejects at once; the processes end slightly later.
    await expect.poll(() => pids.filter(isAlive), { timeout: 10_000 }).toEqual([])
  })
})

describe('lines of JSON', () => {
  test('give the last message, or the result that a line gives, with what it took', async () => {
    expect((await ran(lines({ type: 'text', text: 'First.' }, { type: 'text', text: 'Last.' }))).result.text).toBe(
      'Last.',
    )
    const { result } = await ran(
      lines(
        { type: 'text', text: 'First.' },
        { type: 'usage', inputTokens: 3 },
        {
          type: 'result',
          result: 'All is well.',
          num_turns: 2,
          usage: { input_tokens: 5, output_tokens: 7 },
          duration_ms: 9,
        },
      ),
    )
    expect(result).toEqual({ text: 'All is well.', usage: { inputTokens: 5, outputTokens: 7, steps: 2, ms: 9 } })
  })

  test('of agents that wrap whole messages are understood', async () => {
    const { result, progress } = await ran(
      lines(
        { type: 'system', subtype: 'init' },
        { type: 'assistant', message: { content: [{ type: 'tool_use', name: 'Read', input: { path: 'x' } }] } },
        {
          type: 'assistant',
          message: {
            content: [
              { type: 'text', text: 'All is ' },
              { type: 'text', text: 'well.' },
            ],
          },
        },
      ),
    )
    expect(result.text).toBe('All is well.')
    expect(progress).toEqual([
      { type: 'tool', tool: 'Read', content: '{"path":"x"}' },
      { type: 'text', text: 'All is well.' },
    ])
  })

  test('tell of progress', async () => {
    expect(
      (
        await ran(
          lines(
            { type: 'step', steps: 1 },
            { type: 'tool', tool: 'Bash', content: 'ls' },
            { type: 'text', text: 'Hm.' },
          ),
        )
      ).progress,
    ).toEqual([
      { type: 'step', steps: 1 },
      { type: 'tool', tool: 'Bash', content: 'ls' },
      { type: 'text', text: 'Hm.' },
    ])
  })

  test('that are broken are reported together, and cost nothing else', async () => {
    const { result, told } = await ran(
      lines('Starting up …', { type: 'text', text: 'Done.' }, '{"type":', '[]', 'null', '7'),
    )
    expect(result.text).toBe('Done.')
    expect(told).toMatchObject([
      {
        code: 'broken-line',
        severity: 'warning',
        message: expect.stringMatching(/ 2 lines .*"Starting up …"/),
        provider: 'process',
      },
    ])
  })

  test('that say it failed are an error', async () => {
    for (const line of [
      { type: 'error', message: 'The well is dry.' },
      { type: 'result', is_error: true, result: 'The well is dry.' },
    ]) {
      await expect(ran(lines({ type: 'text', text: 'Hm.' }, line))).rejects.toMatchObject({
        code: 'E_PROVIDER_FAILED',
        message: expect.stringContaining(': The well is'),
      })
    }
  })

  test('are read in another way where that is given', async () => {
    const { result } = await ran({
      ...lines({ answer: 'Done.' }),
      readLine: line => ({ result: (line as { answer: string }).answer }),
    })
    expect(result.text).toBe('Done.')
  })
})

test.each([
  ['in the middle', `console.log('{"a":1}'); setInterval(() => {}, 1000)`],
  ['at the end', `process.stdout.write('{"a":1}')`],
])('a function of the host that fails, %s, fails the run, and the host goes on', async (_when, code) => {
  const readLine = (): never => {
    throw new Error('No such line.')
  }
  await expect(ran({ ...script(code), format: 'json-lines', readLine })).rejects.toMatchObject({
    code: 'E_PROVIDER_FAILED',
    message: expect.stringContaining(': No such line'),
    cause: { message: 'No such line.' },
  })
  await expect(ran(script(code), { progress: readLine })).rejects.toMatchObject({
    code: 'E_PROVIDER_FAILED',
    cause: { message: 'No such line.' },
  })
})

test('options that are none are refused', () => {
  for (const options of [
    { command: '' },
    { command: 'x', maxOutputBytes: Number.NaN },
    { command: 'x', graceMs: -1 },
  ]) {
    expect(() => processRunner(options), JSON.stringify(options)).toThrow(
      expect.objectContaining({ code: 'E_INVALID_OPTION' }),
    )
  }
})
