import type { RunSpec } from '@skills/runs'

/** Returns what a run of a test is asked for. */
export const specOf = (id: string): RunSpec => ({
  id,
  skill: { name: 'deploy', source: 'project', digest: 'a1' },
  args: '',
  caller: 'user',
  agent: 'general-purpose',
  tools: { without: [] },
  limits: { maxSteps: 5, ms: 1000 },
  session: 's',
  depth: 0,
  isBackground: true,
})
