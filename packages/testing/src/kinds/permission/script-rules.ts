import { scriptFor, type PermissionRule } from './permission-trial.js'

/** Scripts that run more than their first words say. */
const compound: readonly string[] = [
  'git status; id',
  'git status && id',
  'git status || id',
  'git status | sh',
  'git status & id',
  'git $(id)',
  'git `id`',
  'git "$(id)"',
  'git status\nid',
  'git status\r\nid',
  'git log > /tmp/f',
  'git log >> f',
  'git apply < f',
  'git diff <(id)',
  'git ${HOME}',
  'git $HOME',
  '(git status; id)',
  '{ git status; id; }',
  'PATH=. git status',
  'gitx status',
  'git-x',
  './git status',
]

/** Rules for matching scripts. */
export const scriptRules: readonly PermissionRule[] = [
  {
    name: 'simple-commands',
    rule: 'a rule that allows what a script begins with allows one simple command, nothing that runs or writes more',
    needs: ['rules', 'scripts'],
    async check(trial) {
      for (const script of ['git', 'git status', 'git log --oneline -n 5'])
        await trial.expect(['allow'], scriptFor(script), ['allow Bash(git:*)'])
      for (const script of compound) await trial.expect(['ask', 'deny'], scriptFor(script), ['allow Bash(git:*)'])
    },
  },
  {
    name: 'exact-scripts',
    rule: 'a rule that allows a script allows that one and no other',
    needs: ['rules', 'scripts'],
    async check(trial) {
      await trial.expect(['allow'], scriptFor('git status'), ['allow Bash(git status)'])
      for (const script of ['git status --short', 'git', 'git statusx', 'git status; id', 'git status\nid'])
        await trial.expect(['ask', 'deny'], scriptFor(script), ['allow Bash(git status)'])
      await trial.expect(['ask', 'deny'], scriptFor('git status', { tool: 'PowerShell' }), ['allow Bash(git status)'])
    },
  },
  {
    name: 'denied-scripts',
    rule: 'a rule that denies a command denies it wherever a script would run it',
    needs: ['rules', 'scripts'],
    async check(trial) {
      const scripts = [
        'rm -rf x',
        'ls; rm -rf x',
        'ls && rm x',
        'ls | rm x',
        'ls & rm x',
        'echo $(rm x)',
        'echo `rm x`',
        'ls\nrm x',
        '(rm x)',
        'X=1 rm x',
        '/bin/rm x',
        '"rm" x',
      ]
      for (const script of scripts) await trial.expect(['deny'], scriptFor(script), ['allow Bash', 'deny Bash(rm:*)'])
    },
  },
]
