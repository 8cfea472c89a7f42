import { defineCommand } from '../../arguments/define-command.js'
import { agents, json, progress } from '../../arguments/shared-options.js'

export const command = defineCommand({
  group: 'agents',
  place: 4,
  args: '[NAME…]',
  text: 'Measure whether models pick the right skill',
  options: {
    '--overlap': 'Only which skills are described in nearly the same words',
    ...agents,
    '--model <name>':
      'Ask this model: anthropic/NAME or openai/NAME, with the key in ANTHROPIC_API_KEY or OPENAI_API_KEY',
    '--base-url <url>': 'Ask it at this address, as OpenAI has it; the key, if it needs one, is in SKILLS_MODEL_KEY',
    '--level <level>':
      'Only trigger (is it picked?) or outcome (does it help?); with a model both, where there are cases',
    '--trials <count>': 'How often each query is asked, and each task done with and without the skill; 3 unless given',
    '--concurrency <count>': 'How many trials are made at one time; 4 unless given',
    '--against <file>': 'Compare with the description in another SKILL.md, until they can be told apart',
    '--record': 'Ask for what is not recorded, and record it: so without CI, unless --replay is given',
    '--replay': 'Ask no model, only the recordings: so with CI, unless --record is given',
    '--recordings <dir>': 'Where they are; evals/recordings unless given',
    '--allow <rule>...': 'What tasks may run in their temporary folders, as they name it; may be repeated',
    '--price <dollars>': 'Dollars for a million tokens, in and out: 3,15',
    '--max-cost <dollars>': 'Begin no further trial once this many dollars are spent; needs --price',
    '--baseline <file>': 'Exit with 1 when a skill is worse than in this file, beyond the interval',
    '--save-baseline <file>': 'Write the shares into this file, for a later --baseline',
    '--threshold <share>': 'Exit with 1 when a skill does right in a smaller share than this, such as 0.8',
    '--junit <file>': 'Write a report for test runners into this file',
    '--markdown <file>': 'Write a report for a pull request into this file',
    ...progress,
    ...json,
  },
  details: [
    'Without --model no model is asked: which agents tell their models of a skill, what is near it in words, and at which rank SkillSearch finds it for the queries in its evals/evals.json.',
    'Exits with 1 when a NAME is never told of, or loses a query.',
    'With --model it is asked in trials of their own; the same command goes on where one was interrupted.',
  ],
})
