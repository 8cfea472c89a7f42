import { expect, it } from 'vitest'
import { quotedReferences } from './quoted-references.js'

const texts = async (...given: Parameters<typeof quotedReferences>): Promise<readonly string[]> =>
  (await quotedReferences(...given)).map(({ text }) => text)

it('names the references that single quotes keep as they are, and where they stand', async () => {
  const script = `echo $0 '$ARGUMENTS' "$1" '\${CLAUDE_SKILL_DIR}/x'`
  expect(await quotedReferences(script)).toEqual([
    { text: '$ARGUMENTS', start: 9, end: 19 },
    { text: '${CLAUDE_SKILL_DIR}', start: 27, end: 46 },
  ])
})

it('knows every form that a reference has', async () => {
  expect(
    await texts("'$ARGUMENTS[2] ${ARGUMENTS} $12 {baseDir} ${CLAUDE_SESSION_ID} $file $1'", {
      argumentNames: ['file'],
    }),
  ).toEqual(['$ARGUMENTS[2]', '${ARGUMENTS}', '$12', '{baseDir}', '${CLAUDE_SESSION_ID}', '$file', '$1'])
})

it('takes nothing else for one', async () => {
  expect(await texts("'$1.50 $10,000 $1st $ARGUMENTSX $files ${OTHER} \\$0'", { argumentNames: ['file'] })).toEqual([])
})

it('does not name what the shell looks into, nor what stands in a comment', async () => {
  expect(await texts("echo $0 \"$1\" <<EOF # '$0'\n$ARGUMENTS '$0'\nEOF")).toEqual([])
  expect(await texts("cat <<'EOF'\n$ARGUMENTS\nEOF")).toEqual(['$ARGUMENTS'])
})

it('reads PowerShell as PowerShell does', async () => {
  const script = "echo '$0' \\'$1\\'"
  expect(await texts(script, { shell: 'powershell' })).toEqual(['$0', '$1'])
  expect(await texts(script)).toEqual(['$0'])
})
