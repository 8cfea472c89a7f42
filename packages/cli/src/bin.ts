import { homedir } from 'node:os'
import { join } from 'node:path'
import { exitCodes } from './io.js'
import { CodeCache, codeFolderOf } from './code-cache.js'

const [first = ''] = process.argv.slice(2)
const command = /^[a-z]+$/.test(first) ? first : 'overview'
const host = {
  // A user whom the system does not know has none, and hears that from the program itself.
  get home() {
    return homedir()
  },
  env: process.env,
  platform: process.platform,
}
const folder = codeFolderOf(host, process.geteuid?.())

if (folder === undefined) void import('./main.js')
else {
  const code = new CodeCache(folder, command, require)
  // What was no command is not kept as if it were one.
  process.on('exit', exitCode => (exitCode === exitCodes.usage ? undefined : code.save()))
  code.load(join(__dirname, 'main.cjs'))
}
