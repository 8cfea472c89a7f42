import { testRunner } from '@skills/testing/vitest'
import { agentProgram } from '../test/agent-program.js'

const without = {
  tools: 'What a program does is not in the hands of a caller that started it.',
  continuation: 'A program that has answered is over.',
}

testRunner('a program that writes text', script => agentProgram(script), { without })
testRunner('a program that writes lines of JSON', script => agentProgram(script, { format: 'json-lines' }), { without })
