import { expect, test } from 'vitest'
import { bashQuoting } from './bash-quoting.js'
import { plainQuotings } from './plain-script.js'

function read(quotings: typeof plainQuotings, script: string): unknown {
  const references = Array.from(script.matchAll(/\$0/g), ({ index }) => ({ start: index, end: index + 2 }))
  const found = quotings(script, references)
  return found && { ...found, lastCommand: script.slice(found.lastCommand).trim() }
}

test.each([
  'echo $0',
  'echo "$0" | grep -E "^(dev|staging)" || echo "INVALID $0"',
  "awk '{ print $0 }' $0 2>&1",
  'test -f $0 && echo "a; b | c" ; gh pr view x$0.y "$0$0"',
  'bash /x/$0 2>&1 || echo "FAILED"',
])('reads %s as the grammar does', script => {
  expect(read(plainQuotings, script)).toEqual(read(bashQuoting, script))
})

test.each([
  'echo $(x $0)',
  'echo `$0`',
  'cat <<E\n$0\nE',
  'x > $0',
  '(( $0 ))',
  'echo "\\$0"',
  'a & $0',
  'echo $x',
  'echo # $0',
  'a\n$0',
])('leaves %s to the grammar', script => {
  expect(read(plainQuotings, script)).toBeUndefined()
})
