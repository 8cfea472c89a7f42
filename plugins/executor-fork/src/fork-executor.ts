import { abortError, defineProvider, SkillsError, type Provider } from '@skills/core'
import { runsCommand } from '@skills/expansion/internal'
import { toolOf } from '@skills/rules'
import { AgentFolders } from './agent-files.js'
import { chooseAgent } from './choose-agent.js'
import { Fork, RunLeft, type ForkParts } from './fork.js'
import { ForkRun, idWithin, idWithKey, refuseOtherArgs, specOf, takeRun, withText } from './fork-run.js'
import { forkSettings, type ForkExecutorOptions } from './fork-options.js'
import { SubmittedRun } from './submitted-run.js'
import { ToolGate } from './tool-gate.js'
import type { AgentDefinition } from './agent.js'
import type { Invocation, Outcome } from '@skills/invocation'
import type { RunRecord } from '@skills/runs'

/**
 * Makes the executor that runs a prompt in its own sub-agent, by the registered runner: the provider `fork` of the kind
 * `executor`. See docs/reference/forks.md, "Execution in a fork".
 *
 * @throws SkillsError `E_INVALID_OPTION`. An invocation rejects with `E_TOO_DEEP`, `E_MISSING_PROVIDER` without a
 * runner, `E_INVALID_SKILL` for the broken file of an agent, `E_TIMEOUT`, `E_PROVIDER_FAILED`, an `AbortError`, and
 * errors of expanding
 */
export function forkExecutor(
  given?: ForkExecutorOptions,
): Provider<'executor', 'runner' | 'expander' | 'hooks' | 'state' | 'trust' | 'runs' | 'tracer'> {
  const settings = forkSettings(given)
  const inCode = new Map(settings.agents.map(agent => [agent.name, agent]))
  return defineProvider({
    kind: 'executor',
    id: 'fork',
    wants: ['runner', 'expander', 'hooks', 'state', 'trust', 'runs', 'tracer'],
    async setup(ctx) {
      const { host, report, signal: closing } = ctx
      const ground = {
        settings,
        host,
        report,
        runner: ctx.use('runner'),
        expanders: ctx.use('expander'),
        hooks: ctx.use('hooks'),
        state: ctx.use('state'),
        tracers: ctx.use('tracer'),
        closing,
      }
      const folders = new AgentFolders(settings.folders, host, report)
      const forks = new Map<string, Fork>()
      /** Runs that workers work on. */
      const submitted = new Map<string, SubmittedRun>()
      /** Runners that were told to stop and have not ended yet. */
      const leaving = new Set<Promise<unknown>>()
      const told = new Set<string>()

      function reportOnce(name: string, tool: string, code: string, message: string, hint: string): void {
        const key = JSON.stringify([name, tool, code])
        if (told.has(key)) return
        told.add(key)
        report({ severity: 'warning', type: 'validation', code, name, field: 'allowed-tools', message, hint })
      }

      function gateFor(
        { command, tools, entry: { name } }: Invocation,
        agent: AgentDefinition,
        around: ToolGate | undefined,
      ): ToolGate {
        // promptCommand() makes an empty list if none is declared.
        const only =
          command.allowedTools.length === 0 || settings.listedTools === 'grant' ? undefined : command.allowedTools
        const gate = new ToolGate(
          [
            ...(tools === undefined ? [] : [{ of: 'the agent that forks', only: tools.only, without: tools.without }]),
            {
              of: `the skill "${name}"`,
              only,
              without: [
                ...(only === undefined && agent.tools === undefined ? settings.without : []),
                ...command.disallowedTools,
              ],
            },
            { of: `the agent "${agent.name}"`, only: agent.tools, without: agent.disallowedTools },
          ],
          around,
        )
        for (const { of, rule, problem } of gate.problems)
          reportOnce(
            name,
            rule,
            'invalid-rule',
            `The rule ${JSON.stringify(rule)} of ${of} ${problem}.`,
            'Write it as Read or Bash(git log:*).',
          )
        const known = settings.knownTools === undefined ? undefined : new Set(settings.knownTools)
        for (const rule of known === undefined ? [] : [...command.allowedTools, ...(agent.tools ?? [])]) {
          const tool = toolOf(rule)
          if (known?.has(tool) !== true && !tool.startsWith('mcp__'))
            reportOnce(
              name,
              rule,
              'unknown-tool',
              `"${name}" may use the tool "${rule}", which does not exist.`,
              'Correct the name of the tool, or remove it.',
            )
        }
        return gate
      }

      async function run(
        fork: Fork,
        agentId: string,
        signals: readonly (AbortSignal | undefined)[],
      ): ReturnType<Fork['run']> {
        forks.set(agentId, fork)
        try {
          return await fork.run(signals)
        } finally {
          forks.delete(agentId)
          const left = fork.left.finally(() => leaving.delete(left))
          leaving.add(left)
        }
      }

      /** Records a fork in an engine that keeps runs; undefined in any other. */
      async function recorded(
        id: string,
        invocation: Invocation,
        parts: Pick<ForkParts, 'agent' | 'gate' | 'isBackground'>,
        isKeyed: boolean,
        signal: AbortSignal,
      ): Promise<ForkRun | SubmittedRun | RunRecord | undefined> {
        const runs = await ctx.use('runs').first(one => one, { signal })
        if (runs === undefined) return undefined
        const { command, run: resumed } = invocation
        const { agent, gate, isBackground } = parts
        const { maxSteps, limitMs } = settings
        const trace = await ground.tracers.first(tracer => tracer.carrier())
        const spec = await specOf(
          id,
          invocation,
          {
            agent: agent.name,
            isBackground,
            session: host.sessionId,
            model: command.model ?? agent.model,
            effort: command.effort ?? agent.effort,
            tools: gate.toolLimits,
            limits: { maxSteps, ms: limitMs },
            ...(trace !== undefined && { trace }),
          },
          signal,
        )
        // A fork inside another that waits for it runs in the same worker, which it occupies anyway.
        const isWithin = !isBackground && forks.has(invocation.agentId ?? '')
        if (runs.place === 'workers' && resumed === undefined && !isWithin) {
          const made = await runs.submit(await withText(spec, invocation, signal))
          if (isKeyed) refuseOtherArgs(made, spec)
          return new SubmittedRun(runs, spec, invocation, closing)
        }
        const taken = await takeRun(runs, spec, { isResumed: resumed !== undefined, isKeyed })
        if ('journal' in taken) return new ForkRun(taken)
        // Another caller with this key began it, and the one that asks again waits for it.
        return taken.state === 'done' ? taken : new SubmittedRun(runs, spec, invocation, closing)
      }

      ctx.hook('fork:stop', ({ agentId }) => submitted.get(agentId)?.stop() ?? forks.get(agentId)?.stop())
      await ctx.effect('forks', () => async () => {
        // The engine has told them to stop. They may still be writing to a disk.
        const all = Promise.all([...[...forks.values()].map(({ left }) => left), ...leaving])
        let cancel = (): void => undefined
        const patience = new Promise<'late'>(resolve => {
          cancel = host.clock.after(settings.graceMs, () => resolve('late'))
        })
        const end = await Promise.race([all, patience])
        cancel()
        if (end === 'late')
          report({
            severity: 'warning',
            type: 'source',
            code: 'runner-left',
            message: `The runner still ran ${leaving.size} sub-agents ${settings.graceMs} ms after it was told to stop.`,
            hint: 'A runner has to stop when its signal is aborted.',
          })
      })

      return {
        embeds: (template, command, { signal }) => runsCommand(ground.expanders, template, command, signal),
        async execute(invocation, { signal }): Promise<Outcome> {
          if (signal.aborted) throw abortError(signal)
          const {
            command,
            depth,
            entry: { name: commandName },
          } = invocation
          if (depth >= settings.maxDepth) {
            throw new SkillsError(
              'E_TOO_DEEP',
              `"${commandName}" would be nested ${depth + 1} forks deep, and the limit is ${settings.maxDepth}.`,
              { hint: 'Call it from an outer skill.' },
            )
          }
          if (ground.runner.ids.length === 0) {
            throw new SkillsError(
              'E_MISSING_PROVIDER',
              `"${commandName}" cannot run as a fork, because there is no runner for its sub-agent.`,
              { hint: 'Register a runner as a plugin.' },
            )
          }
          const { agent, path: agentPath } = await chooseAgent(command.agent ?? settings.defaultAgent, commandName, {
            given: inCode,
            folders,
            trust: ctx.use('trust'),
            signal,
          })
          const parent = invocation.agentId === undefined ? undefined : forks.get(invocation.agentId)
          const { run: resumed, toolUseId, idempotencyKey } = invocation
          const outer = parent?.recorded
          const within =
            outer === undefined || toolUseId === undefined ? undefined : idWithin(outer.record, toolUseId, outer.steps)
          const keyed =
            idempotencyKey === undefined || ctx.use('runs').ids.length === 0
              ? undefined
              : idWithKey(commandName, idempotencyKey)
          const agentId = resumed ?? within ?? keyed ?? crypto.randomUUID()
          const parts = {
            agent,
            gate: gateFor(invocation, agent, parent?.gate),
            isBackground: command.background === true,
          }
          const recording = await recorded(agentId, invocation, parts, agentId === keyed, signal)
          const data = { success: true, commandName, status: 'forked', agentId } as const
          if (recording instanceof SubmittedRun) {
            submitted.set(agentId, recording)
            const result = recording
              .end(parts.isBackground ? [] : [signal, parent?.over])
              .finally(() => void recording.over.finally(() => submitted.delete(agentId)))
            if (!parts.isBackground) return { data: { ...data, ...(await result) }, newMessages: [] }
            // The event reports the failure; no caller waits for the result.
            void result.catch(() => {})
            return { data, newMessages: [] }
          }
          if (recording !== undefined && 'state' in recording)
            return { data: { ...data, result: recording.result, usage: recording.usage }, newMessages: [] }
          // The caller of a resumed run is gone, so it ends like one in the background.
          const isBackground = parts.isBackground || resumed !== undefined
          const fork = new Fork(ground, {
            ...parts,
            agentId,
            invocation,
            agentPath,
            around: parent?.gate,
            isBackground,
            run: recording,
          })
          if (isBackground && resumed === undefined) {
            void run(fork, agentId, [closing]).catch(() => {
              // The event reports the failure; no caller waits for the result.
            })
            return { data, newMessages: [] }
          }
          try {
            return { data: { ...data, ...(await run(fork, agentId, [signal, parent?.over])) }, newMessages: [] }
          } catch (error) {
            if (!(error instanceof RunLeft)) throw error
            // Its end is reported once the question is answered, as for a fork in the background.
            if (recording?.record.question !== undefined) return { data, newMessages: [] }
            throw error.cause
          }
        },
      }
    },
  })
}
