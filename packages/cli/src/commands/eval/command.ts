import { defineCommand } from '../../arguments/define-command.js'
import { agents, json, progress } from '../../arguments/shared-options.js'

export const command = defineCommand({
  group: 'agents',
  place: 4,
  args: '[NAME…]',
  text: 'Measure whether models pick the right skill',
  options: {
    '--overlap': 'Only show which descriptions, of all skills, are nearly the same; not with --model',
    ...agents,
    '--model <name>':
      'Call this model: anthropic/NAME or openai/NAME, with the key in ANTHROPIC_API_KEY or OPENAI_API_KEY',
    '--base-url <url>':
      "Call the model at this address, which speaks OpenAI's API; its key, if any, is in SKILLS_MODEL_KEY",
    '--level <level>':
      'Measure only trigger (is it picked?) or outcome (does it help?) (default: both, where there are cases)',
    '--trials <count>': 'Repeat each query, and each task with and without the skill, this often (default: 3)',
    '--concurrency <count>': 'Run this many trials at the same time (default: 4)',
    '--against <file>':
      'Only compare with the description of this SKILL.md, by the queries of NAME, at most --trials times (default: 20)',
    '--record': 'Call the model for missing recordings and save them (default outside CI)',
    '--replay': 'Use the recordings alone and call no model (default in CI)',
    '--recordings <dir>': 'Folder of the recordings (default: evals/recordings in the folder you work in)',
    '--allow <rule>...':
      'Let tasks run exactly this rule of theirs in temporary folders; other tasks are left out; repeatable',
    '--price <in,out>': 'Price in dollars for a million tokens of input and of output, such as 3,15',
    '--max-cost <dollars>': 'Never spend more dollars than this; exit with 1 if that leaves out trials; needs --price',
    '--baseline <file>': 'Exit with 1 if a skill is worse than in this file by more than its interval',
    '--save-baseline <file>': 'Save the results for a later --baseline',
    '--threshold <share>': "Exit with 1 if a skill's share of right answers is below this, such as 0.8",
    '--junit <file>': 'Write a JUnit report into this file',
    '--markdown <file>': 'Write a Markdown report, for a pull request, into this file',
    ...progress,
    ...json,
  },
  details: [
    'Without --model no model is called. It says which agents tell their models of a skill, which skills read alike, and at which rank SkillSearch finds it for the queries in its evals/evals.json.',
    'Exits with 1 if an agent does not tell its model of a NAME, or another skill wins one of its queries.',
    'With --model each trial is a call of its own; after an interruption the same command continues.',
  ],
})
