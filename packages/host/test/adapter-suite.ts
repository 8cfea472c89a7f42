import { AgentSession } from '@skills/host/session'
import type { AgentSessionOptions } from '@skills/host/internal'
import { modelServer, toolsShown, type ModelAnswer, type ModelServer } from '@skills/testing/model-server'
import { describe, expect, onTestFinished, test } from 'vitest'
import { distributionNames, inputFor, opened, timesIn } from '../../distributions/test/contract/every-distribution.js'
import { engineOver, skillMd, type Opened } from '../../distributions/test/engine-over.js'

export const deploy = { 'repo/.claude/skills/deploy/SKILL.md': skillMd('Deploys the site.', 'Deploy $ARGUMENTS now.') }

/** Makes a model's answer that calls a tool. */
export const call = (name: string, input: unknown, id = 'call_1'): ModelAnswer => ({ calls: [{ id, name, input }] })

/** Starts an endpoint whose model gives these answers, then the text "Done." */
export async function scripted(...answers: readonly ModelAnswer[]): Promise<ModelServer> {
  const server = await modelServer('openai', (_, at) => answers[at] ?? { text: 'Done.' })
  onTestFinished(() => server.close())
  return server
}

export async function sessionOver(
  { skills, distribution }: Opened,
  options: AgentSessionOptions = {},
): Promise<AgentSession> {
  const session = await AgentSession.open(skills, { distribution, ...options })
  onTestFinished(() => session.close())
  return session
}

/** Returns the messages that the model was sent, as one text. */
export const sent = (server: ModelServer, at: number): string => JSON.stringify(server.requests[at]?.body['messages'])

/**
 * Input of an adapter's run. It runs the framework's loop over the scripted model and returns the text of the answer.
 */
export interface AdapterRun {
  readonly server: ModelServer
  readonly session: AgentSession
  /** The host's own system text. */
  readonly system?: string
  /** Called by the host's tools `Read` and `Write`, each with a `file_path`, with their name and input. */
  readonly use?: (used: string) => string
}

/** Tests an adapter with the tools of skills, with those of its host, and with the system text. */
export function adapterSuite(name: string, run: (given: AdapterRun) => Promise<string | undefined>): void {
  describe(`${name} with the tools of skills`, () => {
    test('tells the model of the skills, runs one, and gives its text as the result', async () => {
      const server = await scripted(call('Skill', { skill: 'deploy', args: 'prod' }))
      const session = await sessionOver(engineOver(deploy))
      expect(await run({ server, session, system: 'You are terse.' })).toBe('Done.')
      expect(sent(server, 0)).toContain('You are terse.')
      expect(sent(server, 0)).toContain('- deploy: Deploys the site.')
      expect(sent(server, 1)).toContain('Deploy prod now.')
      expect(toolsShown(server.requests[0])).toEqual(session.tools().map(tool => tool.name))
    })

    test.each(distributionNames)('gives the text of a skill once under %s, with the arguments it takes', async own => {
      const { skills, distribution } = await opened(own, { rules: { allow: ['Skill'] } })
      const session = await AgentSession.open(skills, { distribution, onAsk: () => 'allow' })
      onTestFinished(() => session.close())
      const [tool] = session.tools()
      if (tool === undefined) throw new Error('There is no tool.')
      const { takesArgs, input } = inputFor(tool, distribution, { name: 'deploy-site', args: 'to production' })
      const server = await scripted(call(tool.name, input))
      await run({ server, session })
      // What the model reads besides the listing and its own call.
      const messages: unknown = server.requests[1]?.body['messages']
      const given = (Array.isArray(messages) ? messages : []).filter(
        one => !['system', 'developer', 'assistant'].includes(String(Object(one)['role'])),
      )
      expect(timesIn(JSON.stringify(given), 'to production')).toEqual([1, 1, takesArgs ? 1 : 0])
    })

    test('finds what no listing has room for', async () => {
      const server = await scripted(call('SkillSearch', { query: 'site' }))
      await run({ server, session: await sessionOver(engineOver(deploy)) })
      expect(sent(server, 1)).toContain('- deploy: Deploys the site.')
    })

    test('tells the model what is refused, and goes on', async () => {
      const server = await scripted(call('Skill', { skill: 'deplo' }))
      expect(await run({ server, session: await sessionOver(engineOver(deploy)) })).toBe('Done.')
      expect(sent(server, 1)).toContain('Unknown skill: deplo')
    })

    test('asks about the tools of the host, which a skill may allow or take away for the rest of the answer', async () => {
      const asked: string[] = []
      const used: string[] = []
      const server = await scripted(
        call('Write', { file_path: '/a' }, 'c1'),
        call('Skill', { skill: 'careful' }, 'c2'),
        call('Read', { file_path: '/b' }, 'c3'),
      )
      const fields = ['allowed-tools: Read', 'disallowed-tools: Write']
      const session = await sessionOver(
        engineOver({ 'repo/.claude/skills/careful/SKILL.md': skillMd('Is careful.', 'Only look.', ...fields) }),
        {
          onAsk({ request }) {
            asked.push(`${request.tool} ${request.content}`)
            return request.tool === 'Skill' ? 'allow' : 'deny'
          },
        },
      )
      await run({
        server,
        session,
        use(what) {
          used.push(what)
          return 'ok'
        },
      })
      expect(asked).toEqual(['Write /a', 'Skill careful'])
      expect(used).toEqual(['Read /b'])
      expect(toolsShown(server.requests[0])).toContain('Write')
      expect(toolsShown(server.requests[2])).not.toContain('Write')
      // The answer has come, so settings of the skill have ended.
      expect(session.offers('Write')).toBe(true)
    })
  })
}
