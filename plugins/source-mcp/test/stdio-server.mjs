// Server over standard streams that behaves as its first argument says. Written by hand, so that it can be faulty in
// any way.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

const [, , manner] = process.argv
const say = message => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)

if (manner === 'silent') {
  setInterval(() => {}, 1000)
} else if (manner === 'broken') {
  process.stderr.write('Cannot find\nthe \u001b[31mlicence\u001b[0m.\n')
  process.exitCode = 3
} else {
  createInterface({ input: process.stdin }).on('line', line => {
    const { id, method, params } = JSON.parse(line)
    if (id === undefined) return
    if (manner === 'old' && !['initialize', 'prompts/list', 'prompts/get'].includes(method)) process.exit(1)
    if (manner === 'mute' && method === 'server/discover') return
    if (manner === 'bad-json' && method !== 'initialize') {
      process.stdout.write('{"jsonrpc": "2.0", "id": oops\n')
      process.stdout.write('{"neither": "a request nor an answer"}\n')
    }
    if (manner === 'dies' && method === 'prompts/get') process.exit(7)
    if (method === 'initialize')
      say({
        id,
        result: {
          protocolVersion: params.protocolVersion,
          capabilities: { prompts: {} },
          serverInfo: { name: 'test', version: '1' },
        },
      })
    else if (method === 'prompts/list') say({ id, result: { prompts: [{ name: 'hello' }] } })
    else if (method === 'prompts/get')
      say({
        id,
        result: {
          messages: [
            {
              role: 'user',
              content: {
                type: 'text',
                text: JSON.stringify({ pid: process.pid, child: child?.pid, cwd: process.cwd(), env: process.env }),
              },
            },
          ],
        },
      })
    else say({ id, error: { code: -32601, message: 'Method not found' } })
  })
}

// Its child stays in its group, and neither ends when it is asked to.
const child =
  manner === 'stubborn'
    ? spawn(
        process.execPath,
        ['-e', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000); process.stdout.write("ready")'],
        { stdio: ['ignore', 'pipe', 'ignore'] },
      )
    : undefined
if (manner === 'stubborn') {
  process.on('SIGTERM', () => {})
  process.stdin.on('end', () => setInterval(() => {}, 1000))
}
