import { homedir } from 'node:os'
import { join } from 'node:path'
import { exitCodes } from './io.js'
import { CodeCache, codeFolderOf } from './code-cache.js'

const [first = ''] = process.argv.slice(2)
const command = /^[a-z]+$/.test(first) ? first : 'overview'
const host = {
  // Throws for a user without an entry in the system's user database. The program itself reports that.
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
  // Code compiled for an unknown command is not cached.
  process.on('exit', exitCode => (exitCode === exitCodes.usage ? undefined : code.save()))
  code.load(join(__dirname, 'main.cjs'))
}
