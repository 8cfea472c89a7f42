import type { EvalReport } from '@skills/evals'
import type { Proportion } from '@skills/evals/internal'

const share = (successes: number, trials: number): Proportion => ({
  successes,
  trials,
  rate: successes / trials,
  low: 0.2,
  high: 0.9,
})

/** Evaluation whose texts contain markup, as texts of models may. */
export const evaluation: EvalReport = {
  version: 1,
  model: 'small',
  stale: [{ skill: 'notes', id: 'query 2', changed: 'listing' }],
  cost: undefined,
  triggers: {
    skills: [
      {
        name: 'notes',
        path: '<project>/.claude/skills/notes/SKILL.md',
        precision: share(2, 3),
        recall: share(2, 3),
        right: share(4, 6),
        queries: [
          {
            id: 'query 1',
            query: '<img src=x onerror="window.ran = 6"> write notes',
            shouldTrigger: true,
            triggered: share(1, 3),
            passed: false,
            moreTrials: 2,
            invoked: { notes: 1, deploy: 1, '': 1 },
            trials: [
              {
                trial: 0,
                end: 'answered',
                invoked: [],
                steps: 1,
                inputTokens: 1,
                outputTokens: 1,
                ms: 1,
                transcript: [
                  { role: 'user', content: [{ type: 'text', text: 'write notes' }] },
                  { role: 'assistant', content: [{ type: 'text', text: '<script>window.ran = 7</script>' }] },
                ],
              },
            ],
          },
        ],
      },
    ],
    inputTokens: 1,
    outputTokens: 1,
    cost: undefined,
    ms: 1,
    left: 0,
  },
  outcomes: {
    skills: [
      {
        name: 'notes',
        path: '<project>/.claude/skills/notes/SKILL.md',
        with: share(5, 6),
        without: share(2, 6),
        difference: { difference: 0.5, low: 0.1, high: 0.8 },
        invoked: share(3, 3),
        tasks: [
          {
            id: 'task 1',
            prompt: 'Write the notes.',
            assertions: [{ what: 'NOTES.md is there', with: share(3, 3), without: share(1, 3) }],
            notAllowed: ['Bash(npm test)'],
            trials: [],
          },
        ],
      },
    ],
    inputTokens: 1,
    outputTokens: 1,
    cost: undefined,
    left: 0,
  },
}
