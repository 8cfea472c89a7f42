import { defineCommand } from '../../arguments/define-command.js'
import { agents, json, progress } from '../../arguments/shared-options.js'

export const command = defineCommand({
  group: 'agents',
  place: 4,
  args: '[NAME…]',
  text: 'Measure whether models pick the right skill',
  options: {
    '--overlap': 'Only show which skills have nearly the same description; not with --model',
    ...agents,
    '--model <name>':
      'Call this model: anthropic/NAME or openai/NAME, with the key in ANTHROPIC_API_KEY or OPENAI_API_KEY',
    '--base-url <url>':
      "Call the model at this address by OpenAI's API; a key, if needed, is read from SKILLS_MODEL_KEY",
    '--level <level>':
      'Measure only trigger (is the skill picked?) or outcome (does it help?) (default: both, if cases exist)',
    '--trials <count>': 'Number of times to repeat each query, and each task with and without the skill (default: 3)',
    '--concurrency <count>': 'Run this many trials at the same time (default: 4)',
    '--against <file>':
      'Only compare the description of NAME with that of this SKILL.md, by the queries of NAME, at most --trials times each (default: 20)',
    '--record': 'Call the model for missing recordings and save them (default outside CI)',
    '--replay': 'Use only recordings and call no model (default in CI)',
    '--recordings <dir>': 'Folder of the recordings (default: evals/recordings in the folder you work in)',
    '--allow <rule>...':
      'Permit this rule, for tasks that ask for exactly this rule, in temporary folders; tasks that need other rules are left out; repeatable',
    '--price <in,out>': 'Price in dollars for a million tokens of input and of output, such as 3,15',
    '--max-cost <dollars>': 'Spend at most this many dollars; exit with 1 if trials are left out; needs --price',
    '--baseline <file>':
      'Exit with 1 if the result of a skill is worse than in this file by more than its confidence interval',
    '--save-baseline <file>': 'Save the results for a later --baseline',
    '--threshold <share>': 'Exit with 1 if the share of right answers of a skill is below this, such as 0.8',
    '--junit <file>': 'Write a JUnit report into this file',
    '--markdown <file>': 'Write a Markdown report, for a pull request, into this file',
    ...progress,
    ...json,
  },
  details: [
    'Without --model, no model is called. You see which agents list a skill for their model, which skills have similar descriptions, and at which rank SkillSearch finds the skill for the queries in its evals/evals.json.',
    'Exits with 1 if an agent does not list a NAME for its model, or if a query of a NAME finds another skill first.',
    'With --model, each trial is a separate call. After an interruption, run the same command to continue.',
  ],
})
