import { existsSync } from 'node:fs'
import { createSkills, processHost } from '@skills/core'
import { Invoker } from '@skills/invocation'
import { allowAll } from '@skills/permission-rules'
import { tempTree } from '@skills/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { standard } from './agents/standard/index.js'

/** Argument that leaves a file behind if its command runs. No reference splits it at spaces. */
const hostile = 'a[$(touch${IFS}ran)]'

/** Scripts in which bash evaluates a value. Their references look like variables of a plugin to the expanders. */
const contexts = [
  'x=$0; echo ${!x}',
  'x=$0; echo "${!x}"',
  'x=$0; echo ${!x:-none}',
  'x=$0; echo ${!x@Q}',
  'x=$0; a=1; echo ${a[x]}',
  'x=$0; a=1; echo "${a[x]}"',
  'x=$0; a=1; echo ${a[x]:-none}',
  'x=$0; a=1; echo ${#a[x]}',
  'x=$0; a=1; echo ${!a[x]}',
  'x=$0; a=abc; echo ${a:x}',
  'x=$0; a=abc; echo ${a:0:x}',
  'x=$0; a=abc; echo ${a:x:1}',
  'x=$0; a=(1 2); echo ${a[@]:x}',
  'x=$0; set -- a b; echo ${@:x}',
  'x=$0; set -- a b; echo ${*:1:x}',
  'x=$0; echo ${1:x}',
  'x=$0; echo ${1:x:x}',
  'x=$0; a=1; echo ${a[x]/b/c}',
  'x=$0; a=1; echo ${a[x]#b}',
  'x=$0; a=1; echo ${a[x]^^}',
  'x=$0; a=1; cat <<E\n${a[x]}\nE',
  'x=$0; cat <<E\n${!x}\nE',
  'x=$0; echo "$(echo ${!x})"',
  'x=$0; echo `echo ${!x}`',
  'x=$0; cat <<< ${!x}',
  'x=$0; for y in ${!x}; do echo; done',
  'x=$0; case ${!x} in *) echo;; esac',
  'x=$0; y=${!x}; echo $y',
  'x=$0; [[ ${!x} == a ]]',
  'x=$0; echo ${y:=${!x}}',
  'set -- -v "$0"; [ $1 $2 ]',
  'set -- -v "$0"; [ $1 "$2" ]',
  'set -- "$0"; test -v ${1}',
  'set -- "$0"; (( ${1} ))',
  'set -- "$0"; x=$1; (( x ))',
  'x="-v $0"; [ ${x} ]',
  'x="-v $0"; test ${x}',
  'x=$0; test -v ${x}',
  'x=$0; printf -v ${x} a',
  'x=$0; read ${x} <<< a',
  'x=$0; unset ${x}',
  'x=$0; declare ${x}',
  'x=$0; let ${x}',
  'x=$0; let y=${x}',
  'x=$0; declare -i y=${x}',
  'x=$0; echo $((${x}))',
  'x=$0; echo $[${x}]',
  'x=$0; [[ ${x} -gt 1 ]]',
  'x=$0; a[${x}]=1',
  'f() { echo ${!1}; }; f $0',
  'f() { local -i y=${1}; }; f $0',
  'x=$0; echo ${x@P}',
  'x=$0; echo ${x@E}${!x}',
  'PS4=$0; set -x; :',
  'x=$0; trap "(( x ))" EXIT',
  'x=$0; eval "(( x ))"',
  'export x=$0; bash -c "(( x ))"',
  'echo "$(case a in a) declare -i x=$0;; esac)"',
  'echo "$(case a in (a) x=$0; echo ${!x};; esac)"',
  'x=$(case a in b) : ;; a) : esac; declare -i x=$0)',
]

async function invoke(script: string, args: string) {
  const tree = tempTree({
    'work/.keep': '',
    'home/.claude/skills/try/SKILL.md': `---\nname: try\ndescription: Tries.\n---\n\`\`\`!\n${script}\n\`\`\`\n`,
  })
  onTestFinished(() => tree.dispose())
  const host = processHost({ cwd: `${tree.path}/work`, home: `${tree.path}/home`, env: { PATH: process.env['PATH'] } })
  const skills = createSkills(
    standard({ host, managed: { dirs: [] }, bundled: false, permission: allowAll(), onDiagnostic: () => {} }),
  )
  onTestFinished(() => skills.close())
  const { newMessages } = await new Invoker(skills).invoke({ name: 'try', args, caller: 'user' })
  return { text: JSON.stringify(newMessages.at(-1)?.content), ran: existsSync(`${tree.path}/work/ran`) }
}

describe('an argument of a skill on disk never runs where bash evaluates what a variable holds', () => {
  it.each(contexts)('%s', async script => {
    const { text, ran } = await invoke(script, hostile)
    expect(ran).toBe(false)
    expect(text).toMatch(/\[shell command not run: .* \$0/)
  })

  it('and comes through wherever it is only text, beside references that have no value', async () => {
    expect(await invoke('x=$0; echo "${x}|${x%%]*}|${1-none}|$7|${CLAUDE_EFFORT}|${y:-$0}"', hostile)).toEqual({
      text: expect.stringContaining(`${hostile}|a[$(touch\${IFS}ran)|none|||${hostile}`),
      ran: false,
    })
    expect(
      await invoke('x=$(case "$0" in "") echo none;; *) printf "(%s)" "$0";; esac); echo "$x $0"', hostile),
    ).toEqual({ text: expect.stringContaining(`(${hostile}) ${hostile}`), ran: false })
  })

  it('while harmless ones are evaluated as bash does', async () => {
    expect((await invoke('x=$0; y=1; a=(b c); echo "${!x} ${#a[x]} ${a[@]:1:x}"', 'y')).text).toContain('1 1 c')
  })

  it('and a whole number is put where text might run', async () => {
    const script = 'x=$0; echo "x ${x@P} x"'
    expect((await invoke(script, '42')).text).toContain('x 42 x')
    expect((await invoke(script, 'y')).text).toMatch(/\[shell command not run: .* \$0 /)
  })
})

describe('an escaped reference in a command', () => {
  it.each([
    ["echo a b c | awk '{print \\$2}'", 'b'],
    ['echo "\\$1" \'\\$1\' \\$1', '$1 $1 $1'],
    ["printf %s 'a\\$b' '\\$ARGUMENTS'", 'a\\$b$ARGUMENTS'],
    ["cat <<'E'\n\\$1 $0\nE", '$1 $0'],
    ["echo $0 | sed 's/\\$//'", 'x'],
  ])('%s gives what a shell would that never saw the escape', async (script, expected) => {
    expect((await invoke(script, 'x')).text).toContain(JSON.stringify(expected).slice(1, -1))
  })
})
