import { describe, expect, it } from 'vitest'
import { asking, script, shortly } from '../test/asking.js'

describe('a rule that forbids a command', () => {
  it('finds it wherever a script may run it', async () => {
    const asked = await asking({ deny: ['Bash(rm:*)', 'Bash(git push *)'], allow: ['Bash'] })
    const scripts = [
      'rm x',
      'rm',
      ' rm -rf / ',
      'cd /; rm x',
      'a && rm x',
      'a || rm x',
      'a | rm',
      'a & rm x',
      '(rm x)',
      '{ rm x; }',
      '$(rm x)',
      'echo `rm x`',
      'echo "$(rm x)"',
      'a\nrm x',
      'a\r\nrm x',
      'if true; then rm x; fi',
      '! rm x',
      '/bin/rm x',
      "'rm' x",
      '"rm" x',
      'r\\m x',
      'r""m x',
      "$'rm' x",
      'X=1 rm x',
      'X="a b" rm x',
      'sudo rm x',
      'sudo -u root rm x',
      'env X=1 rm x',
      'timeout 5 rm x',
      'xargs rm',
      'find . -exec rm {} \\;',
      'bash -c "rm x"',
      'eval rm x',
      'command rm x',
      '>f rm x',
      '2>/dev/null rm x',
      'git  push',
      'git\tpush origin',
      'RM x',
      'rm\\\n x',
      'r\\\nm x',
      'trap "rm x" EXIT',
      'x() { rm y; }',
      'while rm x; do a; done',
    ]
    for (const one of scripts) expect(await shortly(asked, script(one)), one).toMatch(/^deny/)
    for (const one of ['git log', 'ls rm', 'echo rm', 'rmdir x', 'git pushx', 'npm run rm'])
      expect(await shortly(asked, script(one)), one).toBe('allow Bash')
  })

  it('looks into the values that travel beside a script', async () => {
    const asked = await asking({ deny: ['Bash(rm:*)'], allow: ['Bash'] })
    expect(await shortly(asked, script('sh -c "${SKILL_ARG_0}"', { values: { SKILL_ARG_0: 'a; rm x' } }))).toBe(
      'deny Bash(rm:*)',
    )
    expect(await shortly(asked, script('echo "${SKILL_ARG_0}"', { values: { SKILL_ARG_0: '$&' } }))).toBe('allow Bash')
  })

  it('looks into them as PowerShell does, by their whole names', async () => {
    const asked = await asking({ deny: ['PowerShell(Remove-Item:*)'], allow: ['PowerShell'] })
    const values = { SKILL_ARG_1: 'echo', SKILL_ARG_10: 'Remove-Item x', SKILL_ARG_2: '$env:SKILL_ARG_10' }
    for (const one of [
      'iex "$env:SKILL_ARG_10"',
      'iex "${env:SKILL_ARG_10}"',
      'iex $Env:SKILL_ARG_10',
      'iex "${SKILL_ARG_10}"',
    ]) {
      expect(await shortly(asked, script(one, { tool: 'PowerShell', values })), one).toBe(
        'deny PowerShell(Remove-Item:*)',
      )
    }
    // A value is not expanded a second time, and an unknown name stays as it is.
    for (const one of ['iex "$env:SKILL_ARG_1"', 'echo "$env:SKILL_ARG_2" "$env:SKILL_ARG_3"'])
      expect(await shortly(asked, script(one, { tool: 'PowerShell', values })), one).toBe('allow PowerShell')
  })

  it('takes an asterisk as anything', async () => {
    const asked = await asking({ deny: ['Bash(curl*)', 'Bash(git * main)'], allow: ['Bash'] })
    for (const one of ['curl x', 'curlie', 'a; curl', 'git push origin main'])
      expect(await shortly(asked, script(one)), one).toMatch(/^deny/)
    expect(await shortly(asked, script('git push origin next'))).toBe('allow Bash')
  })

  it('is decided in time for a script of a hundred kilobytes', async () => {
    const asked = await asking({ deny: ['Bash(rm:*)'], allow: ['Bash(ls:*)', 'Bash'] })
    const scripts = [
      `ls ${'a '.repeat(50_000)}`,
      `ls ${'"'.repeat(100_001)}`,
      `sudo ${'a '.repeat(50_000)}; rm x`,
      ';'.repeat(100_000),
    ]
    const answers: string[] = []
    for (const one of scripts) answers.push((await asked.check(script(one))).behavior)
    // Too long for the grammar: no rule for all of Bash allows it, and deny rules still see what they deny.
    expect(answers).toEqual(['ask', 'ask', 'deny', 'ask'])
  })
})
