// @ts-check
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import path from 'node:path'

/**
 * Makes a project with many skills, one that waits, a plugin whose server never answers, and archives to install.
 * @param {string} root @param {number} skills
 */
export function makeWorld(root, skills) {
  for (const name of ['work/.git', 'home', 'source/.git', 'plug/.claude-plugin', 'big/huge'])
    mkdirSync(path.join(root, name), { recursive: true, mode: 0o700 })
  for (let at = 0; at < skills; at++)
    writeSkill(`${root}/work/.claude/skills/s${at}-plan`, `Plans release number ${at}.`)
  writeSkill(`${root}/work/.claude/skills/waits`, 'Waits.', 'A !`sleep 60` B')
  for (let at = 0; at < 20; at++) writeSkill(`${root}/source/skills/t${at}`, `Tests number ${at}.`)
  writeSkill(`${root}/plug/skills/p`, 'Of a plugin.')
  writeFileSync(`${root}/plug/.claude-plugin/plugin.json`, '{"name": "acme"}')
  writeFileSync(`${root}/plug/.mcp.json`, '{"mcpServers": {"slow": {"command": "sleep", "args": ["60"]}}}')
  writeSkill(`${root}/big/huge`, 'Is large.')
  for (let at = 0; at < 400; at++) writeFileSync(`${root}/big/huge/f${at}.bin`, randomBytes(20_000))
  execFileSync('tar', ['czf', `${root}/big.tgz`, '-C', `${root}/big`, '.'])
  rmSync(`${root}/big`, { recursive: true })
}

/** @param {string} folder @param {string} description @param {string} [body] */
function writeSkill(folder, description, body = 'Do it.') {
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    `${folder}/SKILL.md`,
    `---\nname: ${path.basename(folder)}\ndescription: ${description}\n---\n${body}\n`,
  )
}

/**
 * Copies everything that a command may write, as it is now, with `home` and `tmp` empty.
 * @param {string} root
 * @param {string} to
 */
export function copyOf(root, to) {
  rmSync(to, { recursive: true, force: true })
  execFileSync('cp', ['-a', root, to])
  for (const name of ['tmp', 'home']) mkdirSync(`${to}/${name}`, { recursive: true, mode: 0o700 })
}

/**
 * Starts a server that sends a byte now and then, and never finishes.
 * @returns {Promise<{ url: string, close: () => void }>}
 */
export async function slowServer() {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-length': '1000000' })
    const timer = setInterval(() => response.write('x'), 50)
    response.on('close', () => clearInterval(timer))
  })
  await new Promise(resolve => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}/x.tgz`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Returns a sentence for each thing that a command left behind. @param {string} root @returns {readonly string[]} */
export function leftIn(root) {
  const left = readdirSync(`${root}/tmp`).map(name => `left ${name} in the temporary folder`)
  for (const place of ['home', 'work', 'plug', 'source'])
    for (const name of readdirSync(`${root}/${place}`, { recursive: true, encoding: 'utf8' })) {
      if (/(?:\.lock|\.tmp|\.part)$|\.tmp\b|\.new-skill|\.staging/.test(name)) left.push(`left ${place}/${name}`)
      if (!/(?:^|\/)skills(?:\.lock)?\.json$/.test(name)) continue
      try {
        JSON.parse(readFileSync(`${root}/${place}/${name}`, 'utf8'))
      } catch {
        left.push(`left half of ${place}/${name}`)
      }
    }
  return left
}

/** Finds the processes that have a mark in their environment. @param {string} mark @returns {readonly number[]} */
export function marked(mark) {
  return readdirSync('/proc').flatMap(name => {
    if (!/^\d+$/.test(name)) return []
    try {
      // A process that has ended but was not waited for yet has no environment.
      return readFileSync(`/proc/${name}/environ`, 'utf8').includes(mark) ? [Number(name)] : []
    } catch {
      // The process has ended, or is another user's.
      return []
    }
  })
}
